// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "apps/cli/commands.hpp"
#include "apps/cli/standard_streams.hpp"
#include "saltus/core/input_error.hpp"
#include "saltus/core/version.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus::cli {
namespace {

constexpr const char* example = R"(Example:
  saltus check pendulum.json
  saltus run pendulum.json -o pendulum-fine --set /simulation/integrator/step=1e-4
  saltus info pendulum-fine
  saltus report pendulum-fine

Exit codes: 0 done, 1 verify missed a number, 2 the input is wrong, 3 the solver gave up, 4 a file
could not be read or written, 130 interrupted.)";

constexpr const char* setting_help =
    "change a value of the model file before reading it, e.g. /simulation/end_time=5; may be given "
    "several times";

constexpr const char* export_example = R"(Example:
  saltus export --vtk pendulum-fine --every 10
  paraview pendulum-fine/vtk/bodies.pvd
  saltus export pendulum-fine --csv bob.position,energy -o bob.csv

Series, as far as the model has such things: bodies.pvd, frames.pvd, beams.pvd, solids.pvd,
contacts.pvd. What was exported before from the same directory is replaced.)";

struct Arguments {
  RunArguments run;
  ResumeArguments resume;
  std::string report_directory;
  std::string check_model;
  std::vector<std::string> check_settings;
  std::string info_path;
  CompareArguments compare;
  ConvergeArguments converge;
  ExportArguments exported;
  VerifyArguments verify;
  SweepArguments sweep;
  PlotArguments plot;
  ReplayArguments replay;
  BundleArguments bundle;
};

void add_setting_option(CLI::App* command, std::vector<std::string>& settings) {
  command->add_option("--set", settings, setting_help)
      ->type_name("POINTER=VALUE")
      ->allow_extra_args(false);
}

/// A number that a whole text is, if it is one and finite.
std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(value);
  return is_number ? std::optional(value) : std::nullopt;
}

CLI::Validator positive() {
  return {[](const std::string& text) -> std::string {
            const std::optional<double> value = number_of(text);
            if (value && *value > 0) return {};
            return fmt::format("must be a number > 0, got {}", text);
          },
          ""};
}

/// Letters for powers of 1000, or with an i after them of 1024; the B at the end may be left out.
CLI::Validator size_in_bytes() {
  return {[](std::string& text) -> std::string {
            const std::size_t digits = text.find_last_of("0123456789.") + 1;
            std::string unit;
            for (const char c : text.substr(digits)) {
              if (c != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            }
            if (!unit.empty() && unit.back() == 'B') unit.pop_back();
            const bool is_binary = unit.size() == 2 && unit[1] == 'I';
            if (is_binary) unit.pop_back();
            constexpr std::string_view letters = "KMGT";
            const std::size_t power = unit.empty() ? 0 : letters.find(unit) + 1;
            const std::optional<double> count = number_of(text.substr(0, digits));
            const bool is_known = unit.size() <= 1 && (unit.empty() || power > 0);
            const double bytes = count && is_known ? *count * std::pow(is_binary ? 1024.0 : 1000.0,
                                                                       static_cast<double>(power))
                                                   : 0;
            if (!(bytes >= 1 && bytes < 1e18)) {
              return fmt::format("must be a size like 500MB, 0.5GB or 4GiB, got {}", text);
            }
            text = fmt::format("{:.0f}", bytes);
            return {};
          },
          ""};
}

void add_limits(CLI::App* command, RunLimits& limits) {
  command
      ->add_option("--checkpoint", limits.checkpoint_seconds,
                   "wall time from one checkpoint to the next; as the model says if not given")
      ->type_name("SECONDS")
      ->check(positive());
  command
      ->add_option("--max-wall", limits.wall_seconds,
                   "stop after this time with a checkpoint; saltus resume goes on")
      ->type_name("SECONDS")
      ->check(positive());
  command
      ->add_option("--max-memory", limits.memory_bytes,
                   "stop when the program uses so much memory, e.g. 4GB, with a checkpoint")
      ->type_name("SIZE")
      ->transform(size_in_bytes());
  static const std::map<std::string, StepWish> capsules = {
      {"none", StepWish::None}, {"failed", StepWish::Failed}, {"inaccurate", StepWish::Inaccurate}};
  command
      ->add_option("--capsules", limits.capsules,
                   "steps kept for saltus replay: none, failed (the one at which the run gives up; "
                   "if not given), inaccurate (the first 20 that are halved or inaccurate, too)")
      ->type_name("WHICH")
      ->transform(CLI::CheckedTransformer(capsules).description(""));
}

void add_resume(CLI::App& app, ResumeArguments& arguments) {
  CLI::App* resume = app.add_subcommand(
      "resume", "go on with a run that was stopped, from its last checkpoint: the same results");
  resume->add_option("directory", arguments.directory, "result directory")
      ->required()
      ->type_name("DIR");
  resume
      ->add_option("--end-time", arguments.end_time,
                   "go on to this time instead of the model's; a complete run becomes longer")
      ->type_name("T")
      ->check(positive());
  resume->add_option("--threads", arguments.threads, "threads to use; as before if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  resume->add_flag("--quiet", arguments.quiet, "print nothing but errors");
  add_limits(resume, arguments.limits);
}

void add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App* run = app.add_subcommand("run", "simulate a model and write the results");
  run->add_option("model", arguments.model, "model file")->required()->type_name("MODEL.json");
  run->add_option("-o,--output", arguments.output,
                  "directory for the results; <model>-out in the current directory if not given")
      ->type_name("DIR");
  add_setting_option(run, arguments.settings);
  run->add_option("--threads", arguments.threads, "threads to use")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  run->add_flag("--quiet", arguments.quiet, "print nothing but errors");
  run->add_flag("--overwrite", arguments.overwrite,
                "replace what is in DIR even if it came from another model or was interrupted");
  add_limits(run, arguments.limits);
}

void add_compare(CLI::App& app, CompareArguments& arguments) {
  CLI::App* compare = app.add_subcommand(
      "compare", "say where two results agree, their first difference, and draw them together");
  compare->add_option("first", arguments.first, "result directory")->required()->type_name("DIR_A");
  compare->add_option("second", arguments.second, "another")->required()->type_name("DIR_B");
  compare->add_option("-o,--output", arguments.output, "page to write; compare.html if not given")
      ->type_name("FILE.html");
  compare
      ->add_option("--tolerance", arguments.tolerance,
                   "part of a quantity's range below which a difference is none; 1e-3 if not given")
      ->type_name("X")
      ->check(CLI::Range(0.0, 1.0).description(""));
}

void add_converge(CLI::App& app, ConvergeArguments& arguments) {
  CLI::App* converge = app.add_subcommand(
      "converge", "run a model with h, h/2, ...: observed order, estimate and error of the end");
  converge->add_option("model", arguments.model, "model file")->required()->type_name("MODEL.json");
  converge
      ->add_option("-o,--output", arguments.output,
                   "directory for convergence.json and a page; <model>-converge if not given")
      ->type_name("DIR");
  converge
      ->add_option("--halvings", arguments.halvings, "how often the step is halved; 2 if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 20).description(""));
  converge
      ->add_option("--columns", arguments.columns,
                   "columns of timeseries.csv, or beginnings such as top.position; places of all "
                   "bodies if not given")
      ->type_name("A,B")
      ->delimiter(',');
  add_setting_option(converge, arguments.settings);
  converge->add_flag("--quiet", arguments.quiet, "no progress");
}

void add_export(CLI::App& app, ExportArguments& arguments) {
  CLI::App* exporter =
      app.add_subcommand("export", "write results for other programs: ParaView, tables");
  CLI::Option* vtk = exporter
                         ->add_option("--vtk", arguments.vtk,
                                      "result directory; time series for ParaView go to DIR/vtk")
                         ->type_name("DIR");
  CLI::Option* csv =
      exporter
          ->add_option("--csv", arguments.columns,
                       "columns, or beginnings such as ball.position, of the directory that is "
                       "named besides: a table of them")
          ->type_name("A,B")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->excludes(vtk);
  exporter->add_option("directory", arguments.directory, "result directory, with --csv")
      ->type_name("DIR")
      ->needs(csv);
  exporter
      ->add_option("-o,--output", arguments.output, "of the table; DIR/columns.csv if not given")
      ->type_name("FILE.csv")
      ->needs(csv);
  exporter
      ->add_option("--every", arguments.every,
                   "write one of N recorded rows, and the last one; all if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000'000).description(""));
  exporter->footer(export_example);
}

void add_plot(CLI::App& app, PlotArguments& arguments) {
  CLI::App* plot = app.add_subcommand("plot", "draw columns of results: a picture in SVG");
  plot->add_option("words", arguments.words,
                   "result directories, then columns, or beginnings such as ball.position")
      ->required()
      ->type_name("DIR... COLUMN...");
  plot->add_option("-o,--output", arguments.output, "picture; plot.svg if not given")
      ->type_name("FILE.svg");
  plot->add_option("--x", arguments.x, "column along x; the time if not given")
      ->type_name("COLUMN");
  plot->add_option("--from", arguments.from, "first time that is drawn, s")->type_name("T");
  plot->add_option("--to", arguments.to, "last time that is drawn, s")->type_name("T");
  plot->add_flag("--equal", arguments.is_equal,
                 "one unit is as long along x as along y: paths and orbits");
}

void add_verify(CLI::App& app, VerifyArguments& arguments) {
  CLI::App* verify =
      app.add_subcommand("verify", "run examples and compare with exact or published numbers");
  verify->add_option("names", arguments.names, "models to check; all if none is given")
      ->type_name("NAME");
  verify->add_flag("--list", arguments.list,
                   "run nothing; list the checks, with the reasons for their tolerances");
  verify
      ->add_flag("--json", arguments.json,
                 "list as JSON, with units and sources, and with what is known of other runs")
      ->needs("--list");
  verify
      ->add_flag("--sensitivity", arguments.sensitivity,
                 "change each physical parameter by a tenth, and say which checks notice it")
      ->excludes("--list");
  verify
      ->add_option("--examples", arguments.examples,
                   "directory of the models; the shipped examples if not given")
      ->type_name("DIR");
}

void add_sweep(CLI::App& app, SweepArguments& arguments) {
  CLI::App* sweep = app.add_subcommand(
      "sweep", "run the cases of a study: many variants of a model; what is there is kept");
  sweep->add_option("study", arguments.study, "study file")->required()->type_name("STUDY.json");
  sweep
      ->add_option("-o,--output", arguments.output,
                   "directory for the cases; <study>-out in the current directory if not given")
      ->type_name("DIR");
  sweep->add_option("--jobs", arguments.jobs, "processes; as many as there are cores if not given")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  sweep
      ->add_option("--shard", arguments.shard,
                   "the i-th of n parts of the cases, i from 1; all parts into the same DIR")
      ->type_name("i/n");
  sweep->add_flag("--quiet", arguments.quiet, "print nothing but errors");
}

void add_replay(CLI::App& app, ReplayArguments& arguments) {
  CLI::App* replay = app.add_subcommand(
      "replay", "solve a step that failed again, by other methods and options; say what works");
  replay->add_option("file", arguments.file, "DIR/capsule that saltus run has left")
      ->required()
      ->type_name("FILE");
  replay->add_option("--seconds", arguments.seconds, "that each trial may take; 60 if not given")
      ->type_name("S")
      ->check(positive());
}

void add_bundle(CLI::App& app, BundleArguments& arguments) {
  CLI::App* bundle = app.add_subcommand(
      "bundle", "make one file of a run, with its model, for a report of what went wrong");
  bundle->add_option("directory", arguments.directory, "result directory")
      ->required()
      ->type_name("DIR");
  bundle
      ->add_option("-o,--output", arguments.output,
                   "file to write; <DIR>.tar in the current directory if not given")
      ->type_name("FILE.tar");
  bundle->add_flag("--all", arguments.everything, "large files too, and tables as they are");
}

void add_commands(CLI::App& app, Arguments& arguments) {
  add_run(app, arguments.run);
  add_resume(app, arguments.resume);
  CLI::App* check = app.add_subcommand("check", "read and validate a model, compute nothing");
  check->add_option("model", arguments.check_model, "model file")
      ->required()
      ->type_name("MODEL.json");
  add_setting_option(check, arguments.check_settings);
  app.add_subcommand("schema", "print the JSON Schema of model files");
  CLI::App* info = app.add_subcommand("info", "say what is in a model file or a result directory");
  info->add_option("path", arguments.info_path, "model file or result directory")
      ->required()
      ->type_name("FILE_OR_DIR");
  add_compare(app, arguments.compare);
  add_converge(app, arguments.converge);
  add_export(app, arguments.exported);
  add_verify(app, arguments.verify);
  add_sweep(app, arguments.sweep);
  add_plot(app, arguments.plot);
  add_replay(app, arguments.replay);
  add_bundle(app, arguments.bundle);
  CLI::App* report =
      app.add_subcommand("report", "write report.html: the motion in 3-D, curves and events");
  report->add_option("directory", arguments.report_directory, "result directory")
      ->required()
      ->type_name("DIR");
}

int dispatch(const CLI::App& app, const Arguments& arguments) {
  int code = Done;
  if (app.got_subcommand("run")) {
    code = run_command(arguments.run);
  } else if (app.got_subcommand("resume")) {
    code = resume_command(arguments.resume);
  } else if (app.got_subcommand("check")) {
    code = check_command(arguments.check_model, arguments.check_settings);
  } else if (app.got_subcommand("report")) {
    code = report_command(arguments.report_directory);
  } else if (app.got_subcommand("export")) {
    code = export_command(arguments.exported);
  } else if (app.got_subcommand("schema")) {
    code = schema_command();
  } else if (app.got_subcommand("info")) {
    code = info_command(arguments.info_path);
  } else if (app.got_subcommand("converge")) {
    code = converge_command(arguments.converge);
  } else if (app.got_subcommand("compare")) {
    code = compare_command(arguments.compare);
  } else if (app.got_subcommand("sweep")) {
    code = sweep_command(arguments.sweep);
  } else if (app.got_subcommand("plot")) {
    code = plot_command(arguments.plot);
  } else if (app.got_subcommand("replay")) {
    code = replay_command(arguments.replay);
  } else if (app.got_subcommand("bundle")) {
    code = bundle_command(arguments.bundle);
  } else {
    code = verify_command(arguments.verify);
  }
  finish_output();
  return code;
}

/// Whether the first word is no command; says which one may be meant.
bool reports_unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), word) != names.end()) return false;
  const std::string nearest = nearest_name(word, names);
  say(stderr, "saltus: there is no command \"{}\"; {}\n", word,
      nearest.empty() ? fmt::format("the commands are {}", fmt::join(names, ", "))
                      : fmt::format("did you mean \"{}\"?", nearest));
  return true;
}

int parse_and_run(CLI::App& app, Arguments& arguments, int count, char** words) {
  if (count < 2) {
    say(stderr, "saltus: which command?\n\n{}", app.help());
    return WrongInput;
  }
  if (words[1][0] != '-' && reports_unknown_command(app, words[1])) return WrongInput;
  try {
    app.parse(count, words);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    say(stderr, "saltus: {}\nsaltus --help and saltus COMMAND --help tell more\n", error.what());
    return WrongInput;
  }
  return dispatch(app, arguments);
}

int run_program(int count, char** words) {
  Arguments arguments;
  CLI::App app("Saltus: nonsmooth dynamics of flexible multibody systems", "saltus");
  app.set_version_flag("--version", std::string("saltus ") + version());
  app.require_subcommand(1);
  app.footer(example);
  add_commands(app, arguments);
  try {
    return parse_and_run(app, arguments, count, words);
  } catch (const InputError& error) {
    say(stderr, "{}\n", error.what());
    return WrongInput;
  } catch (const FileError& error) {
    say(stderr, "{}\n", error.what());
    return FileFailure;
  } catch (const std::bad_alloc&) {
    say(stderr, "saltus: not enough memory for this model on this machine\n");
    return GaveUp;
  } catch (const std::exception& error) {
    say(stderr, "saltus: internal error: {}\n", error.what());
    return InternalError;
  }
}

}  // namespace
}  // namespace saltus::cli

// What is thrown is printed; only printing itself may fail.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int count, char** words) {
  saltus::cli::reserve_standard_descriptors();
  return saltus::cli::run_program(count, words);
}
