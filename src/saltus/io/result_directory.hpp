// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "saltus/io/checkpoint.hpp"
#include "saltus/io/run_origin.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus {

/// What to do with a directory that holds results of another model or of an interrupted run, or
/// files of somebody else.
enum class ForeignFiles { Refuse, Overwrite };

/// Writes the results of a run to a directory: summary.json, timeseries.csv, events.csv, results.h5
/// and, where contacts have local laws, contact_forces.csv, where insides of impacts are recorded
/// impacts.csv and impact_paths.csv, for a modal analysis modes.csv.
/// Everything is brought to the files at least once a second, so that a killed run leaves what it
/// had; its summary says "interrupted".
/// @throws FileError in every function but the destructor.
class ResultDirectory : public ResultSink {
 public:
  /// Opens the directory, creates it if there is none, and keeps others out of it as long as it
  /// lives. Earlier results of the same model, or of the same file, are replaced when the run
  /// begins; those that an interrupted run has left are not.
  ResultDirectory(std::filesystem::path path, RunOrigin origin,
                  ForeignFiles policy = ForeignFiles::Refuse);
  /// Opens the directory of a run that was stopped, and goes on with its files: begin() cuts them
  /// to what the checkpoint counts.
  ResultDirectory(std::filesystem::path path, RunOrigin origin, const io::Checkpoint& stopped);
  ~ResultDirectory() override;

  /// From now on the run can be resumed.
  /// @param interval  wall time from one checkpoint to the next, s
  void keep_checkpoints(double interval);
  /// Steps that fail are kept as capsules; without this call those at which runs give up.
  void keep_steps(StepWish which);

  void begin(const ResultLayout& layout) override;
  void record(std::span<const double> row) override;
  void event(const EventRow& event) override;
  void force(const ForceRow& row) override;
  void impact(const ImpactRow& row) override;
  void modes(const ModeTable& table) override;
  void update(const RunReport& so_far) override;
  void end(const RunReport& report) override;
  bool wants_memory(MemoryMoment moment) override;
  void memory(const Archive::Bytes& saved, const RunReport& so_far) override;
  StepWish wants_steps() override;
  void capsule(const StepCapsule& step) override;

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace saltus
