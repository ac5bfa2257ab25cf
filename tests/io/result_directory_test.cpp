// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/result_directory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/result_info.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace result_directory_test {

constexpr const char* pendulum = R"({"saltus": 1, "model": {
  "bodies": [{"name": "bob", "type": "rigid", "pose": {"position": [1, 0, 0]},
              "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.1}}],
  "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0, 0],
              "axis": [0, 1, 0]}]},
  "simulation": {"end_time": 0.1, "integrator": {"type": "generalized_alpha", "step": 0.01}}})";

constexpr const char* hanging = R"({"saltus": 1, "model": {
  "bodies": [{"name": "bob", "type": "rigid", "pose": {"position": [0, 0, -1],
              "rotation_vector": [0, 0, 1.5707963267948966]},
              "inertia": {"type": "explicit", "mass": 2, "moments": [1e-3, 2e-3, 3e-3]}}],
  "joints": [{"name": "pin", "type": "revolute", "bodies": ["ground", "bob"], "at": [0, 0, 0],
              "axis": [0, 1, 0]}]},
  "simulation": {"type": "modes", "count": 3}})";

constexpr const char* ball = R"({"saltus": 1, "model": {
  "bodies": [{"name": "ball", "type": "point_mass", "mass": 2, "pose": {"position": [0, 0, 0.1]}}],
  "colliders": [{"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "point"}},
                {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}}],
  "contacts": [{"name": "bounce", "between": ["floor", "skin"], "restitution": 0.5}]},
  "simulation": {"end_time": 1,
                 "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}}})";

class ResultDirectoryTest : public testing::Test {
 protected:
  RunReport run(const char* text, const std::string& model = "a.json",
                ForeignFiles policy = ForeignFiles::Refuse) {
    const ModelFile file = parse_model(text, model);
    Simulation simulation(file.model, file.simulation);
    ResultDirectory results(path, {.model = model, .model_hash = file.hash, .model_text = text},
                            policy);
    return simulation.run(&results);
  }

  std::string refusal(const std::string& model) {
    try {
      run(model == "b.json" ? hanging : pendulum, model);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  void put(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(path);
    std::ofstream(path / name) << text;
  }

  TemporaryDirectory directory;
  std::filesystem::path path = directory / "deep/out";
};

TEST_F(ResultDirectoryTest, HoldsTheFilesOfARun) {
  run(pendulum);
  const ResultInfo info = read_result_info(path);
  EXPECT_EQ(info.status, "completed");
  EXPECT_EQ(info.model, "a.json");
  EXPECT_EQ(info.model_hash, parse_model(pendulum, "").hash);
  EXPECT_EQ(info.steps, 10);
  EXPECT_DOUBLE_EQ(info.end_time, 0.1);
  EXPECT_EQ(info.columns.front(), "time");
  EXPECT_EQ(info.columns.back(), "energy.residual");
  std::vector<std::string> names;
  for (const ResultFile& file : info.files) names.push_back(file.name);
  EXPECT_EQ(names, (std::vector<std::string>{"summary.json", "timeseries.csv", "events.csv",
                                             "results.h5"}));
  const std::string rows = text_of(path / "timeseries.csv");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 12);
  EXPECT_EQ(text_of(path / "events.csv"),
            "time,contact,kind,order,impulse_n,impulse_t1,impulse_t2,before_n,before_t1,before_t2,"
            "after_n,after_t1,after_t2,energy_lost\n");
}

std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

TEST_F(ResultDirectoryTest, HoldsTheEvents) {
  const RunReport report = run(ball);
  const auto rows = rows_of(text_of(path / "events.csv"));
  ASSERT_GE(rows.size(), 3U);
  long impacts = 0;
  double lost = 0, time = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    ASSERT_EQ(rows[i].size(), 14U);
    EXPECT_EQ(rows[i][1], "bounce");
    EXPECT_GE(std::stod(rows[i][0]), time);
    time = std::stod(rows[i][0]);
    if (rows[i][2] != "impact") continue;
    ++impacts;
    lost += std::stod(rows[i][13]);
    // The impulse on the second collider, the ball, turns it round and carries it over the step.
    const double change = std::stod(rows[i][10]) - std::stod(rows[i][7]);
    EXPECT_NEAR(std::stod(rows[i][4]), 2 * (change + 9.81 * 1e-3), 1e-9);
  }
  EXPECT_EQ(impacts, report.impacts);
  // The ledger also has the normal work of steps without an impact, of second order.
  EXPECT_NEAR(lost, report.energy.impact_loss, 1e-4 * lost);
  const ResultInfo info = read_result_info(path);
  EXPECT_EQ(info.impacts, impacts);
  EXPECT_EQ(info.events, static_cast<long>(rows.size()) - 1);
  EXPECT_EQ(info.max_penetration, report.max_penetration);
}

TEST_F(ResultDirectoryTest, TwoRunsGiveTheSameBytes) {
  run(pendulum);
  const std::string first = text_of(path / "timeseries.csv");
  run(pendulum);
  EXPECT_EQ(text_of(path / "timeseries.csv"), first);
}

TEST_F(ResultDirectoryTest, WhatWasThereGoesWhenARunBegins) {
  run(pendulum);
  const std::string before = text_of(path / "summary.json");
  const ResultDirectory results(path, {.model = "a.json"});
  EXPECT_EQ(text_of(path / "summary.json"), before);
  EXPECT_TRUE(std::filesystem::exists(path / "timeseries.csv"));
}

TEST_F(ResultDirectoryTest, ADirectoryInUseIsRefusedWithItsHolder) {
  {
    const ResultDirectory results(path, {.model = "a.json"});
    const std::string message = refusal("a.json");
    EXPECT_NE(message.find(": is in use by another run (process " + std::to_string(::getpid())),
              std::string::npos)
        << message;
  }
  EXPECT_EQ(refusal("a.json"), "") << "who had it has gone";
  EXPECT_FALSE(std::filesystem::exists(path / ".lock"));
}

TEST_F(ResultDirectoryTest, WhatAnInterruptedRunLeftIsKept) {
  const ModelFile file = parse_model(pendulum, "a.json");
  {
    Simulation simulation(file.model, file.simulation);
    ResultDirectory results(path, {.model = "a.json", .model_hash = file.hash});
    simulation.on_step([](const Progress& p) { return p.steps < 5; });
    EXPECT_EQ(simulation.run(&results).status, RunStatus::Interrupted);
  }
  const std::string before = text_of(path / "timeseries.csv");
  EXPECT_NE(refusal("a.json").find("holds what an interrupted run of a.json has computed"),
            std::string::npos);
  EXPECT_EQ(text_of(path / "timeseries.csv"), before);
  run(pendulum, "a.json", ForeignFiles::Overwrite);
  EXPECT_EQ(read_result_info(path).status, "completed");
}

// Files of one name are told apart by where they are, without saying where.
TEST_F(ResultDirectoryTest, TheSameModelIsNotTheSameName) {
  const ResultLayout layout{.channels = {{.name = "time"}}};
  const auto begun = [&](const std::string& model, const std::string& source,
                         const std::string& hash) {
    try {
      ResultDirectory(path, {.model = model, .model_hash = hash, .source = source}).begin(layout);
    } catch (const FileError&) {
      return false;
    }
    return true;
  };
  EXPECT_TRUE(begun("a.json", "here", "1"));
  EXPECT_TRUE(begun("a.json", "here", "2")) << "the file was changed";
  EXPECT_FALSE(begun("a.json", "there", "3")) << "another file of this name";
  EXPECT_TRUE(begun("b.json", "there", "2")) << "a copy";
}

TEST_F(ResultDirectoryTest, ARunThatIsNotFinishedIsInterrupted) {
  run(pendulum);
  const ModelFile file = parse_model(pendulum, "a.json");
  const Simulation simulation(file.model, file.simulation);
  ResultDirectory results(path, {.model = "a.json"});
  results.begin({.channels = {{.name = "time"}}});
  const ResultInfo info = read_result_info(path);
  EXPECT_EQ(info.status, "interrupted");
  EXPECT_EQ(info.steps, 0);
  EXPECT_EQ(text_of(path / "timeseries.csv").find("bob"), std::string::npos)
      << "from the run before";
}

TEST_F(ResultDirectoryTest, RefusesResultsOfAnotherModel) {
  run(pendulum);
  const std::string before = text_of(path / "summary.json");
  EXPECT_EQ(refusal("b.json"),
            path.string() +
                ": holds the results of another model, a.json (completed, 10 steps); choose "
                "another directory with -o, or replace them with --overwrite");
  EXPECT_EQ(text_of(path / "summary.json"), before);
  run(pendulum, "b.json", ForeignFiles::Overwrite);
  EXPECT_EQ(read_result_info(path).model, "b.json");
}

TEST_F(ResultDirectoryTest, RefusesFilesThatItDidNotWrite) {
  put("timeseries.csv", "precious");
  EXPECT_NE(refusal("a.json").find("Saltus did not write (timeseries.csv)"), std::string::npos);
  EXPECT_EQ(text_of(path / "timeseries.csv"), "precious");
  std::filesystem::remove(path / "timeseries.csv");
  for (const char* text : {"", "[1]", "{\"status\": \"fine\"}", "{\"model\": 3}"}) {
    put("summary.json", text);
    EXPECT_NE(refusal("a.json").find("(summary.json)"), std::string::npos) << text;
    EXPECT_EQ(text_of(path / "summary.json"), text);
  }
}

TEST_F(ResultDirectoryTest, KeepsOtherFiles) {
  put("notes.txt", "mine");
  EXPECT_EQ(refusal("a.json"), "");
  EXPECT_EQ(text_of(path / "notes.txt"), "mine");
}

TEST_F(ResultDirectoryTest, NamesAPathThatCannotBeADirectory) {
  put("file", "x");
  path = path / "file";
  EXPECT_EQ(refusal("a.json"), path.string() + ": cannot be made a directory: Not a directory");
  path = path / "below";
  EXPECT_EQ(refusal("a.json"), path.string() + ": cannot be made a directory: Not a directory");
}

// The bob is turned by 90° about z: its own axis −x, about which it rotates, is the inertial y...
// the shape in the file must show the inertial one.
TEST_F(ResultDirectoryTest, ModesAreInInertialAxes) {
  const RunReport report = run(hanging);
  ASSERT_EQ(report.modes.size(), 1U);
  std::istringstream text(text_of(path / "modes.csv"));
  std::string header, line;
  std::getline(text, header);
  std::getline(text, line);
  EXPECT_EQ(header,
            "mode,frequency,angular_frequency,growth_rate,bob.translation.x,bob.translation.y,"
            "bob.translation.z,bob.rotation.x,bob.rotation.y,bob.rotation.z");
  std::vector<double> row;
  std::istringstream numbers(line);
  for (std::string word; std::getline(numbers, word, ',');) row.push_back(std::stod(word));
  ASSERT_EQ(row.size(), 10U);
  const double inertia = 2 + 1e-3;  // m l² and the moment about the body's x
  EXPECT_NEAR(row[2], std::sqrt(2 * 9.81 / inertia), 1e-9);
  EXPECT_NEAR(std::abs(row[8]), 1 / std::sqrt(inertia), 1e-9);
  EXPECT_NEAR(row[4], -row[8], 1e-9);  // δx = δθ_y × (0, 0, −1)
  for (const int zero : {5, 6, 7, 9}) EXPECT_NEAR(row[static_cast<std::size_t>(zero)], 0, 1e-9);
  EXPECT_EQ(read_result_info(path).frequencies.size(), 1U);
  run(pendulum);
  EXPECT_FALSE(std::filesystem::exists(path / "modes.csv")) << "from the run before";
}

}  // namespace result_directory_test
}  // namespace saltus
