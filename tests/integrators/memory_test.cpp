// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "saltus/core/archive.hpp"
#include "saltus/dynamics/initial_state.hpp"
#include "saltus/integrators/stepper.hpp"
#include "saltus/io/model_file.hpp"

namespace saltus {
namespace memory_test {

/// An example of the repository, perhaps with another integrator or other options.
struct Case {
  std::string name;  ///< of the test
  std::string example;
  int steps;
  std::vector<std::string> settings = {};

  ModelFile file() const {
    return read_model_file(std::string(SALTUS_SOURCE_DIR) + "/examples/" + example + ".json",
                           settings);
  }
};

/// All objects of a run, made anew. Not started.
struct Course {
  explicit Course(const ModelFile& file)
      : options(std::get<Dynamics>(file.simulation)),
        h(step_of(options.integrator)),
        system(file.model, options.end_time),
        stepper(make_stepper(
            system, options.integrator,
            {.solver = options.solver, .multiple_impacts = options.multiple_impacts})) {}

  void start() {
    KktSolver kkt(system);
    state = initial_state(system, kkt);
    stepper->detect_redundancy(state);
    stepper->start(state, h);
  }
  /// The n-th step, in halves where it does not converge, as a run does it.
  bool advance(int n) { return advance_to(n * h, h, 5); }

  Archive::Bytes state_bytes() {
    Archive memory;
    memory(state);
    return memory.bytes();
  }
  Archive::Bytes save() {
    Archive memory;
    memory(state, *stepper);
    return memory.bytes();
  }
  /// Whether exactly all that was saved is read.
  bool load(const Archive::Bytes& saved) {
    Archive memory(saved);
    memory(state, *stepper);
    return memory.is_at_end();
  }

  Dynamics options;
  double h;
  System system;
  std::unique_ptr<Stepper> stepper;
  State state;

 private:
  bool advance_to(double end, double length, int halvings) {
    if (stepper->step(state, length, end).converged) return true;
    if (halvings == 0) return false;
    return advance_to(end - length / 2, length / 2, halvings - 1) &&
           advance_to(end, length / 2, halvings - 1);
  }
};

class Memory : public testing::TestWithParam<Case> {};

// Saved in the middle of a run and loaded into new objects, state and stepper go on bit by bit as
// they would have.
TEST_P(Memory, GoesOnWithTheSameBits) {
  const int steps = GetParam().steps;
  const ModelFile file = GetParam().file();
  Course whole(file);
  whole.start();
  std::vector<Archive::Bytes> saved, states;
  bool touched = false;
  for (int n = 0; n <= steps; ++n) {
    ASSERT_TRUE(n == 0 || whole.advance(n)) << "step " << n;
    saved.push_back(whole.save());
    states.push_back(whole.state_bytes());
    touched |= n < steps && !whole.state.contacts.empty();
  }
  EXPECT_EQ(touched, !whole.system.elements().contacts.empty());
  for (const int middle : {0, 1, steps / 4, steps / 2, steps * 3 / 4 + 1, steps - 2}) {
    Course rest(file);
    ASSERT_TRUE(rest.load(saved[static_cast<std::size_t>(middle)]));
    ASSERT_EQ(rest.state_bytes(), states[static_cast<std::size_t>(middle)]);
    for (int n = middle + 1; n <= steps; ++n) {
      ASSERT_TRUE(rest.advance(n)) << "step " << n;
      ASSERT_TRUE(rest.state_bytes() == states[static_cast<std::size_t>(n)])
          << "loaded after step " << middle << ", differs after step " << n;
    }
  }
}

// The length of the next trial, for one, is no part of the state.
TEST(MemoryOfAStepper, IsNotInTheState) {
  const ModelFile file = Case{"", "rocking_specimen_1", 0}.file();
  Course whole(file), rest(file);
  whole.start();
  for (int n = 1; n <= 5; ++n) ASSERT_TRUE(whole.advance(n));
  rest.state = whole.state;
  rest.stepper->start(rest.state, rest.h);
  for (int n = 6; n <= 8; ++n) ASSERT_TRUE(whole.advance(n) && rest.advance(n));
  EXPECT_NE(rest.state_bytes(), whole.state_bytes());
}

std::string moreau_jean(const std::string& step) {
  return R"(/simulation/integrator={"type": "moreau_jean", "step": )" + step + "}";
}
std::string set_step(const std::string& step) { return "/simulation/integrator/step=" + step; }
const std::string coupled = R"(/simulation/integrator/coupling="coupled")";

std::string name_of(const testing::TestParamInfo<Case>& parameter) { return parameter.param.name; }

// So many steps that there are contacts in the middle.
INSTANTIATE_TEST_SUITE_P(
    NonsmoothAlpha, Memory,
    testing::Values(Case{"BallsWithFriction", "billiard_break", 300},
                    Case{"BallThatSpins", "sphere_spinning", 60},
                    Case{"BallInABowl", "sphere_in_bowl", 100},
                    Case{"BoxOnTheFloor", "box_dropped_corner", 400},
                    Case{"StackOfBoxes", "box_stack", 60},
                    Case{"BlockInASlot", "block_in_slot", 150},
                    Case{"ClosedLoopWithContacts", "crank_block_impact", 500},
                    Case{"CoupledScheme", "crank_block_impact", 120, {coupled, set_step("4e-4")}},
                    Case{"JointWithClearance", "clearance_slider_crank_005", 150},
                    Case{"BeamWithContact", "beam_falling_mass", 270, {set_step("1e-3")}},
                    Case{"FlexibleCrankWithContact", "roller_crank_flexible", 30},
                    Case{"PileWithContactsThatAreNotListed", "pile_100", 60, {set_step("5e-3")}},
                    Case{"Cradle", "newtons_cradle", 100}),
    name_of);

INSTANTIATE_TEST_SUITE_P(GeneralizedAlpha, Memory,
                         testing::Values(Case{"RedundantFourBar", "four_bar", 100},
                                         Case{"LongLoop", "long_loop", 30},
                                         Case{"FlexibleSliderCrank", "flexible_slider_crank", 30},
                                         Case{"Drives", "driven_joint", 60}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    MoreauJean, Memory,
    testing::Values(Case{"RedundantFourBar", "four_bar", 60, {moreau_jean("1e-3")}},
                    Case{"BoxOnTheFloor", "box_dropped_corner", 300, {moreau_jean("1e-3")}},
                    Case{"BallsWithFriction", "billiard_break", 200, {moreau_jean("1e-3")}},
                    Case{"ClosedLoopWithContacts", "crank_block_impact", 90, {moreau_jean("1e-3")}},
                    Case{"Pile", "pile_100", 60, {moreau_jean("5e-3")}}),
    name_of);

/// By events with the law of time stepping, whose solver has a memory, too.
const char* const one_law =
    R"(/simulation/integrator={"type":"event_driven","step":1e-3,"restitution_law":"complementarity"})";

INSTANTIATE_TEST_SUITE_P(EventDriven, Memory,
                         testing::Values(Case{"BlockWithFriction", "planar_block_friction", 60},
                                         Case{"RockingBlock", "rocking_specimen_1", 100},
                                         Case{"EdgesOfABox", "block_edge_impacts", 300},
                                         Case{"BoxOnManyPoints", "block_surface_8", 200},
                                         Case{"Woodpecker", "woodpecker_fixed", 100, {one_law}},
                                         Case{"BallInACorner", "sphere_corner", 150}),
                         name_of);

}  // namespace memory_test
}  // namespace saltus
