// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/dynamics/islands.hpp"
#include "saltus/dynamics/system.hpp"
#include "saltus/hertz/impulse_filter.hpp"
#include "saltus/integrators/step_report.hpp"
#include "saltus/simulation/collision_forces.hpp"
#include "saltus/simulation/local_contact.hpp"
#include "saltus/simulation/observer.hpp"

namespace saltus {

/// Contact forces in newtons from the impulses of a run, for contact points whose contact has a
/// local law (docs/guide/from_impulses_to_forces.md, docs/theory/contact_forces.md). The motion
/// knows nothing of it.
class ForceRecovery : public Observer {
 public:
  static constexpr int samples = 65;             ///< of the history of an impact
  static constexpr long most_histories = 10000;  ///< later impacts have none

  /// Whether times, speeds and impulses of impacts are those of the steps they fall into, or exact.
  enum class Impacts { OfSteps, Exact };

  /// @param system       made from `model`; must outlive this
  /// @param restitution  of impacts, instead of that of the contacts that the model gives
  ForceRecovery(const System& system, const CheckedModel& model, Impacts impacts = Impacts::OfSteps,
                std::optional<double> restitution = {});

  bool empty() const { return points_.empty(); }
  /// Tells what users should know of contacts with a local law, too many points or too small a
  /// restitution, and makes room for peaks in the totals of those whose forces are recovered.
  void announce(RunOutput& output) const;
  void start(const State& state) override;
  /// Whether collisions are needed with their histories.
  bool needs_collisions() const { return needs_collisions_; }
  /// Tells the rows of the step before this one: a step is judged by both its neighbours. Where
  /// impacts are exact, those of the step itself.
  void step(const State& state, const StepReport& step, RunOutput& output) override;
  /// Tells the rows of the last step.
  void finish(const State& state, RunOutput& output) const override;
  void archive(Archive& memory) override;

  /// Whether a listed contact point has a local law.
  bool has(std::size_t listed) const { return point_of_[listed] >= 0; }
  /// What friction has taken at a listed point since the start, sliding only, impacts included, J.
  double friction_work(std::size_t listed) const;

 private:
  /// Λ and δ̇⁻ at the touch, which do not depend on where in a step it is.
  struct Impact {
    int order = 0;
    double impulse = 0;
    double approach = 0;
    double touch = 0;  // time

    void archive(Archive& memory) { memory(order, impulse, approach, touch); }
  };
  /// What a point did in a step.
  struct Step {
    double time = 0, h = 0;
    double noise = 0;            // impulses below it are none
    double impulse = 0;          // along the normal, all of it
    double impacts_impulse = 0;  // of exact impacts, along the normal
    bool parts = false;          // after an impact
    bool amid_impacts = false;   // a contact of the island had one
    double cosine = 1;           // of the angle in the section of a groove
    std::vector<Impact> impacts = {};

    void begin(double end, double length, double round_off, bool among);
    double known() const;  // of the impulse, that of impacts
    void archive(Archive& memory) {
      memory(time, h, noise, impulse, impacts_impulse, parts, amid_impacts, cosine, impacts);
    }
  };
  struct Point {
    int listed = 0;
    LocalContact law;
    std::optional<impulse::ElastoplasticLaw> plastic = {};
    hertz::ImpulseFilter filter = {};
    Step last = {}, now = {};
    double friction_work = 0;
    double busy_until = -std::numeric_limits<double>::infinity();  // end of the last impact

    void archive(Archive& memory) { memory(filter, last, now, friction_work, busy_until); }
  };
  /// Where the bodies were.
  struct Moment {
    double time = 0;
    Configuration configuration = {};
    VectorX velocity = {}, acceleration = {};

    void take(const State& state);
    void archive(Archive& memory) { memory(time, configuration, velocity, acceleration); }
  };

  void warn_of_little(const Point& point, double speed);
  void add_contact(const Model& model, std::size_t index, const Contact& contact);
  void find_rows(const State& state, const StepReport& report);
  void find_last_rows();
  void tell_rows(double time, RunOutput& output);
  /// What connected bodies went through in a step.
  struct Island {
    double largest = 0;  // impulse of the step
    double so_far = 0;   // and of all steps, of their components
    double noise = 0;    // impulses below it are round-off
    int impacts = 0;
    int pressing = 0;  // contacts
  };
  void divide(const State& state, const std::vector<ContactEvent>& events);
  void find_islands(const State& state, const std::vector<ContactEvent>& events);
  std::size_t island_of(const ContactElement& e) const;
  ContactElement element_of(ContactIndex contact, const State& state) const;
  /// Whether nothing impacted on its bodies between the step at hand and the one before.
  bool has_before(const ContactElement& e) const;
  void take_impact(const ContactEvent& event, double h);
  /// Null if it has no local law.
  Point* point_at(ContactIndex contact);
  void take_exact_impact(const ContactEvent& event);
  void take_collision(const Collision& collision);
  void turn_friction(const Collision& collision, std::size_t point,
                     std::vector<ImpactSample>& history) const;
  void take_contact(const State& state, const ContactState& contact);
  double force_acceleration(const ContactElement& e, const Vector3& normal) const;
  double touch_time(const ContactElement& e, double acceleration, double h) const;
  double normal_velocity(const ContactElement& e, const Moment& at) const;
  Vector3 relative_motion(const ContactElement& e, const Configuration& q, const VectorX& v) const;
  void put_rows(Point& point, const hertz::ImpulseSplit& split);
  void put_exact_rows(Point& point);
  void put_impact(Point& point, const Impact& impact, double continuous);
  ForceRow& add_row(const Point& point, ForceRow::Kind kind);

  const System& system_;
  Impacts precision_;
  bool needs_collisions_ = false;
  LocalContacts locals_;
  std::vector<Point> points_;
  std::vector<int> point_of_;  // of listed contact points; −1: none
  std::vector<int> contacts_;
  std::vector<std::string> messages_;
  std::vector<StepWarning> warnings_;  // of the rows
  std::vector<ForceRow> rows_;
  Moment start_, before_;        // of the step at hand, and of the one before
  bool has_before_ = false;      // there is one before
  std::vector<char> struck_;     // components with an impact between them
  std::vector<double> largest_;  // impulse of components so far
  Islands division_;             // by the contacts that did something in the step at hand
  std::vector<Island> islands_;
  long impacts_ = 0;
  bool told_histories_ = false;  // that there are no more
};

}  // namespace saltus
