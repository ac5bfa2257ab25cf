// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "saltus/integrators/island_steps.hpp"
#include "saltus/integrators/scene_part.hpp"

namespace saltus {

/// Which bodies lie still, and since when. Only single rigid bodies that nothing but gravity and
/// contacts acts upon: of others a load, a spring or a drive may change at any time.
class RestWatch {
 public:
  /// @param unit  where steps have different lengths: as much time as one counts for, s; else 0
  explicit RestWatch(const System& system, double unit = 0);

  bool may_rest(int component) const { return nodes_[static_cast<std::size_t>(component)] > 0; }
  bool has_candidates() const { return candidates_ > 0; }
  int node(int component) const { return nodes_[static_cast<std::size_t>(component)]; }
  /// Where it rests.
  const Vector3& place(int component) const {
    return places_[static_cast<std::size_t>(component)].x;
  }

  /// After a step, of length h, of the components that are awake.
  void look(const State& state, const std::vector<char>& asleep, double h);
  /// Whether it has stayed where it is for long enough.
  bool rests(int component) const;
  /// Some have just come to rest: now is the time to look who may sleep.
  bool has_news() const { return has_news_; }
  void forget(int component);

  void archive(Archive& memory) { memory(still_, places_, time_); }

 private:
  struct Place {
    Vector3 x = Vector3::Zero();
    Matrix3 R = Matrix3::Identity();

    void archive(Archive& memory) { memory(x, R); }
  };

  std::vector<int> nodes_;  // of components; 0: it never rests
  std::vector<double> lengths_;
  std::vector<int> still_;  // steps since it last moved
  double unit_;
  double time_ = 0;  // that does not count yet
  std::vector<Place> places_;
  int candidates_ = 0;
  bool has_news_ = false;
};

/// Time stepping of those bodies that move: groups of bodies that lie still, beside nothing that
/// moves, are left as they are, with their contact forces, until something comes near. What is
/// awake is a system of its own (docs/theory/nonsmooth_generalized_alpha.md, section 10).
class SleepingScene : public Stepper {
 public:
  SleepingScene(const System& system, const NonsmoothGeneralizedAlpha& options,
                const ContactOptions& contacts = {});

  /// Whether anything in the system could ever sleep.
  static bool is_of_use(const System& system);

  void start(State& state, double h) override;
  StepReport step(State& state, double h, double end, bool accept = false) override;
  void detect_redundancy(const State& state) override { awake_->detect_redundancy(state); }
  void archive(Archive& memory) override;

 private:
  StepReport step_awake(State& state, double h, double end, bool accept);
  void take(const State& state);
  void give(State& state, double h);
  bool wake_beside(const State& from, const State* to, double h);
  void wake(int group);
  void fall_asleep(const State& state, double h);
  void make_part();
  void set_part(const State& state);

  const System& system_;
  NonsmoothGeneralizedAlpha options_;
  ContactOptions contacts_;
  TouchTable touch_;
  std::vector<double> reaches_;  // of nodes, with what counts as touching; negative: has no shapes
  RestWatch rest_;
  std::vector<char> asleep_;   // components
  std::vector<int> groups_;    // of components asleep: those that sleep together
  std::vector<int> sleeping_;  // nodes
  std::vector<int> slept_;     // those in the last step
  int next_group_ = 0;
  std::vector<NodeBox> beds_;       // of nodes asleep, in order along x
  double widest_ = 0;               // of beds, along x
  std::vector<ContactState> held_;  // contacts asleep, as in a step of length held_step_
  double held_step_ = 0, last_step_ = 0;
  EnergyLedger at_rest_ = {};        // stored by what sleeps
  EnergyLedger part_energy_ = {};    // stored by what is awake
  std::unique_ptr<ScenePart> part_;  // none: all are awake
  std::unique_ptr<IslandSteps> awake_;
  State part_state_;
};

}  // namespace saltus
