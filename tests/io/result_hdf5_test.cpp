// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <functional>
#include <random>

#include "saltus/io/hdf5_writer.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::io {
namespace result_hdf5_test {

const ResultLayout two_columns = {.channels = {{.name = "time", .unit = "s", .description = "time"},
                                               {.name = "β.rotation.x",
                                                .unit = "rad",
                                                .description = "accumulated, component x"}},
                                  .longest_contact_name = 6};
const RunOrigin origin{.model = "a.json", .model_hash = "12", .model_text = "{\"saltus\": 1}"};

/// The value in row i, column j of every series in this file.
double value_at(std::size_t i, std::size_t j) {
  return static_cast<double>(i) + 0.25 * static_cast<double>(j);
}

/// Writes the next row of the series.
void write_row(Hdf5Writer& writer, std::size_t i) {
  writer.write(std::vector<double>{value_at(i, 0), value_at(i, 1)});
}

/// Event number i of every list in this file.
EventRow event_at(std::size_t i) {
  const auto x = static_cast<double>(i);
  return {.time = 0.5 * x,
          .contact = i % 2 == 0 ? "bounce" : "β",
          .kind = i % 3 == 0 ? "impact" : "slips",
          .order = static_cast<int>(i % 4),
          .impulse = {x, 0, 1},
          .before = {-x, 2, 3},
          .after = {x / 2, 4, 5},
          .energy_lost = x / 8};
}

/// As the file has it.
struct FileEvent {
  double time;
  char contact[8], kind[8];
  int order;
  double impulse_n, before_t1, energy_lost;
};

Hdf5Handle text_of_8() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), &H5Tclose);
  H5Tset_size(type, 8);
  H5Tset_cset(type, H5T_CSET_UTF8);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  return type;
}

std::vector<FileEvent> read_events(hid_t file) {
  const Hdf5Handle data(H5Dopen2(file, "events", H5P_DEFAULT), &H5Dclose);
  const Hdf5Handle space(H5Dget_space(data), &H5Sclose);
  const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(FileEvent)), &H5Tclose);
  H5Tinsert(type, "time", HOFFSET(FileEvent, time), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "contact", HOFFSET(FileEvent, contact), text_of_8());
  H5Tinsert(type, "kind", HOFFSET(FileEvent, kind), text_of_8());
  H5Tinsert(type, "order", HOFFSET(FileEvent, order), H5T_NATIVE_INT);
  H5Tinsert(type, "impulse_n", HOFFSET(FileEvent, impulse_n), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "before_t1", HOFFSET(FileEvent, before_t1), H5T_NATIVE_DOUBLE);
  H5Tinsert(type, "energy_lost", HOFFSET(FileEvent, energy_lost), H5T_NATIVE_DOUBLE);
  hsize_t size = 0;
  EXPECT_EQ(H5Sget_simple_extent_dims(space, &size, nullptr), 1) << "events cannot be read";
  std::vector<FileEvent> events(size);
  EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, events.data()), 0);
  return events;
}

bool is_event(const FileEvent& read, std::size_t i) {
  const EventRow event = event_at(i);
  return read.time == event.time && event.contact == read.contact && event.kind == read.kind &&
         read.order == event.order && read.impulse_n == event.impulse[0] &&
         read.before_t1 == event.before[1] && read.energy_lost == event.energy_lost;
}

/// Fails the test if the events are not the beginning of what was written. Returns their number.
std::size_t check_events(hid_t file) {
  const std::vector<FileEvent> events = read_events(file);
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (is_event(events[i], i)) continue;
    ADD_FAILURE() << "event " << i << " has the time " << events[i].time;
    break;
  }
  return events.size();
}

std::string summary_of(std::size_t steps) {
  return Json{{"steps", steps}, {"comment", std::string(100 + steps % 50, 'x')}}.dump();
}

std::string read_text(hid_t file, const char* name) {
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), &H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), &H5Tclose);
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return "unreadable";
  return text.substr(0, text.find('\0'));
}

/// Reads `count` rows from `first` on, `stride` apart; fails the test if they are not what was
/// written.
void check_rows(hid_t data, hsize_t first, hsize_t stride, hsize_t count) {
  const hsize_t start[] = {first, 0}, strides[] = {stride, 1}, counts[] = {count, 2};
  const Hdf5Handle space(H5Dget_space(data), &H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, strides, counts, nullptr);
  const Hdf5Handle memory(H5Screate_simple(2, counts, nullptr), &H5Sclose);
  std::vector<double> values(2 * count);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), 0);
  for (hsize_t k = 0; k < values.size(); ++k) {
    const hsize_t row = first + k / 2 * stride;
    if (values[k] == value_at(row, k % 2)) continue;
    ADD_FAILURE() << "row " << row << " holds " << values[k];
    break;
  }
}

/// Fails the test if the file is not the beginning of what was written. Returns the number of rows.
/// @param every  read the last rows, and of the others each of this number
std::size_t check_file(hid_t file, hsize_t every = 1) {
  EXPECT_GE(file, 0) << "the file cannot be opened";
  if (file < 0) return 0;
  EXPECT_NO_THROW(parse_json(read_text(file, "summary")));
  EXPECT_EQ(read_text(file, "model"), origin.model_text);
  check_events(file);
  const Hdf5Handle data(H5Dopen2(file, "timeseries/data", H5P_DEFAULT), &H5Dclose);
  const Hdf5Handle space(H5Dget_space(data), &H5Sclose);
  hsize_t size[2] = {0, 0};
  H5Sget_simple_extent_dims(space, size, nullptr);
  const hsize_t last = std::min<hsize_t>(size[0], 120);
  if (last > 0) check_rows(data, size[0] - last, 1, last);
  if (size[0] >= every) check_rows(data, 0, every, size[0] / every);
  return size[0];
}

std::size_t check_path(const std::filesystem::path& path) {
  return check_file(Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose));
}

/// The disk as the observer sees it, page by page.
class Disk {
 public:
  void write(std::uint64_t address, std::span<const unsigned char> bytes) {
    constexpr std::size_t page = 4096;
    if (bytes.empty()) queue_.push_back({address, {}});
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), page - address % page);
      queue_.push_back({address, {bytes.begin(), bytes.begin() + static_cast<long>(count)}});
      bytes = bytes.subspan(count);
      address += count;
    }
  }

  /// Lets the queued pages arrive; with `check`, opens the file after each that changes it.
  void arrive(bool check) {
    for (const auto& [address, bytes] : queue_) {
      const bool changes = arrive(address, bytes);
      if (check && changes) rows_ = check_image();
      if (testing::Test::HasFailure()) break;
    }
    queue_.clear();
  }
  std::size_t rows() const { return rows_; }
  std::size_t events() const { return events_; }

 private:
  bool arrive(std::uint64_t address, const std::vector<unsigned char>& bytes) {
    const std::size_t size =
        bytes.empty() ? address : std::max(image_.size(), address + bytes.size());
    const bool grows = size != image_.size();
    image_.resize(size);
    const auto place = image_.begin() + static_cast<long>(address);
    if (!grows && std::equal(bytes.begin(), bytes.end(), place)) return false;
    std::copy(bytes.begin(), bytes.end(), place);
    return true;
  }

  std::size_t check_image() {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_core(access, 1 << 20, 0);
    H5Pset_file_image(access, image_.data(), image_.size());
    const Hdf5Handle file(H5Fopen("image", H5F_ACC_RDONLY, access), &H5Fclose);
    const std::size_t rows = check_file(file, 50), events = read_events(file).size();
    EXPECT_GE(rows, rows_) << "rows got lost";
    EXPECT_GE(events, events_) << "events got lost";
    events_ = events;
    return rows;
  }

  std::vector<std::pair<std::uint64_t, std::vector<unsigned char>>> queue_;
  std::vector<unsigned char> image_;
  std::size_t rows_ = 0, events_ = 0;
};

TEST(Hdf5Writer, RowsReadBack) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  Hdf5Writer writer(path, two_columns, origin, "{}");
  EXPECT_EQ(check_path(path), 0U);
  for (std::size_t i = 0; i < 30000; ++i) write_row(writer, i);
  writer.flush("{}");
  EXPECT_EQ(check_path(path), 30000U);
  for (std::size_t i = 30000; i < 30003; ++i) write_row(writer, i);
  writer.close("{\"status\": \"completed\"}");
  EXPECT_EQ(check_path(path), 30003U);

  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
  EXPECT_EQ(read_text(file, "summary"), "{\"status\": \"completed\"}");
}

TEST(Hdf5Writer, EventsReadBack) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  Hdf5Writer writer(path, two_columns, origin, "{}");
  for (std::size_t i = 0; i < 5000; ++i) writer.write(event_at(i));
  writer.flush("{}");
  {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
    EXPECT_EQ(check_events(file), 5000U);
  }
  writer.write(event_at(5000));
  writer.close("{}");
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
  EXPECT_EQ(check_events(file), 5001U);
}

TEST(Hdf5Writer, EventsAreThereWithoutAny) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  Hdf5Writer(path, two_columns, origin, "{}").close("{}");
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
  EXPECT_EQ(check_events(file), 0U);
}

TEST(Hdf5Writer, TextLongerThanTheSummaryIsCut) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "results.h5", two_columns, origin, "{}");
  writer.close(std::string(200000, 'x'));
  const Hdf5Handle file(H5Fopen((directory / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                        &H5Fclose);
  EXPECT_EQ(read_text(file, "summary").size(), 65536U);
}

// Every state that the disk goes through is a complete file: checked after each page that is
// written, over the growth of the chunks' B-tree to three levels.
TEST(Hdf5Writer, EveryStateOnTheDiskIsReadable) {
  const TemporaryDirectory directory;
  Disk disk;
  const auto observer = [&](std::uint64_t address, std::span<const unsigned char> bytes) {
    disk.write(address, bytes);
  };
  Hdf5Writer writer(directory / "results.h5", two_columns, origin, "{}",
                    {.chunk_bytes = 16, .observer = observer});
  disk.arrive(false);                 // the file gets its name after the first flush
  constexpr std::size_t rows = 9500;  // each is a chunk; 100 are in a node of the B-tree
  std::size_t events = 0;             // as well; their B-tree grows to two levels
  for (std::size_t i = 0; i < rows && !HasFailure(); ++i) {
    write_row(writer, i);
    if (i % 5 < 2 && (i < 600 || i > 9300)) writer.write(event_at(events++));
    const bool early = i<300, late = i> 8900 && i % 90 < 15;  // the second and the third level
    if (i % 30 != 0 && !early && !late) continue;
    writer.flush(summary_of(i));
    disk.arrive(early || late);
  }
  const ModeTable modes{.columns = two_columns.channels, .values = {1, 2, 3, 4}};
  writer.write_modes(modes);
  writer.close(summary_of(rows));
  disk.arrive(true);
  EXPECT_EQ(disk.rows(), rows);
  EXPECT_GT(events, 200U);
  EXPECT_EQ(disk.events(), events);
}

/// Writes rows and flushes until it is killed.
[[noreturn]] void write_for_ever(const std::filesystem::path& path) {
  Hdf5Writer writer(path, two_columns, origin, "{}", {.chunk_bytes = 64});
  for (std::size_t i = 0, events = 0;; ++i) {
    write_row(writer, i);
    if (i % 7 == 0) writer.write(event_at(events++));
    if (i % 3 == 0) writer.flush(summary_of(i));
  }
}

/// The processor time that a child has used, µs; it does not depend on other programs.
double processor_time(pid_t child) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

/// Whether a condition came true while the child ran.
bool wait_until(const std::function<bool()>& condition, pid_t child) {
  while (!condition()) {
    if (::waitpid(child, nullptr, WNOHANG) != 0) return false;
    ::usleep(100);
  }
  return true;
}

TEST(Hdf5Writer, FileIsReadableAfterKill) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  std::mt19937 generator(1);
  std::uniform_int_distribution<unsigned> microseconds(0, 20000);
  std::size_t rows = 0;
  for (int kill_number = 0; kill_number < 100 && !HasFailure(); ++kill_number) {
    std::filesystem::remove(path);
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(path);
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(path); }, child));
    const double end = processor_time(child) + microseconds(generator);
    ASSERT_TRUE(wait_until([&] { return processor_time(child) >= end; }, child));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    rows += check_path(path);
  }
  EXPECT_GT(rows, 1000U);
}

TEST(Hdf5Writer, FailureNamesTheFile) {
  try {
    const Hdf5Writer writer("/dev/null/results.h5", two_columns, origin, "{}");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/null/results.h5"), std::string::npos);
  }
}

}  // namespace result_hdf5_test
}  // namespace saltus::io
