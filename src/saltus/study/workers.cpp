// SPDX-License-Identifier: Apache-2.0
#include "saltus/study/workers.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "saltus/io/model_file.hpp"

namespace saltus::study {
namespace {

/// What a worker answers; a text of `length` bytes follows if a file failed.
struct Answer {
  enum Kind : std::int32_t { Done, Interrupted, FileFailed };
  std::int32_t kind = Done;
  std::int32_t length = 0;
};

bool read_all(int descriptor, void* data, std::size_t count) {
  auto* place = static_cast<char*>(data);
  while (count > 0) {
    const ssize_t got = ::read(descriptor, place, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    place += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int descriptor, const void* data, std::size_t count) {
  const auto* place = static_cast<const char*>(data);
  while (count > 0) {
    const ssize_t put = ::write(descriptor, place, count);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    place += put;
    count -= static_cast<std::size_t>(put);
  }
  return true;
}

/// Runs what it is told until its orders end. It leaves without the clean-up of the process that it
/// is a copy of.
[[noreturn]] void work(int orders, int answers, const std::function<bool(int)>& task) {
  std::int32_t number = 0;
  while (read_all(orders, &number, sizeof number)) {
    Answer answer;
    std::string text;
    try {
      answer.kind = task(number) ? Answer::Done : Answer::Interrupted;
    } catch (const FileError& error) {
      answer.kind = Answer::FileFailed;
      text = error.what();
    } catch (const std::exception& error) {
      fmt::print(stderr, "case {}: {}\n", number, error.what());
      std::fflush(stderr);
      ::_exit(1);
    }
    answer.length = static_cast<std::int32_t>(text.size());
    if (!write_all(answers, &answer, sizeof answer) ||
        !write_all(answers, text.data(), text.size())) {
      break;
    }
  }
  ::_exit(0);
}

struct Worker {
  pid_t process = -1;
  int orders = -1, answers = -1;
  int number = 0;  ///< of the case at hand; 0: none
};

class Pool {
 public:
  Pool(int jobs, const std::function<bool(int)>& task) : task_(task) {
    workers_.resize(static_cast<std::size_t>(jobs));
    for (Worker& worker : workers_) start(worker);
  }
  ~Pool() {
    for (Worker& worker : workers_) stop(worker);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::vector<Worker>& workers() { return workers_; }

  /// False if the worker is dead.
  static bool give(Worker& worker, int number) {
    worker.number = number;
    const std::int32_t order = number;
    return write_all(worker.orders, &order, sizeof order);
  }

  void replace(Worker& worker) {
    stop(worker);
    start(worker);
  }

 private:
  void start(Worker& worker) {
    std::array<int, 2> orders{}, answers{};
    if (::pipe(orders.data()) != 0 || ::pipe(answers.data()) != 0) fail("a pipe");
    std::fflush(stdout);
    worker.process = ::fork();
    if (worker.process < 0) fail("a process");
    if (worker.process == 0) {
      // Ends of the other workers' pipes would keep them from seeing that we are gone.
      for (const Worker& other : workers_) {
        if (other.orders >= 0) ::close(other.orders);
        if (other.answers >= 0) ::close(other.answers);
      }
      ::close(orders[1]);
      ::close(answers[0]);
      work(orders[0], answers[1], task_);
    }
    ::close(orders[0]);
    ::close(answers[1]);
    worker.orders = orders[1];
    worker.answers = answers[0];
    worker.number = 0;
  }

  static void stop(Worker& worker) {
    if (worker.process < 0) return;
    ::close(worker.orders);
    ::close(worker.answers);
    while (::waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
    worker = {};
  }

  [[noreturn]] static void fail(const char* what) {
    throw FileError(fmt::format("{} cannot be had: {}", what, std::strerror(errno)));
  }

  const std::function<bool(int)>& task_;
  std::vector<Worker> workers_;
};

/// What a worker says of its case; its end without a word is a crash.
Handled listen(const Worker& worker) {
  Answer answer;
  if (!read_all(worker.answers, &answer, sizeof answer)) return Handled::Crashed;
  if (answer.kind == Answer::FileFailed) {
    std::string text(static_cast<std::size_t>(answer.length), '\0');
    read_all(worker.answers, text.data(), text.size());
    throw FileError(text);
  }
  return answer.kind == Answer::Done ? Handled::Done : Handled::Interrupted;
}

}  // namespace

void run_in_processes(std::span<const int> cases, int jobs, const std::function<bool(int)>& task,
                      const std::function<void(int, Handled)>& heard,
                      const std::function<bool()>& is_interrupted) {
  if (cases.empty()) return;
  // A worker that dies closes its pipe: that is told by what writing returns.
  std::signal(SIGPIPE, SIG_IGN);
  Pool pool(std::min(jobs, static_cast<int>(cases.size())), task);
  std::size_t next = 0;
  while (true) {
    std::vector<pollfd> waits;
    std::vector<Worker*> waiting;
    for (Worker& worker : pool.workers()) {
      if (worker.number == 0 && next < cases.size() && !is_interrupted()) {
        if (!Pool::give(worker, cases[next]))
          pool.replace(worker);
        else
          ++next;
      }
      if (worker.number == 0) continue;
      waits.push_back({worker.answers, POLLIN, 0});
      waiting.push_back(&worker);
    }
    if (waiting.empty()) {
      if (next >= cases.size() || is_interrupted()) return;
      continue;
    }
    if (::poll(waits.data(), waits.size(), -1) < 0) continue;  // a signal
    for (std::size_t i = 0; i < waits.size(); ++i) {
      if (waits[i].revents == 0) continue;
      Worker& worker = *waiting[i];
      const Handled handled = listen(worker);
      heard(worker.number, handled);
      worker.number = 0;
      if (handled == Handled::Crashed) pool.replace(worker);
    }
  }
}

}  // namespace saltus::study
