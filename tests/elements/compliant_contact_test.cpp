// SPDX-License-Identifier: Apache-2.0
#include "saltus/elements/compliant_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/elements/state_coordinate.hpp"
#include "tests/elements/sphere_contacts.hpp"
#include "tests/support/derivative.hpp"

namespace saltus {
namespace compliant_contact_test {

using namespace test;

constexpr int samples = 12;
constexpr double h = 1e-2;

/// Surfaces that overlap by a tenth or so, moved a little since the memory was made.
struct Touching {
  CompliantContact e;
  NodePose A, B;
  Vector12 v;
  ContactMemory before;
  double time = 1;

  Touching(Random& random, const Shapes& shapes, double friction) {
    RandomContact contact(random, shapes);
    e.contact = contact.element;
    e.contact.has_moments = false;
    e.law = {.stiffness = 40, .exponent = 1.5, .damping_ratio = 0.8};
    e.friction = friction;
    A = contact.A;
    const NodePair q{A, contact.B};
    const Vector3 n = e.contact.axes(q).col(0);
    const double depth = random.uniform(0.05, 0.15);
    const NodePose start = contact.B.translated(-(e.contact.gap(q) + depth) * n);
    v = random.vector_x(12, 0.3);
    const NodePair then{A, start};
    before = e.start(then, v, time - h);
    before.approach = 2;
    const Vector3 across = random.vector();
    before.friction = 0.3 * (across - before.normal.dot(across) * before.normal);
    B = start.moved(random.vector(0.01), random.vector(0.02));
  }
  NodePair pair() const { return {A, B}; }
  Vector12 total(const NodePair& q, const Vector12& velocity) const {
    const auto f = e.forces(q, velocity, time, before);
    return f.elastic + f.damping;
  }
};

constexpr std::array exact_shapes = {"two spheres",      "sphere and point", "point and sphere",
                                     "inside",           "point inside",     "on a plane",
                                     "sphere in a bore", "ball in a groove"};

template <class Check>
void at_random_touches(double friction, const Check& check) {
  Random random(11);
  for (const Shapes& shapes : all_shapes) {
    if (std::ranges::find(exact_shapes, std::string_view(shapes.name)) == exact_shapes.end()) {
      continue;
    }
    for (int i = 0; i < samples; ++i) {
      const Touching t(random, shapes, friction);
      if (t.e.contact.gap(t.pair()) < -0.02) check(t, shapes.name);
    }
  }
}

class Friction : public testing::TestWithParam<double> {};

TEST_P(Friction, StiffnessIsMinusTheForcesDerivative) {
  Agreement agreement("stiffness");
  at_random_touches(GetParam(), [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    const auto force = [&](const NodePair& q) -> VectorX { return t.total(q, t.v); };
    agreement.compare(t.e.tangents(t.pair(), t.v, t.time, t.before).K,
                      -pose_derivative(force, t.pair(), 1e-5));
  });
  agreement.expect_within(1e-7);
}

TEST_P(Friction, DampingIsMinusTheForcesDerivative) {
  Agreement agreement("damping");
  at_random_touches(GetParam(), [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    const auto force = [&](const VectorX& v) -> VectorX { return t.total(t.pair(), v); };
    agreement.compare(t.e.tangents(t.pair(), t.v, t.time, t.before).C,
                      -vector_derivative(force, t.v, 1e-4));
  });
  agreement.expect_within(1e-8);
}

/// What formulas see of a contact between two nodes.
struct Seen {
  const Touching& t;
  StateCoordinate coordinate;
  std::vector<Node> nodes = {Node::make(NodeKind::Frame, 0), Node::make(NodeKind::Frame, 6)};
  std::vector<ContactMemory> memory = {t.before};

  Seen(const Touching& touching, ContactReading::Kind kind, int component, double sign)
      : t(touching),
        coordinate{
            .node_A = 0, .node_B = 1, .coordinate = ContactReading{t.e, kind, component, sign}} {}

  template <class Ask>
  auto ask(const NodePair& q, const VectorX& v, const Ask& what) const {
    const std::vector<NodePose> poses = {q.A, q.B};
    const ElementInput input{
        .nodes = nodes, .poses = poses, .contacts = memory, .at = {.time = t.time}, .velocity = &v};
    return what(PairView(input, {0, 1}));
  }
  double value(const NodePair& q, const VectorX& v) const {
    return ask(q, v, [&](const PairView& at) { return coordinate.value(at); });
  }
  StateCoordinate::Gradient gradient() const {
    return ask(t.pair(), t.v, [&](const PairView& at) { return coordinate.gradient(at); });
  }
};

TEST_P(Friction, WhatFormulasSeeHasItsDerivatives) {
  Agreement by_place("place"), by_speed("speed");
  at_random_touches(GetParam(), [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    for (int k = 0; k < 8; ++k) {
      const auto kind =
          k % 4 == 3 ? ContactReading::Kind::Indentation : ContactReading::Kind::Force;
      const Seen seen(t, kind, k % 4 == 3 ? 0 : k % 4, k < 4 ? 1 : -1);
      const auto of_place = [&](const NodePair& q) { return one(seen.value(q, t.v)); };
      const auto of_speed = [&](const VectorX& v) { return one(seen.value(t.pair(), v)); };
      const StateCoordinate::Gradient g = seen.gradient();
      by_place.compare(g.by_q, pose_derivative(of_place, t.pair(), 1e-5));
      by_speed.compare(g.by_v, vector_derivative(of_speed, t.v, 1e-4));
    }
  });
  by_place.expect_within(1e-7);
  by_speed.expect_within(1e-8);
}

// Along the axes of the results, on the second collider; at the end of a step what it remembers.
TEST_P(Friction, FormulasSeeTheForceOfTheMotion) {
  at_random_touches(GetParam(), [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    const Vector3 on_B = t.total(t.pair(), t.v).segment<3>(6);
    Vector3 along = Vector3::Zero();
    for (int k = 0; k < 3; ++k) {
      along[k] = Seen(t, ContactReading::Kind::Force, k, 1).value(t.pair(), t.v);
    }
    EXPECT_NEAR(along.norm(), on_B.norm(), 1e-12 * on_B.norm());
    EXPECT_NEAR(along[0], t.e.contact.axes(t.pair()).col(0).dot(on_B), 1e-12 * on_B.norm());
    const Seen turned(t, ContactReading::Kind::Force, 0, -1);
    EXPECT_NEAR(turned.value(t.pair(), t.v), along[0], 1e-12 * on_B.norm());
    Seen later(t, ContactReading::Kind::Force, 0, 1);
    ContactBooks books;
    later.memory[0] = t.e.end(t.pair(), t.v, t.time, t.before, books);
    EXPECT_NEAR(later.value(t.pair(), t.v),
                t.e.contact.axes(t.pair()).col(0).dot(later.memory[0].force), 1e-12 * on_B.norm());
  });
}

// None, slip, stick.
INSTANTIATE_TEST_SUITE_P(CompliantContact, Friction, testing::Values(0.0, 0.05, 50.0));

/// A stiffness that depends much on where in the section the ball touches.
CompliantContact in_groove(CompliantContact e) {
  e.in_groove = hertz::StiffnessInGroove{{1.0, 0.3, -0.2, 0.1, 0.15}};
  return e;
}

template <class Check>
void at_random_touches_in_grooves(double friction, const Check& check) {
  at_random_touches(friction, [&](Touching t, std::string_view name) {
    if (name != "ball in a groove") return;
    t.e = in_groove(t.e);
    check(t);
  });
}

TEST(CompliantContact, InAGrooveForcesAreThoseOfTheEnergy) {
  Agreement agreement("force");
  at_random_touches_in_grooves(0, [&](const Touching& t) {
    const auto energy = [&](const NodePair& q) -> VectorX {
      ContactBooks books;
      return VectorX::Constant(1,
                               t.e.energy(t.e.end(q, Vector12::Zero(), t.time, t.before, books)));
    };
    const VectorX f = t.e.forces(t.pair(), Vector12::Zero(), t.time, t.before).elastic;
    agreement.compare(f.transpose(), -pose_derivative(energy, t.pair(), 1e-5));
  });
  agreement.expect_within(1e-7);
}

TEST(CompliantContact, TangentsInAGrooveWhoseStiffnessChanges) {
  for (const double friction : {0.0, 0.05, 50.0}) {
    Agreement stiffness("stiffness"), damping("damping");
    at_random_touches_in_grooves(friction, [&](const Touching& t) {
      const auto by_place = [&](const NodePair& q) -> VectorX { return t.total(q, t.v); };
      const auto by_speed = [&](const VectorX& v) -> VectorX { return t.total(t.pair(), v); };
      const CompliantContact::Tangents exact = t.e.tangents(t.pair(), t.v, t.time, t.before);
      stiffness.compare(exact.K, -pose_derivative(by_place, t.pair(), 1e-5));
      damping.compare(exact.C, -vector_derivative(by_speed, t.v, 1e-4));
    });
    stiffness.expect_within(1e-7);
    damping.expect_within(1e-8);
  }
}

/// Restitution falls with the speed of approach.
DampingOfSpeed yielding() {
  return {
      .model = hertz::DampingModel::Flores,
      .restitution = PowerRestitution{.reference = 0.7, .reference_speed = 1, .exponent = -0.25}};
}

TEST(CompliantContact, TangentsOfADampingThatFollowsTheSpeedOfApproach) {
  Agreement stiffness("stiffness"), damping("damping");
  at_random_touches(0.05, [&](Touching t, const char* name) {
    SCOPED_TRACE(name);
    t.e.damping = yielding();
    const auto by_place = [&](const NodePair& q) -> VectorX { return t.total(q, t.v); };
    const auto by_speed = [&](const VectorX& v) -> VectorX { return t.total(t.pair(), v); };
    const CompliantContact::Tangents exact = t.e.tangents(t.pair(), t.v, t.time, t.before);
    stiffness.compare(exact.K, -pose_derivative(by_place, t.pair(), 1e-5));
    damping.compare(exact.C, -vector_derivative(by_speed, t.v, 1e-4));
  });
  stiffness.expect_within(1e-7);
  damping.expect_within(1e-8);
}

TEST(CompliantContact, HasTheDampingOfItsSpeedOfApproach) {
  at_random_touches(0.3, [&](Touching t, const char* name) {
    SCOPED_TRACE(name);
    Touching number = t;
    t.e.damping = yielding();
    const double e = 0.7 * std::pow(2.0, -0.25);  // they met with 2 m/s
    number.e.law.damping_ratio = 1.6 * (1 - e) / e;
    EXPECT_LT((t.total(t.pair(), t.v) - number.total(t.pair(), t.v)).norm(), 1e-13);
    t.before.approach = 0;  // they have never met
    number.before.approach = 0;
    EXPECT_EQ(t.total(t.pair(), t.v), number.total(t.pair(), t.v));
  });
}

TEST(CompliantContact, ForcesBalanceEachOther) {
  at_random_touches(0.3, [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    const Vector12 f = t.total(t.pair(), t.v);
    const Vector3 sum = f.head<3>() + f.segment<3>(6);
    EXPECT_LE(sum.norm(), 1e-12 * f.norm());
    const Vector3 moment = t.A.x.cross(f.head<3>()) + t.A.R * f.segment<3>(3) +
                           t.B.x.cross(f.segment<3>(6)) + t.B.R * f.tail<3>();
    EXPECT_LE(moment.norm(), 1e-12 * (1 + t.A.x.norm() + t.B.x.norm()) * f.norm());
  });
}

TEST(CompliantContact, ForcesTurnWithTheBodies) {
  Random random(5);
  at_random_touches(0.3, [&](const Touching& t, const char* name) {
    SCOPED_TRACE(name);
    const Matrix3 R = random.rotation();
    const auto turned = [&](const NodePose& p) { return NodePose::from(R * p.x, R * p.R); };
    Vector12 v = t.v, f = t.total(t.pair(), t.v);
    for (Vector12* x : {&v, &f}) {
      x->head<3>() = R * Vector3(x->head<3>());
      x->segment<3>(6) = R * Vector3(x->segment<3>(6));
    }
    const NodePose A = turned(t.A), B = turned(t.B);
    EXPECT_LT((t.total({A, B}, v) - f).norm(), 1e-12 * (1 + f.norm()));
  });
}

TEST(CompliantContact, FrictionKeepsItsBoundAndItsWorkIsALoss) {
  for (const double mu : {0.05, 0.3, 50.0}) {
    at_random_touches(mu, [&](const Touching& t, const char* name) {
      SCOPED_TRACE(name);
      ContactBooks books;
      const ContactMemory now = t.e.end(t.pair(), t.v, t.time, t.before, books);
      EXPECT_LE(now.friction.norm(), mu * now.normal_force * (1 + 1e-12));
      EXPECT_LT(std::abs(now.friction.dot(now.normal)), 1e-12 * (1 + now.friction.norm()));
      EXPECT_GE(books.friction_loss, 0);
    });
  }
}

TEST(CompliantContact, StickingStoresWhatIsDoneAcross) {
  // Two spheres; only the place across changes, so that the normal force stays.
  CompliantContact e;
  e.contact = touch(feature(Kind::Plane, 0, {}), feature(Kind::Sphere, 0.4, {})).element;
  e.law = {.stiffness = 40, .exponent = 1.5};
  e.friction = 10.0;
  const NodePose A;
  NodePose B;
  B.x = {0, 0, 0.35};
  ContactMemory memory = e.start({A, B}, Vector12::Zero(), 0);
  const double stored = e.energy(memory);
  double work = 0;
  ContactBooks books;
  for (int i = 1; i <= 4; ++i) {
    const Vector3 before = memory.friction;
    B.x.x() += 1e-3;
    memory = e.end({A, B}, Vector12::Zero(), i * h, memory, books);
    work -= 1e-3 * (before + memory.friction).x() / 2;
  }
  EXPECT_NEAR(e.energy(memory) - stored, work, 1e-15);
  EXPECT_EQ(books.friction_loss, 0);
  EXPECT_TRUE(memory.sticks);
  for (int i = 5; i <= 8; ++i) {
    B.x.x() -= 1e-3;
    memory = e.end({A, B}, Vector12::Zero(), i * h, memory, books);
  }
  EXPECT_LT(memory.friction.norm(), 1e-12) << "it comes back";
}

}  // namespace compliant_contact_test
}  // namespace saltus
