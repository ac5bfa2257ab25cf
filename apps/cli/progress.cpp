// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace saltus::cli {
namespace {

constexpr std::chrono::milliseconds redraw_interval(100);
constexpr std::chrono::seconds line_interval(5);

std::size_t terminal_width() {
  winsize size{};
  const bool known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const long whole = std::lround(std::min(seconds, 1e12));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

Progress::Progress(bool quiet, bool is_motion, std::string label)
    : quiet_(quiet),
      is_motion_(is_motion),
      label_(std::move(label)),
      is_terminal_(::isatty(STDOUT_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

void Progress::show(double time, double fraction) {
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < (is_terminal_ ? Clock::duration(redraw_interval) : line_interval)) return;
  last_ = now;
  draw(text(time, fraction, std::chrono::duration<double>(now - start_).count()));
}

std::string Progress::text(double time, double fraction, double elapsed) const {
  std::string line = fmt::format("{}{:3.0f} %", label_, std::floor(100 * fraction));
  if (is_motion_) line += fmt::format("  t = {:.4g} s  {:.3g} s/s", time, time / elapsed);
  if (fraction > 0) line += "  ETA " + duration_text(elapsed * (1 - fraction) / fraction);
  return line;
}

void Progress::draw(std::string line) {
  if (is_terminal_) {
    line.resize(std::min(line.size(), terminal_width() - 1));
    std::fputs(("\r\x1b[K" + line).c_str(), stdout);
    is_drawn_ = true;
  } else {
    std::puts(line.c_str());
  }
  std::fflush(stdout);
}

void Progress::erase() {
  if (!is_drawn_) return;
  std::fputs("\r\x1b[K", stdout);
  std::fflush(stdout);
  is_drawn_ = false;
}

}  // namespace saltus::cli
