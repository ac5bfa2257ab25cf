// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/event_table.hpp"
#include "saltus/io/hdf5_handle.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// The columns of contact forces, in files of every kind.
inline constexpr std::array<EventColumn, 20> force_columns = {{{"time", "s"},
                                                               {"contact", ""},
                                                               {"kind", ""},
                                                               {"order", "1"},
                                                               {"impulse_n", "N s"},
                                                               {"continuous_force", "N"},
                                                               {"impact_force", "N"},
                                                               {"total_force", "N"},
                                                               {"approach_speed", "m/s"},
                                                               {"duration", "s"},
                                                               {"peak_force", "N"},
                                                               {"peak_indentation", "m"},
                                                               {"peak_pressure", "Pa"},
                                                               {"semi_axis_a", "m"},
                                                               {"semi_axis_b", "m"},
                                                               {"shear_stress", "Pa"},
                                                               {"shear_depth", "m"},
                                                               {"octahedral_stress", "Pa"},
                                                               {"octahedral_depth", "m"},
                                                               {"depends_on_step", "1"}}};

/// Those of the histories within impacts: the row of the impact in the contact forces, and a
/// sample.
inline constexpr std::array<EventColumn, 5> history_columns = {
    {{"row", "1"}, {"time", "s"}, {"indentation", "m"}, {"rate", "m/s"}, {"force", "N"}}};

std::vector<std::string> names_of(std::span<const EventColumn> columns);
std::vector<std::string> units_of(std::span<const EventColumn> columns);

/// What does not apply is an empty cell.
void write_force(CsvWriter& file, const ForceRow& row);

/// Contact forces as rows of HDF5: one compound value each, without gaps, texts of fixed length.
class ForceRecord {
 public:
  /// @param name_bytes  length of the longest contact's name; longer ones are cut
  explicit ForceRecord(std::size_t name_bytes);

  Hdf5Handle type() const;
  /// Valid until the next call.
  std::span<const char> pack(const ForceRow& row);

 private:
  std::size_t name_bytes_;
  std::vector<char> row_;
};

Hdf5Handle history_type();
/// All samples of an impact, as rows one after the other.
std::vector<char> pack_history(std::int64_t row, std::span<const ImpactSample> history);

}  // namespace saltus::io
