// SPDX-License-Identifier: Apache-2.0
#include "saltus/simulation/recorder.hpp"

#include "saltus/simulation/quantities.hpp"

namespace saltus {

Recorder::Recorder(Observers observers, const State& given) : observers_(std::move(observers)) {
  row(given);
}

std::span<const double> Recorder::row(const State& state) {
  row_.put({OwnerKind::Run}, quantities::time, state.time);
  for (const auto& observer : observers_) observer->row(state, row_);
  return row_.end();
}

void Recorder::start(const State& state) {
  for (const auto& observer : observers_) observer->start(state);
}

void Recorder::attempt(const StepReport& step) {
  for (const auto& observer : observers_) observer->attempt(step);
}

void Recorder::step(const State& state, const StepReport& step, RunOutput& output) {
  for (const auto& observer : observers_) observer->step(state, step, output);
}

void Recorder::finish(const State& state, RunOutput& output) const {
  for (const auto& observer : observers_) observer->finish(state, output);
}

void Recorder::equilibrium(const State& state, RunOutput& output) const {
  for (const auto& observer : observers_) observer->equilibrium(state, output);
}

void Recorder::archive(Archive& memory) {
  for (const auto& observer : observers_) observer->archive(memory);
}

}  // namespace saltus
