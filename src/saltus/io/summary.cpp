// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/summary.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/core/version.hpp"
#include "saltus/linalg/libraries.hpp"
#include "saltus/nonsmooth/instruction_set.hpp"

namespace saltus::io {

const char* status_word(RunStatus status) {
  switch (status) {
    case RunStatus::Completed:
      return "completed";
    case RunStatus::Failed:
      return "failed";
    case RunStatus::Interrupted:
      return "interrupted";
  }
  return "";
}

namespace {

/// What the numbers may depend on besides the model.
Json build_json() {
  Json libraries = Json::object();
  for (const auto& [name, text] : linalg::libraries()) libraries[name] = text;
  const bool is_avx2 = nonsmooth::best_instruction_set() == nonsmooth::InstructionSet::Avx2;
  return Json{{"compiler", compiler()},
              {"flags", compiler_flags()},
              {"instruction_set", is_avx2 ? "avx2" : "portable"},
              {"libraries", libraries}};
}

Json count_json(const IterationCount& count) {
  return Json{{"max", count.max}, {"mean", count.mean()}};
}

Json energy_json(const EnergyLedger& energy, const EnergyTurnover& turnover) {
  return Json{{"initial", energy.initial},
              {"final", energy.total()},
              {"kinetic", energy.kinetic},
              {"gravity", energy.gravity},
              {"elastic", energy.elastic},
              {"external_work", energy.external_work},
              {"friction_loss", energy.friction_loss},
              {"impact_loss", energy.impact_loss},
              {"damping_loss", energy.damping_loss},
              {"numerical_loss", energy.numerical_loss},
              {"residual", energy.residual()},
              {"turnover", turnover.value()},
              {"closure_error", turnover.closure_error(energy)}};
}

Json modes_json(const std::vector<Mode>& modes) {
  Json list = Json::array();
  for (const Mode& mode : modes) {
    list.push_back({{"frequency", mode.frequency()},
                    {"angular_frequency", mode.angular_frequency()},
                    {"growth_rate", mode.growth_rate()}});
  }
  return list;
}

/// Forces of a contact with a local law.
Json peaks_json(const ContactPeaks& peaks) {
  Json json{{"peak_continuous_force", peaks.continuous_force}};
  if (peaks.peak_pressure > 0) json["peak_pressure"] = peaks.peak_pressure;
  if (!peaks.impact) return json;
  json["overlapping_impacts"] = peaks.overlapping_impacts;
  const StrongestImpact& impact = *peaks.impact;
  json["peak_impact_force"] = impact.peak_force;
  json["strongest_impact"] = {{"time", impact.time},
                              {"impulse", impact.impulse},
                              {"approach_speed", impact.approach_speed},
                              {"duration", impact.duration},
                              {"peak_force", impact.peak_force},
                              {"peak_indentation", impact.peak_indentation}};
  return json;
}

/// Stops and friction of one joint together: they have its name.
std::vector<ContactTotal> by_name(const std::vector<ContactTotal>& contacts) {
  std::vector<ContactTotal> result;
  for (const ContactTotal& contact : contacts) {
    const auto known = std::ranges::find(result, contact.name, &ContactTotal::name);
    if (known == result.end()) {
      result.push_back(contact);
      continue;
    }
    known->impacts += contact.impacts;
    known->friction_loss += contact.friction_loss;
    known->impact_loss += contact.impact_loss;
  }
  return result;
}

Json contacts_json(const std::vector<ContactTotal>& contacts) {
  Json list = Json::object();
  for (const ContactTotal& contact : by_name(contacts)) {
    list[contact.name] = {{"impacts", contact.impacts},
                          {"friction_loss", contact.friction_loss},
                          {"impact_loss", contact.impact_loss}};
    if (contact.peaks) list[contact.name].update(peaks_json(*contact.peaks));
    if (!contact.friction_work.empty()) {
      list[contact.name]["friction_work_by_sector"] = contact.friction_work;
    }
  }
  return list;
}

Json stress_json(const hertz::ContactStress& stress) {
  return {{"peak_pressure", stress.peak_pressure},
          {"shear_stress", stress.shear},
          {"shear_depth", stress.shear_depth},
          {"octahedral_stress", stress.octahedral_shear},
          {"octahedral_depth", stress.octahedral_depth},
          {"semi_axes", {stress.major_semi_axis, stress.minor_semi_axis}},
          {"indentation", stress.indentation}};
}

Json loads_json(const std::vector<BallLoad>& loads) {
  Json list = Json::array();
  for (const BallLoad& load : loads) list.push_back({{"mean", load.mean}, {"peak", load.peak}});
  return list;
}

Json reference_life_json(const BearingReferenceLife& life) {
  Json json{{"inner_race_rating", life.ratings.inner},
            {"outer_race_rating", life.ratings.outer},
            {"inner_race_load", life.equivalent.inner},
            {"outer_race_load", life.equivalent.outer},
            {"load_stands_on", life.load_turns_with_inner ? "inner" : "outer"},
            {"million_revolutions", life.million_revolutions}};
  if (life.hours) json["hours"] = *life.hours;
  return json;
}

Json bearing_json(const BearingTotal& bearing) {
  Json json = Json::object();
  if (bearing.at_rest) {
    const auto numbers = [](const auto& list) { return Json::array(list.begin(), list.end()); };
    json["displacement"] = numbers(bearing.at_rest->displacement);
    json["stiffness"] = Json::array();
    for (const auto& row : bearing.at_rest->stiffness) json["stiffness"].push_back(numbers(row));
  } else {
    json = {{"counted_from", bearing.from},
            {"inner_speed", bearing.inner_speed},
            {"cage_speed", bearing.cage_speed},
            {"cage_ratio", bearing.cage_ratio},
            {"cage_slip", bearing.cage_slip}};
  }
  json["radial_force"] = bearing.radial_force;
  json["axial_force"] = bearing.axial_force;
  json["inner_loads"] = loads_json(bearing.inner);
  json["outer_loads"] = loads_json(bearing.outer);
  if (!bearing.at_rest) json["friction_work_by_sector"] = bearing.friction_work;
  if (bearing.inner_stress) json["inner_stress"] = stress_json(*bearing.inner_stress);
  if (bearing.outer_stress) json["outer_stress"] = stress_json(*bearing.outer_stress);
  if (bearing.reference_life) {
    json["reference_rating_life"] = reference_life_json(*bearing.reference_life);
  }
  if (!bearing.no_life.empty()) json["no_rating_life"] = bearing.no_life;
  if (!bearing.life) return json;
  const BearingLife& life = *bearing.life;
  json["rating_life"] = {{"dynamic_rating", life.dynamic_rating},
                         {"static_rating", life.static_rating},
                         {"equivalent_load", life.equivalent_load},
                         {"million_revolutions", life.million_revolutions},
                         {"hours", life.hours}};
  return json;
}

}  // namespace

Json make_summary(const RunOrigin& origin, const RunReport& report) {
  Json summary{{"status", status_word(report.status)}};
  if (!report.message.empty()) summary["message"] = report.message;
  summary["model"] = origin.model;
  summary["model_hash"] = origin.model_hash;
  if (!origin.source.empty()) summary["source"] = origin.source;
  summary["version"] = version();
  summary["threads"] = origin.threads;
  summary["build"] = build_json();
  summary["steps"] = report.steps;
  summary["end_time"] = report.end_time;
  if (!report.stopped_by.empty()) summary["stopped_by"] = report.stopped_by;
  summary["wall_seconds"] = report.wall_seconds;
  summary["iterations"] = {{"smooth", count_json(report.smooth)},
                           {"position", count_json(report.position)},
                           {"velocity", count_json(report.velocity)}};
  summary["impacts"] = report.impacts;
  if (report.sleep.bodies() > 0) {
    summary["sleep"] = {{"bodies", report.sleep.bodies()},
                        {"mean_time", report.sleep.mean()},
                        {"longest_time", report.sleep.longest()}};
  }
  summary["inaccurate_steps"] = report.inaccurate_steps;
  summary["max_penetration"] = report.max_penetration;
  if (report.compliant) {
    const CompliantTotal& c = *report.compliant;
    summary["max_indentation"] = c.max_indentation;
    summary["compliant_contacts"] = {{"count", c.contacts},
                                     {"shortest", c.shortest_contact},
                                     {"fewest_steps", c.fewest_steps},
                                     {"divided_steps", c.divided_steps},
                                     {"parts", c.parts}};
  }
  if (report.adaptive) {
    const AdaptiveTotal& a = *report.adaptive;
    summary["adaptive_step"] = {{"accepted", a.accepted},
                                {"rejected", a.rejected},
                                {"shortest", a.shortest},
                                {"longest", a.longest},
                                {"beyond_tolerance", a.beyond}};
  }
  if (!std::isnan(report.max_overlooked)) summary["max_overlooked"] = report.max_overlooked;
  summary["max_position_violation"] = report.max_position_violation;
  summary["max_velocity_violation"] = report.max_velocity_violation;
  summary["energy"] = energy_json(report.energy, report.turnover);
  if (!report.contacts.empty()) summary["contacts"] = contacts_json(report.contacts);
  for (const BearingTotal& bearing : report.bearings) {
    summary["ball_bearings"][bearing.name] = bearing_json(bearing);
  }
  summary["warnings"] = report.warnings;
  if (!report.notes.empty()) summary["notes"] = report.notes;
  if (!report.modes.empty()) summary["modes"] = modes_json(report.modes);
  return summary;
}

}  // namespace saltus::io
