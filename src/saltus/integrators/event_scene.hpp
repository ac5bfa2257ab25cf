// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>

#include "saltus/integrators/event_driven.hpp"
#include "saltus/integrators/scene_part.hpp"

namespace saltus {

/// A scene by events, in parts on clocks of their own: components that cannot touch each other
/// within an interval of the results are followed by steppers of their own, so that scales, steps,
/// events and failures of a mechanism are the same whatever else is in the model, and an impact
/// costs what it moves. That they did not touch is proved afterwards by the boxes in which nodes
/// have stayed; where these overlap, both parts go through the interval again, as one. Section 7 of
/// docs/theory/event_driven.md.
class EventDrivenScene : public Stepper {
 public:
  EventDrivenScene(const System& system, const EventDriven& options,
                   const ContactOptions& contacts = {});

  void detect_redundancy(const State& state) override;
  void start(State& state, double h) override;
  StepReport step(State& state, double h, double end, bool accept = false) override;
  void archive(Archive& memory) override;

  int parts() const { return static_cast<int>(clusters_.size()); }

 private:
  using Components = std::vector<int>;

  struct Cluster {
    Components components = {};
    std::shared_ptr<const ScenePart> part = {};
    std::unique_ptr<EventDrivenStepper> stepper = {};
    EventMemory before = {};  // at the beginning of the interval
    State state = {};
    StepReport report = {};
    bool is_done = false;
  };

  Cluster make(const Components& components);
  std::vector<Components> groups() const;
  std::shared_ptr<const ScenePart> part(const Components& components);
  std::vector<NodeBox> predicted(const State& state, double h) const;
  std::vector<NodeBox> swept() const;
  void separate();
  void connect_overlapping(std::vector<NodeBox> boxes);
  void regroup(const State& state, double h);
  EventMemory combined(const Components& components, const State& state) const;
  StepReport collect(State& state, double end);
  StepReport give_up(const Cluster& failed, const State& state, double h);

  const System& system_;
  EventDriven options_;
  ContactOptions contacts_;
  TouchTable touch_;
  Islands islands_;
  std::vector<Cluster> clusters_;
  std::map<Components, std::shared_ptr<const ScenePart>> known_parts_;
};

}  // namespace saltus
