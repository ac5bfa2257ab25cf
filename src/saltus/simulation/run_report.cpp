// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/run_report.hpp"

#include <fmt/core.h>

#include <numeric>

namespace saltus {

void SleepTotal::add(std::span<const int> nodes, double h) {
  for (const int node : nodes) {
    const auto n = static_cast<std::size_t>(node);
    if (n >= times.size()) times.resize(n + 1, 0.0);
    times[n] += h;
  }
}

int SleepTotal::bodies() const {
  return static_cast<int>(std::ranges::count_if(times, [](double t) { return t > 0; }));
}

double SleepTotal::longest() const { return times.empty() ? 0 : *std::ranges::max_element(times); }

double SleepTotal::mean() const {
  return times.empty() ? 0 : std::accumulate(times.begin(), times.end(), 0.0) / bodies();
}

void CompliantTotal::add_contact(double duration, int steps) {
  shortest_contact = contacts == 0 ? duration : std::min(shortest_contact, duration);
  fewest_steps = contacts == 0 ? steps : std::min(fewest_steps, steps);
  ++contacts;
}

void AdaptiveTotal::add(double h) {
  shortest = accepted == 0 ? h : std::min(shortest, h);
  longest = std::max(longest, h);
  ++accepted;
}

std::string RunReport::summary() const {
  const char* words[] = {"completed", "failed", "interrupted"};
  std::string text =
      fmt::format("{}: {} step{} to t = {:.6g} s in {:.3g} s", words[static_cast<int>(status)],
                  steps, steps == 1 ? "" : "s", end_time, wall_seconds);
  if (!message.empty()) text += "\n  " + message;
  text += fmt::format("\n  iterations a step: {:.2f} on average, {} at most", smooth.mean(),
                      smooth.max);
  if (position.steps > 0) {
    text += fmt::format(" (position {:.2f}, {}; velocity {:.2f}, {})", position.mean(),
                        position.max, velocity.mean(), velocity.max);
  }
  if (adaptive) {
    text +=
        fmt::format("\n  steps chosen by their error: {} accepted, {} rejected, {:.3g} to {:.3g} s",
                    adaptive->accepted, adaptive->rejected, adaptive->shortest, adaptive->longest);
    if (adaptive->beyond > 0) {
      text += fmt::format("; {} of the shortest had a larger error", adaptive->beyond);
    }
  }
  if (impacts > 0 || max_penetration > 0) {
    text += fmt::format("\n  {} impact{}, penetration at most {:.2g} m", impacts,
                        impacts == 1 ? "" : "s", max_penetration);
  }
  if (compliant) {
    text +=
        fmt::format("\n  compliant contacts: {:.3g} m deep at most", compliant->max_indentation);
    if (compliant->contacts > 0) {
      text +=
          fmt::format(", the shortest of {} took {:.3g} s, at least {} steps each",
                      compliant->contacts, compliant->shortest_contact, compliant->fewest_steps);
    }
    text += fmt::format("; {} of {} steps were divided, into {}", compliant->divided_steps, steps,
                        compliant->parts);
  }
  if (const int slept = sleep.bodies(); slept == 1) {
    text += fmt::format("\n  1 body asleep for {:.3g} s", sleep.longest());
  } else if (slept > 1) {
    text += fmt::format("\n  {} bodies asleep, for {:.3g} s on average, {:.3g} s at most", slept,
                        sleep.mean(), sleep.longest());
  }
  if (max_position_violation > 0 || max_velocity_violation > 0) {
    text += fmt::format("\n  joints violated by at most {:.2g} m and {:.2g} m/s",
                        max_position_violation, max_velocity_violation);
  }
  text += fmt::format("\n  energy {:.9g} J", energy.total());
  if (energy.external_work != 0) {
    text += fmt::format(", work of drives and loads {:.6g} J", energy.external_work);
  }
  if (impacts > 0 || max_penetration > 0 || energy.friction_loss > 0) {
    text += fmt::format(", lost by friction {:.3g} J, in impacts {:.3g} J", energy.friction_loss,
                        energy.impact_loss);
  }
  text += fmt::format(", numerical loss {:.3g} J, ledger residual {:.2g} J", energy.numerical_loss,
                      energy.residual());
  constexpr std::size_t most_modes = 20;
  for (std::size_t i = 0; i < std::min(modes.size(), most_modes); ++i) {
    text += fmt::format("\n  mode {:>2}: {:.6g} Hz", i + 1, modes[i].frequency());
    if (modes[i].growth_rate() > 0)
      text += fmt::format(", grows by {:.4g} 1/s", modes[i].growth_rate());
  }
  if (modes.size() > most_modes) text += fmt::format("\n  and {} more", modes.size() - most_modes);
  for (const std::string& note : notes) text += "\n  " + note;
  return text;
}

}  // namespace saltus
