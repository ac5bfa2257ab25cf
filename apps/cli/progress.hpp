// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace saltus::cli {

/// Tells on stdout how far a run is: one line that is redrawn in place on a terminal, now and then
/// a line otherwise. Short runs show nothing.
class Progress {
 public:
  /// @param is_motion  whether time is simulated time (not a load factor)
  /// @param label      what the line begins with
  Progress(bool quiet, bool is_motion, std::string label = {});

  void show(double time, double fraction);
  /// Removes the line from the terminal; the next `show` draws it again.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  std::string text(double time, double fraction, double elapsed) const;
  void draw(std::string line);

  bool quiet_;
  bool is_motion_;
  std::string label_;
  bool is_terminal_;
  bool is_drawn_ = false;
  Clock::time_point start_, last_;
};

/// Seconds as people write them: "0.8 s", "12 s", "3 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);

}  // namespace saltus::cli
