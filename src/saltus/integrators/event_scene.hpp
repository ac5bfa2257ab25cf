// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "saltus/dynamics/islands.hpp"
#include "saltus/integrators/event_driven.hpp"

namespace saltus {

/// Some components of a scene as a system of its own, and how its state is that of the scene.
class ScenePart {
 public:
  ScenePart(const System& whole, const std::vector<int>& components);

  const System& system() const { return system_; }
  const std::vector<int>& nodes() const { return nodes_; }  ///< that move
  /// Its part of the scene's state, with empty books.
  void take(const State& whole, State& part) const;
  /// The other way: motion, forces and contacts are put, books are added.
  void give(const State& part, State& whole) const;

 private:
  System system_;
  std::vector<int> nodes_, angles_;
  std::vector<int> velocities_, rows_;  // by the part's, the scene's
};

/// Which moving nodes may ever touch each other, and how far from a node its shapes reach.
class TouchTable {
 public:
  explicit TouchTable(const System& system);

  bool may_touch(int node_A, int node_B) const;
  /// Distance from the node's origin to the farthest point of its shapes, m: infinite for planes
  /// and other surfaces; negative if it has none.
  double reach(int node) const { return reaches_[static_cast<std::size_t>(node)]; }

 private:
  /// Of a contact whose points are not listed: whether a node has features in its two selections.
  struct Selections {
    std::vector<char> first, second;
  };

  std::vector<double> reaches_;
  std::vector<std::pair<int, int>> listed_;  // sorted, the smaller node first
  std::vector<Selections> unlisted_;
};

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
  using Boxes = std::vector<Eigen::AlignedBox3d>;
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
  Boxes predicted(const State& state, double h) const;
  Boxes swept() const;
  void connect_overlapping(const Boxes& boxes);
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
