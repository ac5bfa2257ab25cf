// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/vtk_export.hpp"

#include <gtest/gtest.h>

#include "saltus/io/model_file.hpp"
#include "saltus/io/result_directory.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus {
namespace vtk_export_test {

// What is in the files is compared with VTK's own reader in tests/cli/test_export.py.
class VtkExportTest : public testing::Test {
 protected:
  void run(const std::string& example, std::vector<std::string> settings) {
    const ModelFile file = read_model_file(
        std::filesystem::path(SALTUS_SOURCE_DIR) / "examples" / (example + ".json"), settings);
    Simulation simulation(file.model, file.simulation);
    ResultDirectory results(path, {.model = example,
                                   .model_hash = file.hash,
                                   .model_text = write_model(file.model, file.simulation)});
    simulation.run(&results);
  }
  bool has(const std::string& name) const { return std::filesystem::exists(path / "vtk" / name); }

  TemporaryDirectory directory;
  std::filesystem::path path = directory / "out";
};

TEST_F(VtkExportTest, WritesTheSeriesThatThereAre) {
  run("bouncing_ball_force", {"/simulation/end_time=0.01"});
  const VtkInfo info = write_vtk(path, 4);
  EXPECT_EQ(info.series, (std::vector<std::string>{"bodies.pvd", "frames.pvd", "contacts.pvd"}));
  EXPECT_EQ(info.rows, 4U);  // 0, 4, 8 and the last one
  EXPECT_EQ(info.recorded, 11U);
  EXPECT_TRUE(has("frames/000008.vtu"));
  EXPECT_TRUE(has("frames/000010.vtu"));
  EXPECT_FALSE(has("frames/000009.vtu"));
  EXPECT_FALSE(has("beams"));
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(info.path)) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  EXPECT_EQ(info.bytes, bytes);
}

TEST_F(VtkExportTest, ReplacesItsOwnFilesOnly) {
  run("bouncing_ball_force", {"/simulation/end_time=0.01"});
  write_vtk(path, 1);
  std::ofstream(path / "vtk" / "view.pvsm") << "mine";
  write_vtk(path, 10);
  EXPECT_FALSE(has("frames/000009.vtu"));
  EXPECT_EQ(text_of(path / "vtk" / "view.pvsm"), "mine");
  remove_vtk(path);
  EXPECT_FALSE(has("frames.pvd"));
  EXPECT_FALSE(has("frames"));
  EXPECT_EQ(text_of(path / "vtk" / "view.pvsm"), "mine");
}

TEST_F(VtkExportTest, SaysWhatItCannotDraw) {
  run("flexible_pendulum", {"/simulation/end_time=0.01", "/simulation/record/flexible=\"bodies\""});
  const VtkInfo info = write_vtk(path);
  ASSERT_EQ(info.notes.size(), 1U);
  EXPECT_EQ(info.notes[0].find("not drawn: rod;"), 0U);
  // The wall is there; the contact is not, for nobody knows where the tip was.
  EXPECT_EQ(info.series, (std::vector<std::string>{"bodies.pvd"}));
}

TEST_F(VtkExportTest, TellsOfContactsWithoutPoints) {
  run("bouncing_ball_force",
      {"/simulation/end_time=0.01", "/simulation/record/contacts=\"totals\""});
  const VtkInfo info = write_vtk(path);
  ASSERT_EQ(info.notes.size(), 1U);
  EXPECT_EQ(info.notes[0].find("no points: bounce;"), 0U);
}

TEST_F(VtkExportTest, OfWhatIsNoResultIsRefused) {
  EXPECT_THROW(write_vtk(directory / "nothing"), FileError);
  EXPECT_FALSE(std::filesystem::exists(directory / "nothing"));
}

}  // namespace vtk_export_test
}  // namespace saltus
