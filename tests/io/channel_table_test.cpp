// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/channel_table.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/hdf5_writer.hpp"
#include "saltus/simulation/quantities.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::io {
namespace channel_table_test {

std::vector<Channel> sample() {
  std::vector<Channel> channels;
  add_channels({OwnerKind::Run}, quantities::time, channels);
  add_channels({OwnerKind::Bodies, "ball"}, quantities::position, channels);
  add_channels({OwnerKind::Bodies, "ball"}, quantities::orientation, channels);
  add_channels({OwnerKind::Nodes, "rod", 0}, quantities::node_position, channels);
  add_channels({OwnerKind::Nodes, "rod", 12}, quantities::node_velocity, channels);
  add_channels({OwnerKind::Elements, "rod", 2}, quantities::strain, channels);
  add_channels({OwnerKind::Elements, "rod", 2}, quantities::section_force, channels);
  add_channels({OwnerKind::Points, "k.ball.floor.0"}, quantities::gap, channels);
  add_channels({OwnerKind::Points, "k.ball.floor.0"}, quantities::status, channels);
  add_channels({OwnerKind::Points, "k.ball.floor.0"}, quantities::local_impulse, channels);
  add_channels({OwnerKind::Points, "k.ball.floor.0"}, quantities::point_impulse, channels);
  add_channels({OwnerKind::Joints, "pin"}, quantities::joint_torque, channels);
  add_channels({OwnerKind::Joints, "pin"}, quantities::joint_impulse, channels);
  add_channels({OwnerKind::Contacts, "heap"}, quantities::contact_impulse, channels);
  add_channels({OwnerKind::Contacts, "heap"}, quantities::closed, channels);
  add_channels({OwnerKind::Bearings, "b"}, quantities::cage_speed, channels);
  add_channels({OwnerKind::Balls, "b", 3}, quantities::inner_load, channels);
  add_channels({OwnerKind::Solver}, quantities::smooth_iterations, channels);
  add_channels({OwnerKind::Ledger}, quantities::impact_loss, channels);
  return channels;
}

void expect_same_meaning(const Channel& a, const Channel& b) {
  EXPECT_EQ(a.kind, b.kind) << a.name;
  EXPECT_EQ(a.owner, b.owner) << a.name;
  EXPECT_EQ(a.component, b.component) << a.name;
  EXPECT_EQ(a.interest, b.interest) << a.name;
  EXPECT_EQ(a.thinning, b.thinning) << a.name;
}

TEST(ChannelTable, GivesBackWhatChannelsMean) {
  const std::vector<Channel> channels = sample();
  const ChannelTable table(channels);
  EXPECT_LT(table.owner_names.size(), channels.size());
  std::vector<Channel> bare;
  for (const Channel& channel : channels) bare.push_back({.name = channel.name});
  table.put(bare);
  for (std::size_t i = 0; i < channels.size(); ++i) expect_same_meaning(bare[i], channels[i]);
}

TEST(ChannelTable, IsKeptInTheFile) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  const std::vector<Channel> channels = sample();
  Hdf5Writer(path, {.channels = channels}, {}, "{}").close("{}");
  const Hdf5Reader file(path);
  ASSERT_EQ(file.columns().size(), channels.size());
  for (std::size_t i = 0; i < channels.size(); ++i) {
    expect_same_meaning(file.columns()[i], channels[i]);
    EXPECT_EQ(file.columns()[i].description, channels[i].description);
  }
}

TEST(ChannelTable, ListsThatDoNotFitAreRefused) {
  std::vector<Channel> channels = sample();
  ChannelTable table(channels);
  table.owner.back() = 1000;
  EXPECT_THROW(table.put(channels), std::out_of_range);
  table.owner.pop_back();
  EXPECT_THROW(table.put(channels), std::out_of_range);
}

// Results of versions that did not store meanings: names and units say the same.
TEST(ChannelTable, NamesOfEarlierVersionsMeanTheSame) {
  const std::vector<Channel> channels = sample();
  std::vector<Channel> guessed;
  for (const Channel& channel : channels) {
    guessed.push_back({.name = channel.name, .unit = channel.unit});
  }
  guess_meaning(guessed);
  for (std::size_t i = 0; i < channels.size(); ++i) expect_same_meaning(guessed[i], channels[i]);
}

}  // namespace channel_table_test
}  // namespace saltus::io
