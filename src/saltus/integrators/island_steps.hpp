// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "saltus/integrators/joint_impulses.hpp"
#include "saltus/integrators/nonsmooth_alpha.hpp"
#include "saltus/integrators/scene_part.hpp"

namespace saltus {

/// Steps in which a mechanism that does not converge is halved by itself: it and what may come near
/// it go through the step as a system of their own, in 2, 4, … parts, and all others go through it
/// at once, as if it were not there. Alone in a scene it goes the same way, with the same numbers.
/// (docs/theory/nonsmooth_generalized_alpha.md, section 11)
class IslandSteps : public Stepper {
 public:
  IslandSteps(const System& system, const NonsmoothGeneralizedAlpha& options,
              const ContactOptions& contacts = {});

  void start(State& state, double h) override;
  StepReport step(State& state, double h, double end, bool accept = false) override;
  void detect_redundancy(const State& state) override { whole_.detect_redundancy(state); }
  void archive(Archive& memory) override { memory(whole_, lengths_); }

  /// Before a step that may be taken again with more bodies.
  void remember();
  void go_back();
  /// What another one remembers whose system has the same joints and elements and other free
  /// bodies.
  void take_over(const IslandSteps& other);

 private:
  using Memory = NonsmoothAlphaStepper::Memory;
  /// Some components as a system of their own; kept, for they may want it again.
  struct Apart {
    std::vector<int> components;
    ScenePart part;
    NonsmoothAlphaStepper stepper;
    Archive::Bytes fresh;  ///< memory of a stepper that has not seen anything
    State state;
    JointImpulses impulses;

    Apart(const System& system, const NonsmoothGeneralizedAlpha& options,
          const ContactOptions& contacts, const std::vector<int>& members);
  };
  /// Who has failed in a step that was to be taken at once, and where.
  struct Failure {
    std::vector<char> components;
    std::string message;

    bool is_of(const std::vector<int>& group) const;
  };
  /// A step at hand.
  struct Task {
    const State& start;
    const Memory memory;  ///< at its beginning, and
    const std::vector<double> lengths;
    double h = 0, end = 0;
    std::vector<char> apart = {};  ///< components
    std::vector<Failure> failures = {};
    State next = {};
    StepReport report = {};
  };
  /// What the parts of a step add up to.
  struct Sum {
    StepReport report = {};
    std::string why = {};  ///< it was halved; empty: it was not
    std::vector<ContactState> contacts = {};
    std::vector<JointReaction> joints = {};
  };

  void take_step(Task& task);
  bool go_without(Task& task);
  void spread(Task& task);
  bool is_apart(const ContactState& contact, const State& state,
                const std::vector<char>& apart) const;
  std::vector<std::vector<int>> groups_apart(const Task& task) const;
  Apart& apart_of(const std::vector<int>& components);
  bool follow(Apart& apart, Task& task);
  bool advance(Apart& apart, double h, double end, int halvings, Sum& sum);
  static void take_in(StepReport& report, StepReport& other);
  void add(Apart& apart, StepReport& step, double h, Sum& sum) const;
  void give(Apart& apart, Sum& sum, Task& task);

  const System& system_;
  NonsmoothGeneralizedAlpha options_;
  ContactOptions contacts_;
  NonsmoothAlphaStepper whole_;
  /// Of components that went through the last step in parts, the length of the last part; 0: of
  /// others; empty: all were together.
  std::vector<double> lengths_, lengths_before_;
  std::unique_ptr<TouchTable> touch_;  // when first needed
  Islands groups_;                     // of what may come near each other in the step
  std::vector<std::unique_ptr<Apart>> known_;
};

}  // namespace saltus
