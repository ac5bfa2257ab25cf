// SPDX-License-Identifier: Apache-2.0
// Units: a model in millimetres, tonnes and milliseconds, or in kilometres, moves as it does in SI.
#include <numbers>

#include "tests/support/contact_checks.hpp"

namespace saltus::test {
namespace contact_scaling_test {

/// How many new units the SI unit is.
struct Units {
  const char* name;
  double length, mass, time;
};

/// Rewrites a model in other units.
class Rescaling {
 public:
  explicit Rescaling(const Units& units) : L_(units.length), M_(units.mass), T_(units.time) {}

  Model operator()(Model model) const {
    model.gravity *= L_ / (T_ * T_);
    for (Body& body : model.bodies) std::visit([this](auto& b) { scale_body(b); }, body);
    for (Joint& joint : model.joints) std::visit([this](auto& j) { scale_joint(j); }, joint);
    for (ForceElement& force : model.forces) std::visit([this](auto& f) { scale(f); }, force);
    for (Collider& collider : model.colliders) {
      collider.frame.position *= L_;
      std::visit([this](auto& shape) { scale_shape(shape); }, collider.shape);
    }
    return model;
  }

 private:
  template <class B>
  void scale_body(B& body) const {
    if constexpr (requires { body.material; }) {
      ADD_FAILURE() << "flexible bodies are not scaled here";
    } else {
      body.pose.position *= L_;
      body.velocity.linear *= L_ / T_;
      body.velocity.angular /= T_;
      if constexpr (requires { body.inertia; }) {
        std::visit([this](auto& inertia) { scale_inertia(inertia); }, body.inertia);
      } else {
        body.mass *= M_;
      }
    }
  }
  template <class I>
  void scale_inertia(I& inertia) const {
    // None of these models takes its inertia from a shape, which alone may do without a mass.
    if constexpr (std::is_same_v<decltype(inertia.mass), double>) inertia.mass *= M_;
    if constexpr (requires { inertia.radius; }) inertia.radius *= L_;
    if constexpr (requires { inertia.length; }) inertia.length *= L_;
    if constexpr (requires { inertia.size; }) inertia.size *= L_;
    if constexpr (requires { inertia.moments; }) {
      if (inertia.moments) *inertia.moments *= M_ * L_ * L_;
      if (inertia.tensor) *inertia.tensor *= M_ * L_ * L_;
      inertia.centre_of_mass *= L_;
    }
  }
  template <class J>
  void scale_joint(J& joint) const {
    if constexpr (requires { joint.at; }) {
      if (joint.at) *joint.at *= L_;
    }
    if constexpr (requires { joint.between; }) {
      for (Frame& frame : joint.between) frame.position *= L_;
    }
    if constexpr (requires { joint.length; }) {
      if (joint.length) *joint.length *= L_;
    }
  }
  void scale(SpringDamper& spring) const {
    for (Frame& frame : spring.between) frame.position *= L_;
    spring.stiffness *= M_ / (T_ * T_);
    spring.damping *= M_ / T_;
    if (spring.rest_length) *spring.rest_length *= L_;
  }
  void scale(TorsionalSpringDamper& spring) const {
    spring.stiffness *= M_ * L_ * L_ / (T_ * T_);
    spring.damping *= M_ * L_ * L_ / T_;
  }
  template <class F>
  void scale(F& /*force*/) const {
    FAIL() << "this force is not scaled";
  }
  template <class S>
  void scale_shape(S& shape) const {
    if constexpr (requires { shape.radius; }) shape.radius *= L_;
    if constexpr (requires { shape.surface_velocity; }) shape.surface_velocity *= L_ / T_;
    if constexpr (std::is_same_v<S, Box>) shape.size *= L_;
    if constexpr (std::is_same_v<S, Face>) {
      if (shape.size) *shape.size *= L_;
    }
  }

  double L_, M_, T_;
};

TableSink run_in(const Units& units, const ModelFile& file, double h, double end) {
  return run_model(Rescaling(units)(file.model),
                   Dynamics{.end_time = end * units.time,
                            .integrator = NonsmoothGeneralizedAlpha{.step = h * units.time}});
}

/// The largest difference of two columns of positions, in SI, over a size of the motion.
double difference(const TableSink& si, const TableSink& other, const std::string& column,
                  double length) {
  const std::vector<double>&a = si.column(column), &b = other.column(column);
  if (a.size() != b.size()) return std::nan("");
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::abs(b[i] / length - a[i]));
  return worst / std::max(largest_of(a), 1e-3);
}

struct Case {
  const char* example;
  double step, end;
  std::vector<std::string> columns;
};

class ContactUnits : public testing::TestWithParam<Units> {};

// Round-off differs, and impacts let it grow; 1e-9 leaves them a factor of a million.
TEST_P(ContactUnits, DoNotMatter) {
  const Case cases[] = {
      {"bouncing_ball", 1e-3, 5, {"ball.position.z"}},
      {"rigid_box_impact", 1e-3, 0.69, {"box.position.z"}},
      {"rocking_rod_3", 1e-3, 1.5, {"rod.position.x", "rod.position.y"}},
      {"block_on_belt", 1e-3, 3, {"block.position.x", "block.position.z"}},
      {"pendulum_on_flexible_supports", 1e-3, 1, {"bob.position.x", "bob.position.z"}},
      {"woodpecker_free", 1e-4, 0.2, {"sleeve.position.y"}},
      {"box_stack", 5e-3, 1, {"box_1.position.z", "box_10.position.z"}},
      {"box_dropped_corner", 1e-3, 1.5, {"box.position.x", "box.position.z"}}};
  const Units si{"si", 1, 1, 1};
  for (const Case& c : cases) {
    const ModelFile file = read_example(c.example);
    const TableSink reference = run_in(si, file, c.step, c.end);
    const TableSink table = run_in(GetParam(), file, c.step, c.end);
    ASSERT_TRUE(reference.report().converged());
    ASSERT_TRUE(table.report().converged()) << c.example << ": " << table.report().message;
    EXPECT_EQ(table.report().impacts, reference.report().impacts) << c.example;
    EXPECT_EQ(table.report().warnings.size(), reference.report().warnings.size()) << c.example;
    for (const std::string& column : c.columns) {
      const double error = difference(reference, table, column, GetParam().length);
      measured(std::string(c.example) + "." + column, error);
      EXPECT_LE(error, 1e-9) << c.example << ", " << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Units, ContactUnits,
                         testing::Values(Units{"millimetre_tonne_second", 1e3, 1e-3, 1},
                                         Units{"millimetre_gram_millisecond", 1e3, 1e3, 1e3},
                                         Units{"kilometre_kilogram_hour", 1e-3, 1, 1 / 3600.0},
                                         Units{"kilometre_tonne_second", 1e-3, 1e-3, 1}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace contact_scaling_test
}  // namespace saltus::test
