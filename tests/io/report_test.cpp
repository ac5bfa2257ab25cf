// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/result_directory.hpp"
#include "tests/io/report_page.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace {

// A ball is thrown on the floor and bounces; its frame is not at its centre of mass.
constexpr const char* thrown = R"({"saltus": 1, "model": {
  "bodies": [{"name": "ball", "type": "rigid", "pose": {"position": [0.02, 0, 0.3]},
              "velocity": {"linear": [1, 0, 0]},
              "inertia": {"type": "explicit", "mass": 2, "moments": [0.008, 0.008, 0.008],
                          "centre_of_mass": [-0.02, 0, 0]}}],
  "joints": [{"name": "plane", "type": "lock", "body": "ball", "rotation": ["x", "y", "z"]}],
  "colliders": [{"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
                {"name": "skin", "frame": {"body": "ball", "position": [-0.02, 0, 0]},
                 "shape": {"type": "sphere", "radius": 0.1}}],
  "contacts": [{"name": "bounce", "between": ["floor", "skin"], "restitution": 0.5,
                "friction": 0.2}]},
  "simulation": {"end_time": 1,
                 "integrator": {"type": "nonsmooth_generalized_alpha", "step": 1e-3}}})";

class ReportTest : public testing::Test {
 protected:
  void run(const std::string& text, const std::string& name = "a.json") {
    const ModelFile file = parse_model(text, name);
    Simulation simulation(file.model, file.simulation);
    ResultDirectory results(path,
                            {.model = name,
                             .model_hash = file.hash,
                             .model_text = write_model(file.model, file.simulation)},
                            simulation);
    simulation.run(&results);
  }
  Page report() {
    const ReportInfo info = write_report(path);
    EXPECT_EQ(info.bytes, std::filesystem::file_size(info.path));
    return Page(text_of(info.path));
  }

  TemporaryDirectory directory;
  std::filesystem::path path = directory / "out";
};

TEST_F(ReportTest, HasTheNumbersOfTheRun) {
  run(thrown);
  const Page page = report();
  EXPECT_EQ(page.header["rows"], 1001);
  EXPECT_EQ(page.header["notes"], Json::array());
  const io::Hdf5Reader file(path / "results.h5");
  std::vector<double> rows;
  file.read_rows(0, file.rows(), rows);
  for (std::size_t j = 0; j < file.columns().size(); ++j) {
    const std::vector<double> shown = page.column(file.columns()[j].name);
    ASSERT_EQ(shown.size(), file.rows()) << file.columns()[j].name;
    for (std::size_t i = 0; i < file.rows(); ++i) {
      const double value = rows[i * file.columns().size() + j];
      EXPECT_NEAR(shown[i], value, 1e-7 * std::abs(value) + 1e-37) << file.columns()[j].name;
    }
  }
}

TEST_F(ReportTest, ContactsAreMarkedWhereTheyTouch) {
  run(thrown);
  const Page page = report();
  const Json& contacts = page.header["contacts"];
  EXPECT_EQ(contacts["points"][0]["bodies"], Json::array({-1, 0}));
  const std::vector<double> first = page.array(contacts["first"]), x = page.array(contacts["x"]),
                            z = page.array(contacts["z"]), up = page.array(contacts["impulse_z"]);
  const std::vector<double> body = page.column("ball.position.x"),
                            impulse = page.column("bounce.impulse.z");
  ASSERT_EQ(first.size(), body.size() + 1);
  std::size_t marks = 0;
  for (std::size_t row = 0; row < body.size(); ++row) {
    const auto end = static_cast<std::size_t>(first[row + 1]);
    for (auto k = static_cast<std::size_t>(first[row]); k < end; ++k, ++marks) {
      EXPECT_NEAR(x[k], body[row] - 0.02, 1e-6);  // below the centre, not below the frame
      EXPECT_NEAR(z[k], 0, 1e-3);                 // after a bounce the ball is above the floor
      EXPECT_FLOAT_EQ(static_cast<float>(up[k]), static_cast<float>(impulse[row]));
    }
  }
  EXPECT_GT(marks, 100U);
  // Every impulse has its mark.
  EXPECT_NEAR(std::accumulate(up.begin(), up.end(), 0.0),
              std::accumulate(impulse.begin(), impulse.end(), 0.0), 1e-5);
}

TEST_F(ReportTest, EventsPushTheSecondBodyOffTheFirst) {
  run(thrown);
  const Page page = report();
  const Json& events = page.header["events"];
  const std::vector<double> kind = page.array(events["kind"]), up = page.array(events["impulse_z"]),
                            along = page.array(events["impulse_x"]),
                            n = page.array(events["impulse_n"]),
                            t = page.array(events["impulse_t1"]);
  ASSERT_FALSE(kind.empty());
  EXPECT_EQ(events["total"], kind.size());
  EXPECT_EQ(kind.front(), 0);  // an impact
  EXPECT_GT(up.front(), 0);
  for (std::size_t i = 0; i < kind.size(); ++i) {
    EXPECT_NEAR(up[i], n[i], 1e-6);
    EXPECT_NEAR(along[i], t[i], 1e-6);
  }
}

TEST_F(ReportTest, TheSecondBodyMayBeTheGround) {
  std::string swapped = thrown;
  const std::string order = R"(["floor", "skin"])";
  swapped.replace(swapped.find(order), order.size(), R"(["skin", "floor"])");
  run(swapped);
  const Page page = report();
  EXPECT_EQ(page.header["contacts"]["points"][0]["bodies"], Json::array({0, -1}));
  const Json& events = page.header["events"];
  const std::vector<double> down = page.array(events["impulse_z"]),
                            n = page.array(events["impulse_n"]);
  ASSERT_FALSE(n.empty());
  EXPECT_LT(down.front(), 0);
  for (std::size_t i = 0; i < n.size(); ++i) EXPECT_NEAR(down[i], -n[i], 1e-6);
}

TEST_F(ReportTest, EventsOfContactsWithVeryManyPointsHaveTheirPlaces) {
  // 46 spheres have 1035 pairs, too many to be listed; the last two run into each other.
  Json bodies = Json::array(), colliders = Json::array();
  for (int i = 0; i < 46; ++i) {
    const double speed = i == 44 ? 1 : i == 45 ? -1 : 0;
    bodies.push_back({{"name", "ball" + std::to_string(i)},
                      {"type", "rigid"},
                      {"inertia", {{"type", "solid_sphere"}, {"mass", 1}, {"radius", 0.1}}},
                      {"pose", {{"position", {0.25 * i, 0, 1}}}},
                      {"velocity", {{"linear", {speed, 0, 0}}}}});
    colliders.push_back({{"name", "skin" + std::to_string(i)},
                         {"frame", {{"body", "ball" + std::to_string(i)}}},
                         {"shape", {{"type", "sphere"}, {"radius", 0.1}}}});
  }
  const Json model{
      {"saltus", 1},
      {"model",
       {{"gravity", {0, 0, 0}},
        {"bodies", bodies},
        {"colliders", colliders},
        {"contacts", {{{"name", "all"}, {"between", {"skin*", "skin*"}}, {"restitution", 1}}}}}},
      {"simulation",
       {{"end_time", 0.05},
        {"integrator", {{"type", "nonsmooth_generalized_alpha"}, {"step", 1e-3}}}}}};
  run(model.dump());
  const Page page = report();
  EXPECT_EQ(page.header["contacts"]["points"], Json::array());
  const Json& events = page.header["events"];
  ASSERT_EQ(events["contact"]["names"], Json::array({"all.skin44.skin45.0"}));
  EXPECT_NEAR(page.array(events["x"]).front(), 44.5 * 0.25, 2e-3);  // a step of 1 ms at 1 m/s
  EXPECT_NEAR(page.array(events["z"]).front(), 1, 1e-6);
  EXPECT_NEAR(page.array(events["impulse_x"]).front(), 2, 1e-6);  // 2 m v on the second
}

TEST_F(ReportTest, SceneSaysWhereThingsAreOnTheirBodies) {
  run(thrown);
  const Json scene = report().header["scene"];
  EXPECT_EQ(scene["bodies"][0]["name"], "ball");
  EXPECT_EQ(scene["bodies"][0]["shape"]["type"], "links");
  EXPECT_EQ(scene["shapes"][0]["type"], "half_space");
  EXPECT_EQ(scene["shapes"][0]["on"]["body"], -1);
  EXPECT_EQ(scene["shapes"][1]["radius"], 0.1);
  const Json at = scene["shapes"][1]["on"]["at"];
  EXPECT_NEAR(at[0].get<double>(), -0.02, 1e-15);  // from the body's frame, which is recorded
}

TEST_F(ReportTest, SaysWhatCannotBeDrawn) {
  const std::string text =
      text_of(std::filesystem::path(SALTUS_SOURCE_DIR) / "examples/flexible_pendulum.json");
  const auto notes_with = [&](const char* detail) {
    Json model = Json::parse(text);
    model["simulation"]["end_time"] = 0.01;
    model["simulation"]["record"]["flexible"] = detail;
    run(model.dump());
    return report().header["notes"];
  };
  EXPECT_EQ(notes_with("all"), Json::array());
  const Json notes = notes_with("bodies");
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes[0].get<std::string>().find("Not drawn: "), 0U);
}

TEST_F(ReportTest, NoTextOfAModelEndsTheScript) {
  run(thrown, "a<!--</script><script>.json");
  const ReportInfo info = write_report(path);
  const std::string page = text_of(info.path);
  EXPECT_EQ(page.find("</script><script>.json"), std::string::npos);
  EXPECT_EQ(Page(page).header["summary"]["model"], "a<!--</script><script>.json");
}

TEST_F(ReportTest, OfWhatIsNoResultIsRefused) {
  EXPECT_THROW(write_report(directory / "nothing"), FileError);
  std::filesystem::create_directories(path);
  std::ofstream(path / "summary.json") << "{}";
  EXPECT_THROW(write_report(path), FileError);
}

TEST_F(ReportTest, OfASolidFromAFileNeedsNoMeshFile) {
  const std::string text =
      text_of(std::filesystem::path(SALTUS_SOURCE_DIR) / "examples/sliding_wedge.json");
  const std::vector<std::string> settings = {"/simulation/end_time=0.01"};
  const ModelFile file =
      parse_model(text, std::string(SALTUS_SOURCE_DIR) + "/examples/a.json", settings);
  {
    Simulation simulation(file.model, file.simulation);
    ResultDirectory results(path,
                            {.model = "a.json",
                             .model_hash = file.hash,
                             .model_text = write_model(file.model, file.simulation),
                             .meshes = meshes_from_files(file.model)},
                            simulation);
    simulation.run(&results);
  }
  const Page page = report();
  const Json& body = page.header["scene"]["bodies"][0];
  const std::vector<double> triangles = page.array(body["triangles"]),
                            surface = page.array(body["surface"]);
  ASSERT_FALSE(triangles.empty());
  EXPECT_EQ(*std::max_element(triangles.begin(), triangles.end()) + 1,
            static_cast<double>(surface.size()));
  // Same mesh, bit by bit.
  const std::map<std::string, Mesh> stored = io::Hdf5Reader(path / "results.h5").meshes();
  const std::map<std::string, Mesh> given = meshes_from_files(file.model);
  ASSERT_EQ(stored.size(), given.size());
  const Mesh &a = stored.begin()->second, &b = given.begin()->second;
  EXPECT_EQ(stored.begin()->first, given.begin()->first);
  EXPECT_EQ(a.nodes, b.nodes);
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    EXPECT_EQ(a.cells[i].kind, b.cells[i].kind);
    EXPECT_EQ(a.cells[i].nodes, b.cells[i].nodes);
  }
  ASSERT_EQ(a.sets.size(), b.sets.size());
  for (std::size_t i = 0; i < a.sets.size(); ++i) {
    EXPECT_EQ(a.sets[i].name, b.sets[i].name);
    EXPECT_EQ(a.sets[i].nodes, b.sets[i].nodes);
  }
}

}  // namespace
}  // namespace saltus
