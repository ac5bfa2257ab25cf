// SPDX-License-Identifier: Apache-2.0
// Contact forces in the two kinds of files: the same names, rows and values.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/io/force_table.hpp"
#include "saltus/io/hdf5_text.hpp"
#include "saltus/io/result_directory.hpp"
#include "saltus/simulation/force_recovery.hpp"
#include "saltus/simulation/simulation.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::io {
namespace result_forces_test {

using Table = std::vector<std::vector<std::string>>;

Table rows_of(const std::string& text) {
  Table rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::string::size_type from = 0;
    for (auto comma = line.find(','); comma != std::string::npos; comma = line.find(',', from)) {
      rows.back().push_back(line.substr(from, comma - from));
      from = comma + 1;
    }
    rows.back().push_back(line.substr(from));
  }
  return rows;
}

/// A ball that bounces until it rests, with stresses.
Model bouncing_ball() {
  Model model;
  const BodyId ball = model.add(RigidBody{
      .name = "ball", .inertia = solid_sphere(1, 0.1), .pose = {.position = Vector3(0, 0, 0.105)}});
  model.add(Collider{.name = "skin", .frame = at(ball), .shape = Sphere{0.1}});
  model.add(Collider{.name = "floor", .frame = at(model.ground()), .shape = HalfSpace{}});
  model.add(Contact{.name = "touch",
                    .between = {"floor", "skin"},
                    .restitution = 0.5,
                    .friction = 0.2,
                    .young_modulus = 2e7});
  return model;
}

/// A table of results.h5, read member by member.
class FileTable {
 public:
  FileTable(const std::filesystem::path& path, const char* name)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose),
        data_(H5Dopen2(file_, name, H5P_DEFAULT), &H5Dclose) {
    const Hdf5Handle space(H5Dget_space(data_), &H5Sclose);
    EXPECT_EQ(H5Sget_simple_extent_dims(space, &rows_, nullptr), 1) << name;
  }

  std::size_t rows() const { return rows_; }
  std::vector<std::string> names() const {
    const Hdf5Handle type(H5Dget_type(data_), &H5Tclose);
    std::vector<std::string> names;
    for (int i = 0; i < H5Tget_nmembers(type); ++i) {
      char* name = H5Tget_member_name(type, static_cast<unsigned>(i));
      names.emplace_back(name);
      H5free_memory(name);
    }
    return names;
  }
  std::vector<double> numbers(const std::string& name) const {
    std::vector<double> values(rows_);
    read(name, H5T_NATIVE_DOUBLE, sizeof(double), values.data());
    return values;
  }
  std::vector<std::string> texts(const std::string& name) const {
    constexpr std::size_t length = 16;
    std::vector<char> bytes(rows_ * length);
    read(name, text_type(length), length, bytes.data());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::string padded(bytes.data() + i * length, length);
      texts.push_back(padded.substr(0, padded.find('\0')));
    }
    return texts;
  }

 private:
  void read(const std::string& name, hid_t member, std::size_t size, void* values) const {
    const Hdf5Handle type(H5Tcreate(H5T_COMPOUND, size), &H5Tclose);
    H5Tinsert(type, name.c_str(), 0, member);
    EXPECT_GE(H5Dread(data_, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0) << name;
  }

  Hdf5Handle file_, data_;
  hsize_t rows_ = 0;
};

class ForceFiles : public testing::Test {
 protected:
  void SetUp() override {
    Simulation simulation(
        bouncing_ball(),
        Dynamics{.end_time = 0.4, .integrator = NonsmoothGeneralizedAlpha{.step = 1e-3}});
    ResultDirectory results(directory / "out", {.model = "a.json"});
    ASSERT_TRUE(simulation.run(&results).converged());
    csv = rows_of(text_of(directory / "out" / "contact_forces.csv"));
  }
  FileTable table(const char* name) const { return {directory / "out" / "results.h5", name}; }

  TemporaryDirectory directory;
  Table csv;
};

TEST_F(ForceFiles, HaveTheSameNamesAndRows) {
  const FileTable forces = table("contact_forces");
  EXPECT_EQ(forces.names(), names_of(force_columns));
  EXPECT_EQ(csv.at(0), names_of(force_columns));
  EXPECT_EQ(csv.size(), forces.rows() + 1);
  EXPECT_GT(forces.rows(), 100U);
}

TEST_F(ForceFiles, HaveTheSameValues) {
  const FileTable forces = table("contact_forces");
  long impacts = 0, overlapping = 0;
  for (std::size_t c = 0; c < force_columns.size(); ++c) {
    const std::string name = force_columns[c].name;
    const bool is_text = name == "contact" || name == "kind";
    const std::vector<std::string> texts =
        is_text ? forces.texts(name) : std::vector<std::string>(forces.rows());
    const std::vector<double> numbers =
        is_text ? std::vector<double>(forces.rows()) : forces.numbers(name);
    for (std::size_t i = 0; i < forces.rows(); ++i) {
      const std::string& cell = csv[i + 1].at(c);
      if (is_text) {
        EXPECT_EQ(texts[i], cell) << name;
      } else if (cell.empty()) {
        EXPECT_TRUE(std::isnan(numbers[i])) << name;
      } else {
        EXPECT_EQ(numbers[i], std::stod(cell)) << name << ", row " << i;
      }
      if (name == "kind" && cell == "impact") ++impacts;
      if (name == "overlaps" && cell == "1") ++overlapping;
    }
  }
  EXPECT_GE(impacts, 3);
  EXPECT_GE(overlapping, 1);
  EXPECT_LT(overlapping, impacts);
}

TEST_F(ForceFiles, HistoriesBelongToTheirImpacts) {
  const FileTable forces = table("contact_forces"), histories = table("impact_histories");
  EXPECT_EQ(histories.names(), names_of(history_columns));
  const std::vector<double> row = histories.numbers("row"), time = histories.numbers("time"),
                            force = histories.numbers("force"),
                            depth = histories.numbers("indentation");
  const std::vector<double> durations = forces.numbers("duration"),
                            peaks = forces.numbers("peak_force"),
                            deepest = forces.numbers("peak_indentation");
  const std::vector<std::string> kinds = forces.texts("kind");
  constexpr std::size_t samples = ForceRecovery::samples;
  std::size_t impact = 0;
  for (std::size_t i = 0; i < forces.rows(); ++i) {
    if (kinds[i] != "impact") continue;
    const std::size_t first = samples * impact++;
    ASSERT_LE(first + samples, histories.rows());
    double largest = 0, depth_reached = 0;
    for (std::size_t k = first; k < first + samples; ++k) {
      EXPECT_EQ(row[k], static_cast<double>(i));
      largest = std::max(largest, force[k]);
      depth_reached = std::max(depth_reached, depth[k]);
    }
    EXPECT_EQ(time[first], 0);
    EXPECT_NEAR(time[first + samples - 1], durations[i], 1e-12 * durations[i]);
    EXPECT_LE(largest, peaks[i] * (1 + 1e-12));
    EXPECT_GE(largest, 0.98 * peaks[i]);  // samples may miss the peak
    EXPECT_LE(depth_reached, deepest[i] * (1 + 1e-12));
    EXPECT_GE(depth_reached, 0.99 * deepest[i]);
  }
  EXPECT_EQ(histories.rows(), samples * impact);
}

}  // namespace result_forces_test
}  // namespace saltus::io
