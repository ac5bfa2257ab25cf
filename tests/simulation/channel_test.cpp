// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/channel.hpp"

#include <gtest/gtest.h>

#include <set>

#include "saltus/io/model_file.hpp"
#include "saltus/simulation/quantities.hpp"
#include "saltus/simulation/row.hpp"
#include "saltus/simulation/simulation.hpp"

namespace saltus::channel_test {

TEST(Channel, NamesAreOwnerWordAndComponent) {
  std::vector<Channel> channels;
  add_channels({OwnerKind::Run}, quantities::time, channels);
  add_channels({OwnerKind::Bodies, "ball"}, quantities::position, channels);
  add_channels({OwnerKind::Nodes, "rod", 3}, quantities::nodal_stress, channels);
  add_channels({OwnerKind::Points, "bounce"}, quantities::slip, channels);
  add_channels({OwnerKind::Balls, "b", 7}, quantities::inner_load, channels);
  add_channels({OwnerKind::Ledger}, quantities::kinetic, channels);
  std::vector<std::string> names;
  for (const Channel& channel : channels) names.push_back(channel.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"time", "ball.position.x", "ball.position.y",
                                      "ball.position.z", "rod.node3.von_mises", "bounce.slip.t1",
                                      "bounce.slip.t2", "b.ball7.load_inner", "energy.kinetic"}));
  EXPECT_EQ(channels[2].description,
            "place of the body frame's origin, inertial frame, component y");
  EXPECT_EQ(channels[2].component, "y");
  EXPECT_EQ(channels[4].owner, (Owner{OwnerKind::Nodes, "rod", 3}));
}

TEST(Row, ChannelsAreThoseOfTheFirstRowAndValuesThoseOfEach) {
  Row row;
  for (const double x : {1.0, 2.0}) {
    row.put({OwnerKind::Bodies, "a"}, quantities::position, Vector3(x, 2 * x, 3 * x));
    row.put({OwnerKind::Joints, "j"}, quantities::joint_angle, -x);
    const std::span<const double> values = row.end();
    EXPECT_EQ(std::vector<double>(values.begin(), values.end()),
              (std::vector<double>{x, 2 * x, 3 * x, -x}));
    EXPECT_EQ(row.channels().size(), 4U);
  }
}

/// Every example that is quick to set up: all kinds of bodies, joints, contacts and bearings.
class ChannelsOfExamples : public testing::TestWithParam<const char*> {};

TEST_P(ChannelsOfExamples, NoTwoMeanTheSame) {
  const std::filesystem::path examples = std::filesystem::path(SALTUS_SOURCE_DIR) / "examples";
  const ModelFile file = read_model_file(examples / (std::string(GetParam()) + ".json"));
  const Simulation simulation(file.model, file.simulation);
  std::set<std::string> names;
  std::set<std::tuple<Owner, std::string, std::string>> meanings;
  for (const Channel& channel : simulation.layout().channels) {
    EXPECT_TRUE(names.insert(channel.name).second) << channel.name;
    EXPECT_TRUE(meanings.emplace(channel.owner, channel.kind, channel.component).second)
        << channel.name;
    EXPECT_FALSE(channel.unit.empty()) << channel.name;
    EXPECT_FALSE(channel.description.empty()) << channel.name;
    EXPECT_EQ(channel.description.find("{}"), std::string::npos) << channel.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ChannelsOfExamples,
                         testing::Values("bouncing_ball_force", "four_bar", "ball_bearing",
                                         "clearance_slider_crank_010", "pile_100",
                                         "flexible_rod_clearance"));

}  // namespace saltus::channel_test
