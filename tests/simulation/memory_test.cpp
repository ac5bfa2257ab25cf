// SPDX-License-Identifier: Apache-2.0
// A simulation that loads the memory of another one goes on with the same bits.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::memory_test {

struct Case {
  const char* example;
  double end;                        ///< s
  const char* integrator = nullptr;  ///< null: that of the example
};

constexpr const char* moreau_jean = R"({"type": "moreau_jean", "step": 1e-3})";
constexpr const char* generalized_alpha = R"({"type": "generalized_alpha", "step": 1e-3})";
constexpr const char* event_driven = R"({"type": "event_driven", "step": 1e-3})";

std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.example; }

ModelFile file_of(const Case& c) {
  std::vector<std::string> settings = {fmt::format("/simulation/end_time={}", c.end)};
  if (c.integrator != nullptr) {
    settings.push_back(fmt::format("/simulation/integrator={}", c.integrator));
  }
  return read_model_file(
      std::filesystem::path(SALTUS_SOURCE_DIR) / "examples" / (std::string(c.example) + ".json"),
      settings);
}

/// Row i of the result, as bytes.
std::string_view row_bytes(const Result& result, std::size_t i) {
  const std::size_t width = result.columns().size();
  return {reinterpret_cast<const char*>(result.values().get() + i * width), width * sizeof(double)};
}

class Memory : public testing::TestWithParam<Case> {};

TEST_P(Memory, AFreshSimulationGoesOnWithTheSameBits) {
  const ModelFile file = file_of(GetParam());
  const double middle = 0.4 * GetParam().end, end = GetParam().end;
  Simulation whole(file.model, file.simulation);
  whole.run_until(middle);
  const Archive::Bytes saved = whole.save();
  const std::size_t before = whole.result().rows();
  const std::size_t events_before = whole.result().events().size();
  const RunReport last = whole.run_until(end);

  Simulation fresh(file.model, file.simulation);
  fresh.load(saved);
  const RunReport report = fresh.run_until(end);

  ASSERT_EQ(before + fresh.result().rows(), whole.result().rows());
  ASSERT_GT(fresh.result().rows(), 0U);
  for (std::size_t i = 0; i < fresh.result().rows(); ++i) {
    ASSERT_EQ(row_bytes(fresh.result(), i), row_bytes(whole.result(), before + i)) << "row " << i;
  }
  ASSERT_EQ(events_before + fresh.result().events().size(), whole.result().events().size());
  EXPECT_EQ(fresh.save(), whole.save());
  EXPECT_EQ(report.steps, last.steps);
  EXPECT_EQ(report.impacts, last.impacts);
  EXPECT_EQ(report.warnings, last.warnings);
  EXPECT_EQ(report.energy.residual(), last.energy.residual());
}

INSTANTIATE_TEST_SUITE_P(
    Examples, Memory,
    testing::Values(Case{"four_bar", 0.2}, Case{"driven_joint", 0.2},
                    Case{"bouncing_ball_force", 0.6}, Case{"ball_bearing", 0.01},
                    Case{"clearance_slider_crank_010", 0.004}, Case{"pile_100", 0.05},
                    Case{"flexible_rod_clearance", 0.004}, Case{"billiard_break", 0.05},
                    Case{"box_stack", 0.1}, Case{"sphere_roll_slide_1", 0.2},
                    Case{"box_dropped_corner", 0.4, moreau_jean},
                    Case{"four_bar", 0.2, generalized_alpha}, Case{"rocking_specimen_1", 0.5},
                    Case{"block_surface_force", 0.3}, Case{"box_dropped_corner", 0.5, event_driven},
                    Case{"newtons_cradle", 0.3}, Case{"gyroscope_bushing", 0.05}));

TEST(MemoryOfASimulation, ThereIsNoneBeforeTheFirstStep) {
  const ModelFile file = file_of({"four_bar", 0.2});
  Simulation simulation(file.model, file.simulation);
  EXPECT_THROW(simulation.save(), InputError);
}

Archive::Bytes saved_by(const ModelFile& file) {
  Simulation simulation(file.model, file.simulation);
  simulation.run_until(0.01);
  return simulation.save();
}

TEST(MemoryOfASimulation, ThatOfAnotherModelIsRefused) {
  const ModelFile file = file_of({"bouncing_ball", 0.2});
  const Archive::Bytes saved = saved_by(file);
  const auto refuses = [&](const char* setting, const char* example = "bouncing_ball") {
    const std::string settings[] = {setting};
    const ModelFile other = read_model_file(
        std::filesystem::path(SALTUS_SOURCE_DIR) / "examples" / (std::string(example) + ".json"),
        settings);
    Simulation simulation(other.model, other.simulation);
    try {
      simulation.load(saved);
    } catch (const InputError& error) {
      return std::string(error.what()).find("another model") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refuses("/simulation/end_time=0.2", "four_bar"));
  EXPECT_TRUE(refuses("/model/contacts/0/restitution=0.123"));
  EXPECT_TRUE(refuses("/model/bodies/0/mass=0.123"));
  EXPECT_TRUE(refuses("/simulation/integrator/step=0.5e-3"));
  EXPECT_FALSE(refuses("/simulation/end_time=0.3")) << "it may go on for longer";
}

TEST(MemoryOfASimulation, ARefusedOneLeavesTheSimulationAsItWas) {
  const ModelFile file = file_of({"bouncing_ball", 0.2});
  const Archive::Bytes other = saved_by(file_of({"four_bar", 0.2}));
  Simulation simulation(file.model, file.simulation);
  simulation.run_until(0.05);
  const Archive::Bytes before = simulation.save();
  EXPECT_THROW(simulation.load(other), InputError);
  EXPECT_THROW(simulation.load(Archive::Bytes(3)), InputError) << "too short to be one";
  EXPECT_EQ(simulation.save(), before);
  simulation.run_until(0.1);
  EXPECT_EQ(simulation.state().time, 0.1);
}

// As docs/guide/cpp.md says it.
TEST(MemoryOfASimulation, GoesThroughAFile) {
  const ModelFile model = file_of({"bouncing_ball", 0.2});
  const Archive::Bytes memory = saved_by(model);
  const std::string path = testing::TempDir() + "saltus_memory_test.bin";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(memory.data()),
             static_cast<std::streamsize>(memory.size()));
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  Archive::Bytes back(static_cast<std::size_t>(file.tellg()));
  file.seekg(0).read(reinterpret_cast<char*>(back.data()),
                     static_cast<std::streamsize>(back.size()));
  std::remove(path.c_str());
  Simulation simulation(model.model, model.simulation);
  simulation.load(back);
  EXPECT_EQ(simulation.save(), memory);
}

TEST(MemoryOfASimulation, ResultsBeginAfterTheLoadedTime) {
  const ModelFile file = file_of({"bouncing_ball", 0.2});
  Simulation fresh(file.model, file.simulation);
  fresh.load(saved_by(file));
  EXPECT_EQ(fresh.result().rows(), 0U);
  EXPECT_EQ(fresh.state().time, 0.01);
  fresh.run_until(0.02);
  EXPECT_NEAR(fresh.result().values().get()[0], 0.011, 1e-12);
}

// A listener that stops a run and lets it go on changes nothing, not even the times of the steps.
TEST(MemoryOfASimulation, AStoppedRunGoesOnAsIfNothingHadBeen) {
  const ModelFile file = file_of({"four_bar", 0.3});
  Simulation whole(file.model, file.simulation), stopped(file.model, file.simulation);
  whole.run_until(0.3);
  long steps = 0;
  stopped.on_step([&](const Progress&) { return ++steps % 7 != 0; });
  while (stopped.run_until(0.3).status == RunStatus::Interrupted) {
  }
  ASSERT_EQ(stopped.result().rows(), whole.result().rows());
  for (std::size_t i = 0; i < whole.result().rows(); ++i) {
    ASSERT_EQ(row_bytes(stopped.result(), i), row_bytes(whole.result(), i)) << "row " << i;
  }
}

}  // namespace saltus::memory_test
