// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

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

struct RunArguments {
  std::string model = {};
  std::string output = {};  ///< empty: `<stem>-out` in the current directory
  std::vector<std::string> settings = {};
  int threads = 1;
  bool quiet = false;
  bool overwrite = false;
};

struct VerifyArguments {
  std::vector<std::string> names = {};  ///< of models; empty: all
  std::string examples = {};            ///< directory; empty: the shipped one
  bool list = false;
  bool json = false;         ///< lists all that is known as JSON
  bool sensitivity = false;  ///< which parameters the checks notice
};

struct CompareArguments {
  std::string first = {}, second = {};  ///< result directories
  std::string output = "compare.html";
  double tolerance = 1e-3;
};

struct ExportArguments {
  std::string vtk = {};  ///< result directory
  std::size_t every = 1;
};

// Each command returns an exit code, or throws InputError or FileError.
int run_command(const RunArguments& arguments);
int check_command(const std::string& model, const std::vector<std::string>& settings);
int report_command(const std::string& directory);
int export_command(const ExportArguments& arguments);
int schema_command();
int info_command(const std::string& path);
int compare_command(const CompareArguments& arguments);
int verify_command(const VerifyArguments& arguments);

}  // namespace saltus::cli
