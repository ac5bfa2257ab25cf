// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "saltus/simulation/result_sink.hpp"

namespace saltus::cli {

/// What the program returns to the shell.
enum ExitCode {
  Done = 0,
  Missed = 1,  ///< a reference number of `verify`
  InternalError = 1,
  WrongInput = 2,   ///< nothing was written but the message
  GaveUp = 3,       ///< the solver; results up to there are complete
  FileFailure = 4,  ///< a file could not be read or written
  Interrupted = 130
};

/// What a run may use, and how often it writes down where it is.
struct RunLimits {
  std::optional<double> wall_seconds = {};
  std::optional<std::uint64_t> memory_bytes = {};
  std::optional<double> checkpoint_seconds = {};  ///< none: as the model says
  StepWish capsules = StepWish::Failed;           ///< steps that are kept
};

struct RunArguments {
  std::string model = {};
  std::string output = {};  ///< empty: `<stem>-out` in the current directory
  std::vector<std::string> settings = {};
  int threads = 1;
  bool quiet = false;
  bool overwrite = false;
  RunLimits limits = {};
};

struct ResumeArguments {
  std::string directory = {};
  std::optional<double> end_time = {};  ///< none: that of the model
  std::optional<int> threads = {};      ///< none: as before
  bool quiet = false;
  RunLimits limits = {};
};

struct VerifyArguments {
  std::vector<std::string> names = {};  ///< of models; empty: all
  std::string examples = {};            ///< directory; empty: the shipped one
  bool list = false;
  bool json = false;         ///< lists all that is known as JSON
  bool sensitivity = false;  ///< which parameters the checks notice
};

struct SweepArguments {
  std::string study = {};
  std::string output = {};  ///< empty: `<stem>-out` in the current directory
  int jobs = 0;             ///< processes; 0: as many as there are cores
  std::string shard = {};   ///< "i/n": every n-th case from the i-th on; empty: all
  bool quiet = false;
};

struct CompareArguments {
  std::string first = {}, second = {};  ///< result directories
  std::string output = "compare.html";
  double tolerance = 1e-3;
};

struct ConvergeArguments {
  std::string model = {};
  std::string output = {};  ///< empty: `<stem>-converge` in the current directory
  std::vector<std::string> settings = {};
  std::vector<std::string> columns = {};  ///< empty: the places of all bodies
  int halvings = 2;
  bool quiet = false;
};

struct ExportArguments {
  std::string vtk = {};  ///< result directory
  std::size_t every = 1;
  std::string directory = {};             ///< with columns
  std::vector<std::string> columns = {};  ///< for a table
  std::string output = {};                ///< of it; empty: columns.csv in the directory
};

struct PlotArguments {
  std::vector<std::string> words = {};  ///< result directories, then columns
  std::string x = {};                   ///< column; empty: the time
  std::string output = "plot.svg";
  std::optional<double> from = {}, to = {};
  bool is_equal = false;
};

struct ReplayArguments {
  std::string file = {};  ///< a capsule
  double seconds = 60;    ///< that a trial may take, wall time
};

struct BundleArguments {
  std::string directory = {};
  std::string output = {};  ///< empty: <directory>.tar in the current directory
  bool everything = false;
};

// Each command returns an exit code, or throws InputError or FileError.
int run_command(const RunArguments& arguments);
int resume_command(const ResumeArguments& arguments);
int check_command(const std::string& model, const std::vector<std::string>& settings);
int report_command(const std::string& directory);
int export_command(const ExportArguments& arguments);
int schema_command();
int info_command(const std::string& path);
int converge_command(const ConvergeArguments& arguments);
int compare_command(const CompareArguments& arguments);
int verify_command(const VerifyArguments& arguments);
int plot_command(const PlotArguments& arguments);
int replay_command(const ReplayArguments& arguments);
int bundle_command(const BundleArguments& arguments);
int sweep_command(const SweepArguments& arguments);

}  // namespace saltus::cli
