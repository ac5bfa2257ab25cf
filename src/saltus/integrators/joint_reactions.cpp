// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/joint_reactions.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrators/tuning.hpp"

namespace saltus {
namespace {

/// How the forces, or the moments, of a joint go on over the half step after their last mean: one
/// answer for all of its rows, so that it does not depend on their directions.             (28)
class Trend {
 public:
  void add(double last, double before, double earlier) {
    last_ += last * last;
    before_ += before * before;
    earlier_ += earlier * earlier;
    bend_ += std::pow(last - 2 * before + earlier, 2);
    along_ += last * before;
  }
  /// How far the rates are those of a smooth function: 1, or down to 0 where there is a jump among
  /// the means or an oscillation from step to step.
  double smoothness() const {
    const double size =
        CarriedTuning::smooth_bend * std::sqrt(std::max({last_, before_, earlier_}));
    const double bend = std::sqrt(bend_);
    return bend > size ? std::max(0.0, 2 - bend / size) : 1.0;
  }
  /// The rate of the parabola with these means; where they are not smooth the last rate, as far as
  /// the one before bears it out.
  double rate(double last, double before) const {
    const double part = smoothness(), most = CarriedTuning::growth * std::sqrt(before_);
    double plain = along_ > 0 ? last : 0;
    if (last_ > most * most) plain *= most / std::sqrt(last_);
    return part * (last + 2.0 / 3 * (last - before)) + (1 - part) * plain;
  }

 private:
  double last_ = 0, before_ = 0, earlier_ = 0, bend_ = 0, along_ = 0;  // squares, and a product
};

/// Calls `see(rows)` for the rows of forces and for those of moments of each joint.
template <class See>
void for_each_part(const System& system, std::vector<int>& rows, const See& see) {
  for (const JointEntry& joint : system.elements().joints) {
    if (joint.continues) continue;
    for (const bool angular : {false, true}) {
      rows.clear();
      for (int row = joint.first_row; row < joint.first_row + joint.element.rows(); ++row) {
        if (system.is_angular(row) == angular) rows.push_back(row);
      }
      if (!rows.empty()) see(rows);
    }
  }
}

/// So many means make a parabola, and a rate more tells whether it is one.
constexpr int parabola = 3, checked_parabola = 4;

}  // namespace

JointReactions::JointReactions(const System& system) : system_(&system) {
  begin(VectorX::Zero(system.constraints()));
}

void JointReactions::begin(const VectorX& smooth) {
  smooth_ = mean_ = smooth;
  for (VectorX* v : {&rate_, &rate_before_, &earlier_, &first_}) v->setZero(smooth.size());
  steps_.assign(static_cast<std::size_t>(smooth.size()), 0);
  step_ = 0;
}

bool JointReactions::is_loaded(const ContactSet& contacts, int row) const {
  const int island = contacts.islands().of_unknown(system_->velocities() + row);
  return !contacts.points_of(island).empty();
}

/// The means over the step as the method weighs them, and what follows at its end.          (28)
void JointReactions::find(const Step& step, State& next) {
  const auto& [alpha_m, alpha_f, gamma, beta] = step.alpha;
  earlier_ = rate_before_;
  rate_before_ = rate_;
  for (int row = 0; row < system_->constraints(); ++row) {
    int& steps = steps_[static_cast<std::size_t>(row)];
    if (step.stretch != 1) {
      const double last = step.start.multiplier[row];
      smooth_[row] = last + step.stretch * (smooth_[row] - last);
    }
    const double smooth = (alpha_f * step.start.multiplier[row] +
                           (1 - alpha_f) * next.multiplier[row] - alpha_m * smooth_[row]) /
                          (1 - alpha_m);
    double mean = (1 - gamma) * smooth_[row] + gamma * smooth +
                  (next.impulse[row] - step.impacts[row]) / step.h;
    if (steps < 0) {
      if (step.h == step_) mean = first_[row];
      steps = checked_parabola;
    }
    rate_[row] = steps > 0 ? (mean - mean_[row]) / ((step_ + step.h) / 2) : 0;
    steps = std::min(steps + 1, checked_parabola);
    smooth_[row] = smooth;
    mean_[row] = mean;
  }
  step_ = step.h;
  next.reaction = next.multiplier;
  for_each_part(*system_, rows_, [&](const std::vector<int>& rows) {
    if (is_loaded(step.contacts, rows.front())) extrapolate(step, rows, next);
  });
}

/// The order grows with the number of steps since an impact, up to the parabola's.
void JointReactions::extrapolate(const Step& step, const std::vector<int>& rows, State& next) {
  const int steps = steps_[static_cast<std::size_t>(rows.front())];
  Trend trend;
  for (const int i : rows) {
    trend.add(rate_[i], rate_before_[i], steps < checked_parabola ? rate_before_[i] : earlier_[i]);
  }
  for (const int i : rows) {
    const double rate = steps < parabola ? rate_[i] : trend.rate(rate_[i], rate_before_[i]);
    next.reaction[i] = mean_[i] + step.h / 2 * rate;
  }
}

void JointReactions::learn(const Trial& trial, VectorX& reaction) {
  step_ = trial.h;
  for_each_part(*system_, rows_, [&](const std::vector<int>& rows) {
    const int component = system_->component_of(system_->velocities() + rows.front());
    const int steps = trial.undisturbed[static_cast<std::size_t>(component)];
    if (steps == Trial::steps) return go_back(trial, rows, reaction);
    if (steps == 0 || trial.is_loaded[static_cast<std::size_t>(rows.front())] == 0) return;
    for (const int i : rows) reaction[i] = trial.means.front()[i];
  });
}

/// Whether the first mean belongs to the parabola of the others. Contacts that touch are new to the
/// first step, and act along the rows of its end (21): where these turn it is off by O(h).
bool JointReactions::fits(const Trial& trial, const std::vector<int>& rows) {
  const auto& [first, second, third, fourth] = trial.means;
  double off = 0, bend = 0;  // squares: of third order, and of second
  for (const int i : rows) {
    off += std::pow(fourth[i] - 3 * third[i] + 3 * second[i] - first[i], 2);
    bend += std::pow(fourth[i] - 2 * third[i] + second[i], 2);
  }
  return off <= bend;
}

/// Along the parabola through the first three means, or the last three.
void JointReactions::go_back(const Trial& trial, const std::vector<int>& rows, VectorX& reaction) {
  const bool all_fit = fits(trial, rows);
  const int skipped = all_fit ? 0 : 1;
  const VectorX& near = trial.means[all_fit ? 0 : 1];
  const VectorX& middle = trial.means[all_fit ? 1 : 2];
  const VectorX& far = trial.means[all_fit ? 2 : 3];
  const double h = trial.h;
  Trend trend;
  for (const int i : rows) {
    const double rate = (middle[i] - near[i]) / h, after = (far[i] - middle[i]) / h;
    trend.add(rate, after, all_fit ? (trial.means.back()[i] - far[i]) / h : after);
  }
  const double part = trend.smoothness();
  for (const int i : rows) {
    const double change = (middle[i] - near[i]) / h, bend = (far[i] - middle[i]) / h - change;
    const auto rate = [&](int back) { return part * (change - back * bend); };
    first_[i] = trial.means.front()[i];
    if (!all_fit) first_[i] += part * (near[i] - first_[i]) - h * rate(1);
    mean_[i] = first_[i] - h * rate(1 + skipped);
    rate_[i] = rate(2 + skipped);
    rate_before_[i] = rate(3 + skipped);
    steps_[static_cast<std::size_t>(i)] = -1;
    if (trial.is_loaded[static_cast<std::size_t>(i)] == 0) continue;
    reaction[i] = mean_[i] + h / 2 * (rate_[i] + 2.0 / 3 * (rate_[i] - rate_before_[i]));
  }
}

void JointReactions::take_row(const JointReactions& other, int theirs, int ours) {
  smooth_[ours] = other.smooth_[theirs];
  mean_[ours] = other.mean_[theirs];
  rate_[ours] = other.rate_[theirs];
  rate_before_[ours] = other.rate_before_[theirs];
  first_[ours] = other.first_[theirs];
  steps_[static_cast<std::size_t>(ours)] = other.steps_[static_cast<std::size_t>(theirs)];
}

void JointReactions::take_over(const JointReactions& other, const std::vector<int>& rows) {
  for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
    take_row(other, rows[static_cast<std::size_t>(row)], row);
  }
  step_ = other.step_;
}

void JointReactions::take_back(const JointReactions& part, const std::vector<int>& rows) {
  for (int row = 0; row < static_cast<int>(rows.size()); ++row) {
    take_row(part, row, rows[static_cast<std::size_t>(row)]);
  }
}

}  // namespace saltus
