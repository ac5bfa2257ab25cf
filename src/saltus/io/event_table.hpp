// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/hdf5_handle.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

struct EventColumn {
  const char* name;
  const char* unit;
};

/// The columns of events, in files of every kind.
inline constexpr std::array<EventColumn, 14> event_columns = {{{"time", "s"},
                                                               {"contact", ""},
                                                               {"kind", ""},
                                                               {"order", "1"},
                                                               {"impulse_n", "N s"},
                                                               {"impulse_t1", "N s"},
                                                               {"impulse_t2", "N s"},
                                                               {"before_n", "m/s"},
                                                               {"before_t1", "m/s"},
                                                               {"before_t2", "m/s"},
                                                               {"after_n", "m/s"},
                                                               {"after_t1", "m/s"},
                                                               {"after_t2", "m/s"},
                                                               {"energy_lost", "J"}}};

std::vector<std::string> event_column_names();
std::vector<std::string> event_column_units();

void write_event(CsvWriter& file, const EventRow& event);

/// Events as rows of HDF5: one compound value each, without gaps, texts of fixed length.
class EventRecord {
 public:
  /// @param name_bytes  length of the longest contact's name; longer ones are cut
  explicit EventRecord(std::size_t name_bytes);

  Hdf5Handle type() const;
  /// Valid until the next call.
  std::span<const char> pack(const EventRow& event);

 private:
  std::size_t name_bytes_;
  std::vector<char> row_;
};

}  // namespace saltus::io
