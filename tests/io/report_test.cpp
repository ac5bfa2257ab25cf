// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/model_file.hpp"
#include "saltus/io/report_modes.hpp"
#include "saltus/io/report_scene.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/io/stored_run.hpp"
#include "tests/io/report_page.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace report_test {

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
    ResultDirectory results(path, {.model = name,
                                   .model_hash = file.hash,
                                   .model_text = write_model(file.model, file.simulation)});
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
    Json model = io::parse_json(text);
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

// Free bodies of all kinds; a spring holds a node inside of the cube, which has 8 such nodes.
constexpr const char* free_bodies = R"({"saltus": 1, "model": {"gravity": [0, 0, 0],
  "bodies": [{"name": "arm", "type": "rigid", "pose": {"position": [0, 0, 2]},
              "inertia": {"type": "explicit", "mass": 2, "moments": [0.1, 0.2, 0.25],
                          "centre_of_mass": [0.1, 0, 0]}},
             {"name": "bob", "type": "point_mass", "mass": 1, "pose": {"position": [0, 0, 1]}},
             {"name": "rod", "type": "beam", "start": [1, 0, 0], "end": [1, 1, 0], "elements": 2,
              "section": {"type": "circular", "radius": 0.01},
              "material": {"young_modulus": 2e11, "poisson_ratio": 0.3, "density": 7800}},
             {"name": "cube", "type": "solid",
              "mesh": {"type": "box", "size": [0.3, 0.3, 0.3], "divisions": [3, 3, 3]},
              "material": {"young_modulus": 1e6, "poisson_ratio": 0.3, "density": 1000}}],
  "forces": [{"name": "spring", "type": "spring_damper", "stiffness": 100,
              "between": [{"body": "bob"}, {"body": "cube", "node": 21}]}]},
  "simulation": {"type": "modes", "count": 24, "equilibrium": false}})";

/// Where the numbers of a node begin in an array of a mode, by its name in the table of modes.
std::map<std::string, std::size_t> places_of(const Page& page, const std::string& quantity) {
  std::map<std::string, std::size_t> places;
  const Json& scene = page.header["scene"]["bodies"];
  const Json& bodies = page.header["modes"]["bodies"];
  for (std::size_t i = 0; i < scene.size(); ++i) {
    if (!bodies[i].contains(quantity)) continue;
    const std::string name = scene[i]["name"].text(), kind = scene[i]["kind"].text();
    const bool is_single = kind == "rigid" || kind == "point_mass";
    std::vector<double> nodes(scene[i]["nodes"].get<std::size_t>());
    std::iota(nodes.begin(), nodes.end(), 0.0);
    if (bodies[i].contains("nodes")) nodes = page.array(bodies[i]["nodes"]);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const std::string node = ".node" + std::to_string(static_cast<int>(nodes[k]));
      places[(is_single ? name : name + node) + "." + quantity] =
          3 * (bodies[i][quantity].get<std::size_t>() + k);
    }
  }
  return places;
}

/// The largest difference between the shapes in a page and those in the results, over the largest
/// number of each.
double shape_error(const Page& page, const std::filesystem::path& results) {
  const io::Hdf5Reader file(results);
  const std::vector<std::string> names = file.texts("modes/columns");
  const std::vector<double> table = file.matrix("modes/data");
  double error = 0;
  for (const char* quantity : {"translation", "rotation"}) {
    const std::map<std::string, std::size_t> places = places_of(page, quantity);
    const Json& list = page.header["modes"]["list"];
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::vector<double> shown = page.array(list[i][quantity]);
      EXPECT_EQ(shown.size(), 3 * places.size());
      double largest = 0, difference = 0;
      std::size_t found = 0;
      for (std::size_t j = 0; j < names.size(); ++j) {
        const std::string owner = names[j].substr(0, names[j].rfind('.'));
        const auto place = places.find(owner);
        if (place == places.end()) continue;
        const auto c = static_cast<std::size_t>(names[j].back() - 'x');
        const double value = table[i * names.size() + j];
        largest = std::max(largest, std::abs(value));
        difference = std::max(difference, std::abs(shown[place->second + c] - value));
        ++found;
      }
      EXPECT_EQ(found, shown.size());
      if (largest > 0) error = std::max(error, difference / largest);
    }
  }
  return error;
}

TEST_F(ReportTest, HasTheModesOfWhatIsDrawn) {
  run(free_bodies);
  const Page page = report();
  const Json& modes = page.header["modes"];
  EXPECT_EQ(modes["total"], 24);
  ASSERT_EQ(modes["list"].size(), 24U);
  EXPECT_EQ(page.header["notes"], Json::array());
  const Json& summary = page.header["summary"]["modes"];
  for (std::size_t i = 0; i < summary.size(); ++i) {
    EXPECT_EQ(modes["list"][i]["frequency"], summary[i]["frequency"]);
    EXPECT_EQ(modes["list"][i]["growth_rate"], summary[i]["growth_rate"]);
  }
  EXPECT_LT(shape_error(page, path / "results.h5"), 1e-7);  // seven digits
  const std::vector<double> nodes = page.array(modes["bodies"][3]["nodes"]);
  EXPECT_EQ(nodes.size(), 64U - 8U + 1U);  // the surface and the end of the spring
  EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
  EXPECT_TRUE(std::binary_search(nodes.begin(), nodes.end(), 21.0));
  // What is drawn has its place; of what is not there is nothing.
  EXPECT_EQ(page.column("cube.node21.position.x").size(), 1U);
  for (const char* name : {"cube.node22.position.x", "cube.node21.velocity.x",
                           "cube.node21.von_mises", "cube.element0.von_mises"}) {
    EXPECT_TRUE(page.column(name).empty()) << name;
  }
  EXPECT_EQ(page.column("cube.position.x").size(), 1U);
  EXPECT_EQ(page.column("rod.node1.velocity.x").size(), 1U);
}

TEST_F(ReportTest, ModesKeepToTheBudget) {
  run(free_bodies);
  const io::StoredRun stored(path);
  const auto modes_with = [&](const io::ReportBudget& budget, std::vector<std::string>& notes) {
    io::ReportArrays arrays;
    const Json scene = io::make_scene(stored.model.simulated(), stored.system, arrays);
    const io::DrawnNodes drawn = io::drawn_nodes(stored.model.simulated(), stored.system, scene);
    Json modes = io::make_modes(stored.file, stored.system, drawn, budget, arrays, notes);
    return Page({{"scene", scene}, {"modes", std::move(modes)}}, arrays.bytes());
  };
  const std::size_t numbers = 3 * (1 + 1 + 3 + 57) + 3 * (1 + 3);  // of a mode
  std::vector<std::string> notes;
  EXPECT_EQ(modes_with({.bytes = 24 * 4 * numbers}, notes).header["modes"]["list"].size(), 24U);
  EXPECT_EQ(notes.size(), 0U);
  const Page coarse = modes_with({.bytes = 24 * 2 * numbers}, notes);
  EXPECT_EQ(coarse.header["modes"]["list"].size(), 24U);
  EXPECT_EQ(notes.size(), 1U);
  EXPECT_LT(shape_error(coarse, path / "results.h5"), 2.0 / 65535);
  const Page fewer = modes_with({.bytes = 12 * 2 * numbers}, notes);
  EXPECT_EQ(fewer.header["modes"]["list"].size(), 12U);
  EXPECT_EQ(fewer.header["modes"]["total"], 24);
  EXPECT_EQ(notes.size(), 3U);
  EXPECT_EQ(modes_with({.bytes = 1}, notes).header["modes"]["list"].size(), 10U);
}

TEST_F(ReportTest, OfARunInTimeHasNoModes) {
  run(thrown);
  EXPECT_TRUE(report().header["modes"].is_null());
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
    ResultDirectory results(path, {.model = "a.json",
                                   .model_hash = file.hash,
                                   .model_text = write_model(file.model, file.simulation),
                                   .meshes = meshes_from_files(file.model)});
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

}  // namespace report_test
}  // namespace saltus
