// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "saltus/impulse/impact_path.hpp"

namespace saltus::impulse {

/// One event of a collision: the given points from the velocities `u` on.
class EventRun {
 public:
  EventRun(const ImpactProblem& problem, const ImpactOptions& options, const VectorX& u,
           std::vector<int> chosen, bool split);

  const ImpactSystem& system() const { return system_; }

  /// `coefficients`: e* of each group. False if some group cannot be stopped: then it has no
  /// impulse beyond the last moment that is known.
  bool run(const std::vector<double>& coefficients);

  ImpactEvent& event() { return event_; }

 private:
  /// A moment on the path that is explored.
  struct Moment {
    int step = -1;  ///< −1: none
    double part = 0, p = 0;
  };
  /// The end of compression of a group, (14), and the boundary of steps where it lies.
  struct Compression {
    LeastWork least;
    int boundary = 0;
  };

  void start();
  bool end_next_groups();
  Compression compression(int group) const;
  Moment end_of(int group, PathEnd path_end) const;
  Moment first_above(int group, double target, int from) const;
  double value(const PathState& state, const Flow* flow, int group) const;
  void go_to(const Moment& moment);
  void close(int group);
  void count_transitions(const PathStep& before, const ImpactModes& after, const PathState& state);
  void add_sample(bool straight);
  bool turns(int group) const;
  void note_shares();
  void finish();

  const ImpactProblem& problem_;
  const ImpactOptions& options_;
  VectorX u_;
  std::vector<int> chosen_;
  ImpactSystem system_;
  NormalWorkMeasure measure_;
  ImpactPath path_;
  PathState state_;
  ImpactModes modes_;
  std::vector<LeastWork> least_;
  std::vector<double> coefficients_;
  std::vector<char> reversed_;
  ImpactEvent event_;
};

}  // namespace saltus::impulse
