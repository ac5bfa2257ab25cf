// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/model_file.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace saltus {
namespace model_file_test {

const char* const ball = R"({
  "saltus": 1,
  "$schema": "saltus.schema.json",
  "comment": "A ball on a pin.",
  "model": {
    "comment": {"any": ["value"]},
    "gravity": [0, 0, -1],
    "bodies": [
      {"name": "ball", "type": "rigid", "comment": 1,
       "inertia": {"type": "explicit", "mass": 1.5, "tensor": [[2, 0.5, 0], [0.5, 3, 0], [0, 0, 4]]},
       "pose": {"position": [0, 0, 1], "orientation": [0.6, 0.8, 0, 0]},
       "velocity": {"linear": [2, 0, 0], "angular": [0, 3, 0]}},
      {"type": "point_mass", "mass": 2, "pose": {"position": [3, 0, 0]}}
    ],
    "joints": [
      {"name": "pin", "type": "revolute", "bodies": ["ground", "ball"], "at": [0, 0, 0], "axis": "-y",
       "drive": {"type": "speed", "value": 3}},
      {"type": "distance", "between": [{"body": "point_mass1"}, {"body": "ground"}]},
      {"type": "lock", "body": "ball", "translation": ["z", "x"], "rotation": []}
    ],
    "forces": [
      {"type": "force", "on": {"body": "ball"}, "value":
        [1, {"type": "sine", "amplitude": 2, "frequency": 3}, {"type": "expression", "text": "t^2"}]},
      {"type": "torsional_spring_damper", "joint": "pin", "stiffness": 5}
    ]
  },
  "simulation": {"end_time": 2.5, "on_failure": "stop", "record": {"every": 1e1},
                 "integrator": {"type": "generalized_alpha", "step": 1e-4}}
})";

const char* const contacts = R"({
  "saltus": 1,
  "model": {
    "bodies": [{"name": "ball", "type": "rigid",
                "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.1}}],
    "colliders": [
      {"frame": {"body": "ball"}, "shape": {"type": "point"}},
      {"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "sphere", "radius": 0.1}},
      {"name": "crate", "frame": {"body": "ball", "position": [0, 0, 1]},
       "shape": {"type": "box", "size": [1, 2, 3]}},
      {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
      {"name": "belt", "frame": {"body": "ground", "rotation_vector": [1, 0, 0]},
       "shape": {"type": "face", "normal": "-y", "size": [4, 0.5], "surface_velocity": [2, 0, 0]}}
    ],
    "contacts": [
      {"name": "bounce", "between": [["skin", "c*"], "floor"], "restitution": 0.8,
       "tangential_restitution": -0.5, "friction": 0.3},
      {"between": ["belt", "*"]}
    ]
  },
  "simulation": {"end_time": 1,
                 "integrator": {"type": "nonsmooth_generalized_alpha", "neglect_force_difference": true,
                                "position_friction": false},
                 "solver": {"method": "gauss_seidel", "acceptable": 1e-6}}
})";

ModelFile parse(const std::string& text, const std::vector<std::string>& settings = {}) {
  return parse_model(text, "test.json", settings);
}

TEST(ModelFile, ReadsEveryKindOfField) {
  const ModelFile file = parse(ball);
  const Model& model = file.model;
  EXPECT_EQ(file.comment, "A ball on a pin.");
  EXPECT_EQ(model.gravity, Vector3(0, 0, -1));
  ASSERT_EQ(model.bodies.size(), 2U);
  const auto& body = std::get<RigidBody>(model.bodies[0]);
  const auto& inertia = std::get<ExplicitInertia>(body.inertia);
  EXPECT_EQ(inertia.mass, 1.5);
  EXPECT_FALSE(inertia.moments);
  EXPECT_EQ(inertia.tensor->row(0), Eigen::RowVector3d(2, 0.5, 0));
  EXPECT_EQ(body.pose.orientation->w(), 0.6);
  EXPECT_EQ(body.pose.orientation->x(), 0.8);
  EXPECT_EQ(body.velocity.angular, Vector3(0, 3, 0));
}

TEST(ModelFile, ReadsReferencesEnumsAndFunctions) {
  const Model model = parse(ball).model;
  const auto& pin = std::get<Revolute>(model.joints[0]);
  EXPECT_EQ(pin.bodies, (std::vector<BodyId>{ground_body, BodyId{0}}));
  EXPECT_EQ(Vector3(*pin.axis), Vector3(0, -1, 0));
  EXPECT_EQ(std::get<double>(std::get<Speed>(*pin.drive).value), 3);
  EXPECT_EQ(std::get<Distance>(model.joints[1]).between[0].body, BodyId{1});
  EXPECT_EQ(std::get<Lock>(model.joints[2]).translation, (std::vector<Axis>{Axis::Z, Axis::X}));
  const auto& force = std::get<Force>(model.forces[0]);
  EXPECT_EQ(std::get<double>(force.value[0]), 1);
  EXPECT_EQ(std::get<Sine>(force.value[1]).frequency, 3);
  EXPECT_EQ(std::get<Expression>(force.value[2]).text, "t^2");
  EXPECT_EQ(std::get<TorsionalSpringDamper>(model.forces[1]).joint, JointId{0});
}

TEST(ModelFile, ReadsOptionsAndDefaults) {
  const ModelFile file = parse(ball);
  const auto& dynamics = std::get<Dynamics>(file.simulation);
  EXPECT_EQ(dynamics.end_time, 2.5);
  EXPECT_EQ(dynamics.on_failure, FailurePolicy::Stop);
  EXPECT_EQ(dynamics.record.every, 10);
  EXPECT_EQ(step_of(dynamics.integrator), 1e-4);
  EXPECT_EQ(std::get<GeneralizedAlpha>(dynamics.integrator).rho_inf, 0.8);
}

TEST(ModelFile, ReadsColliders) {
  const Model model = parse(contacts).model;
  ASSERT_EQ(model.colliders.size(), 5U);
  EXPECT_EQ(model.colliders[0].name, "collider0");
  EXPECT_TRUE(std::holds_alternative<PointShape>(model.colliders[0].shape));
  EXPECT_EQ(std::get<Sphere>(model.colliders[1].shape).radius, 0.1);
  EXPECT_EQ(model.colliders[2].frame.body, BodyId{0});
  EXPECT_EQ(model.colliders[2].frame.position, Vector3(0, 0, 1));
  EXPECT_EQ(std::get<Box>(model.colliders[2].shape).size, Vector3(1, 2, 3));
  EXPECT_EQ(Vector3(std::get<HalfSpace>(model.colliders[3].shape).normal), Vector3(0, 0, 1));
  const auto& belt = std::get<Face>(model.colliders[4].shape);
  EXPECT_EQ(Vector3(belt.normal), Vector3(0, -1, 0));
  EXPECT_EQ(*belt.size, Eigen::Vector2d(4, 0.5));
  EXPECT_EQ(belt.surface_velocity, Vector3(2, 0, 0));
}

TEST(ModelFile, ReadsContacts) {
  const Model model = parse(contacts).model;
  ASSERT_EQ(model.contacts.size(), 2U);
  const Contact& bounce = model.contacts[0];
  EXPECT_EQ(bounce.between[0].patterns, (std::vector<std::string>{"skin", "c*"}));
  EXPECT_EQ(bounce.between[1].patterns, std::vector<std::string>{"floor"});
  EXPECT_EQ(bounce.restitution, 0.8);
  EXPECT_EQ(bounce.tangential_restitution, -0.5);
  EXPECT_EQ(std::get<double>(bounce.friction), 0.3);
  EXPECT_EQ(model.contacts[1].name, "contact1");
  EXPECT_EQ(std::get<double>(model.contacts[1].friction), 0);
}

const std::string spheres = R"({"saltus": 1,
 "model": {
  "bodies": [{"name": "ball", "type": "rigid",
              "inertia": {"type": "solid_sphere", "mass": 1, "radius": 0.1}}],
  "colliders": [
   {"name": "skin", "frame": {"body": "ball"}, "shape": {"type": "sphere", "radius": 0.1}},
   {"name": "bowl", "frame": {"body": "ground"}, "shape": {"type": "hollow_sphere", "radius": 2}},
   {"name": "floor", "frame": {"body": "ground"}, "shape": {"type": "half_space"}},
   {"name": "wall", "frame": {"body": "ground"}, "shape": {"type": "half_space", "normal": "x"}}],
  "contacts": [
   {"between": ["skin", "bowl"], "friction": {"type": "exponential", "base": 0.3, "amplitude": -0.1,
    "decay": 2}, "rolling_friction": 0.01, "spinning_friction": 0.02,
    "sliding_and_spinning": "coupled"},
   {"between": ["skin", "floor"], "friction": {"type": "stribeck", "static": 0.4, "kinetic": 0.2,
    "stribeck_velocity": 0.01, "exponent": 1, "viscous": 0.1}},
   {"between": ["skin", "wall"], "friction": {"type": "stribeck", "static": 0.4, "kinetic": 0.2,
    "stribeck_velocity": 0.01}}]},
 "simulation": {"end_time": 1, "multiple_impacts": "simultaneous",
                "record": {"contacts": "totals", "events": "impacts"}}})";

TEST(ModelFile, ReadsHollowSpheresAndMoments) {
  const Model model = parse(spheres).model;
  EXPECT_EQ(std::get<HollowSphereShape>(model.colliders[1].shape).radius, 2);
  EXPECT_EQ(model.contacts[0].rolling_friction, 0.01);
  EXPECT_EQ(model.contacts[0].spinning_friction, 0.02);
  EXPECT_EQ(model.contacts[0].sliding_and_spinning, SlidingAndSpinning::Coupled);
  EXPECT_EQ(model.contacts[1].rolling_friction, 0);
  EXPECT_EQ(model.contacts[1].spinning_friction, 0);
  EXPECT_EQ(model.contacts[1].sliding_and_spinning, SlidingAndSpinning::Independent);
}

TEST(ModelFile, ReadsFrictionLaws) {
  const Model model = parse(spheres).model;
  const auto& exponential = std::get<ExponentialFriction>(model.contacts[0].friction);
  EXPECT_EQ(exponential.base, 0.3);
  EXPECT_EQ(exponential.amplitude, -0.1);
  EXPECT_EQ(exponential.decay, 2);
  const auto& stribeck = std::get<StribeckFriction>(model.contacts[1].friction);
  EXPECT_EQ(stribeck.static_friction, 0.4);
  EXPECT_EQ(stribeck.kinetic, 0.2);
  EXPECT_EQ(stribeck.stribeck_velocity, 0.01);
  EXPECT_EQ(stribeck.exponent, 1);
  EXPECT_EQ(stribeck.viscous, 0.1);
  EXPECT_EQ(std::get<StribeckFriction>(model.contacts[2].friction).exponent, 2);
  EXPECT_EQ(std::get<StribeckFriction>(model.contacts[2].friction).viscous, 0);
}

TEST(ModelFile, ReadsAndWritesRestitutionOfTheSpeed) {
  const ModelFile file = parse(spheres);
  Model model = file.model;
  model.contacts[0].restitution = PowerRestitution{0.8, 2, -0.2};
  model.contacts[1].restitution = TableRestitution{{0, 1}, {0.9, 0.7}};
  model.contacts[2].restitution = 0.25;
  const std::string text = write_model(model, file.simulation);
  EXPECT_NE(text.find(R"("restitution": {"type": "power", "reference": 0.8, "reference_speed": 2)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find(R"("restitution": 0.25)"), std::string::npos) << text;
  const Model again = parse(text).model;
  const auto& power = std::get<PowerRestitution>(again.contacts[0].restitution);
  EXPECT_EQ(power.reference, 0.8);
  EXPECT_EQ(power.reference_speed, 2);
  EXPECT_EQ(power.exponent, -0.2);
  const auto& table = std::get<TableRestitution>(again.contacts[1].restitution);
  EXPECT_EQ(table.speeds, (std::vector<double>{0, 1}));
  EXPECT_EQ(table.values, (std::vector<double>{0.9, 0.7}));
  EXPECT_EQ(again.contacts[2].restitution, 0.25);
}

TEST(ModelFile, ReadsWhatIsRecordedOfContacts) {
  const auto dynamics = std::get<Dynamics>(parse(spheres).simulation);
  EXPECT_EQ(dynamics.multiple_impacts, MultipleImpacts::Simultaneous);
  EXPECT_EQ(dynamics.record.contacts, ContactDetail::Totals);
  EXPECT_EQ(dynamics.record.events, EventDetail::Impacts);
  const auto defaults = std::get<Dynamics>(parse(contacts).simulation);
  EXPECT_EQ(defaults.multiple_impacts, MultipleImpacts::Sequence);
  EXPECT_EQ(defaults.record.contacts, ContactDetail::Points);
  EXPECT_EQ(defaults.record.events, EventDetail::All);
}

TEST(ModelFile, SetsFrictionAndItsLaws) {
  const Model number = parse(spheres, {"/model/contacts/0/friction=0.5"}).model;
  EXPECT_EQ(std::get<double>(number.contacts[0].friction), 0.5);
  const Model law = parse(spheres, {"/model/contacts/1/friction/static=0.5"}).model;
  EXPECT_EQ(std::get<StribeckFriction>(law.contacts[1].friction).static_friction, 0.5);
}

TEST(ModelFile, ReadsOptionsOfContacts) {
  const auto dynamics = std::get<Dynamics>(parse(contacts).simulation);
  const auto& integrator = std::get<NonsmoothGeneralizedAlpha>(dynamics.integrator);
  EXPECT_EQ(integrator.coupling, Coupling::Decoupled);
  EXPECT_TRUE(integrator.neglect_force_difference);
  EXPECT_FALSE(integrator.position_friction);
  EXPECT_EQ(dynamics.solver.method, nonsmooth::SolverKind::GaussSeidel);
  EXPECT_EQ(dynamics.solver.acceptable, 1e-6);
  EXPECT_EQ(dynamics.solver.tolerance, 1e-12);
}

TEST(ModelFile, ChoosesTheNonsmoothMethodByDefault) {
  const std::string text =
      R"({"saltus":1,"model":{"bodies":[{"type":"point_mass","mass":1}]},"simulation":{"end_time":1}})";
  const auto dynamics = std::get<Dynamics>(parse(text).simulation);
  EXPECT_TRUE(std::holds_alternative<NonsmoothGeneralizedAlpha>(dynamics.integrator));
  EXPECT_EQ(step_of(dynamics.integrator), 1e-3);
}

TEST(ModelFile, GivesDefaultNames) {
  const Model model = parse(ball).model;
  EXPECT_EQ(name_of(model.bodies[1]), "point_mass1");
  EXPECT_EQ(name_of(model.joints[1]), "distance1");
  EXPECT_EQ(name_of(model.forces[0]), "force0");
}

TEST(ModelFile, AppliesSettings) {
  const ModelFile file = parse(ball, {"/simulation/integrator/step=1e-3", "/model/gravity/2=-9.81",
                                      "/model/bodies/ball/pose/position/2=0.5"});
  EXPECT_EQ(step_of(std::get<Dynamics>(file.simulation).integrator), 1e-3);
  EXPECT_EQ(file.model.gravity, Vector3(0, 0, -9.81));
  EXPECT_EQ(std::get<RigidBody>(file.model.bodies[0]).pose.position, Vector3(0, 0, 0.5));
}

TEST(ModelFile, SettingsAreValidatedLikeTheFile) {
  try {
    parse(ball, {"/simulation/integrator/step=fast"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "test.json: /simulation/integrator/step: must be a number, or an object like "
                 "{\"max\": 1e-2, \"tolerance\": 1e-4}, got \"fast\"");
  }
}

TEST(ModelFile, HashIgnoresCommentsSpacesOrderAndSpellingOfNumbers) {
  const std::string one =
      R"({"saltus":1,"model":{"bodies":[{"type":"point_mass","mass":1}]},"simulation":{"end_time":1}})";
  const std::string other = R"({"simulation": {"end_time": 1.0, "comment": "x"}, "comment": "y",
      "model": {"bodies": [{"mass": 10e-1, "type": "point_mass"}]}, "$schema": "s", "saltus": 1})";
  EXPECT_EQ(parse(one).hash, parse(other).hash);
  EXPECT_EQ(parse(one).hash.size(), 32U);
  EXPECT_NE(parse(one).hash, parse(one, {"/simulation/end_time=2"}).hash);
}

TEST(WriteModel, ReadsBackAsTheSame) {
  const ModelFile file = parse(ball);
  const std::string text = write_model(file.model, file.simulation);
  const ModelFile again = parse(text);
  EXPECT_EQ(write_model(again.model, again.simulation), text);
  const auto& before = std::get<RigidBody>(file.model.bodies[0]);
  const auto& after = std::get<RigidBody>(again.model.bodies[0]);
  EXPECT_EQ(after.pose.position, before.pose.position);
  EXPECT_EQ(after.pose.orientation->coeffs(), before.pose.orientation->coeffs());
  EXPECT_EQ(*std::get<ExplicitInertia>(after.inertia).tensor,
            *std::get<ExplicitInertia>(before.inertia).tensor);
  EXPECT_EQ(Vector3(*std::get<Revolute>(again.model.joints[0]).axis), Vector3(0, -1, 0));
}

TEST(WriteModel, ContactsReadBackAsTheSame) {
  const ModelFile file = parse(contacts);
  const std::string text = write_model(file.model, file.simulation);
  const ModelFile again = parse(text);
  EXPECT_EQ(write_model(again.model, again.simulation), text);
  EXPECT_EQ(again.model.contacts[0].between[0].patterns,
            file.model.contacts[0].between[0].patterns);
  EXPECT_EQ(*std::get<Face>(again.model.colliders[4].shape).size, Eigen::Vector2d(4, 0.5));
  EXPECT_NE(text.find(R"("between": ["belt", "*"])"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("shape": {"type": "half_space"})"), std::string::npos) << text;
}

TEST(WriteModel, SpheresAndFrictionLawsReadBackAsTheSame) {
  const ModelFile file = parse(spheres);
  const std::string text = write_model(file.model, file.simulation);
  const ModelFile again = parse(text);
  EXPECT_EQ(write_model(again.model, again.simulation), text);
  EXPECT_EQ(std::get<HollowSphereShape>(again.model.colliders[1].shape).radius, 2);
  EXPECT_EQ(std::get<ExponentialFriction>(again.model.contacts[0].friction).amplitude, -0.1);
  EXPECT_EQ(std::get<StribeckFriction>(again.model.contacts[1].friction).viscous, 0.1);
  EXPECT_EQ(again.model.contacts[0].sliding_and_spinning, SlidingAndSpinning::Coupled);
  EXPECT_EQ(std::get<Dynamics>(again.simulation).record.events, EventDetail::Impacts);
}

TEST(WriteModel, KeepsEveryBitOfNumbers) {
  Model model;
  model.gravity = {0.1 + 0.2, -1.0 / 3, 6.02214076e23};
  model.add(PointMass{.mass = 5e-324});
  const ModelFile again = parse(write_model(model, Dynamics{.end_time = 0.1 * 3}));
  EXPECT_EQ(again.model.gravity, model.gravity);
  EXPECT_EQ(std::get<PointMass>(again.model.bodies[0]).mass, 5e-324);
  EXPECT_EQ(std::get<Dynamics>(again.simulation).end_time, 0.1 * 3);
}

TEST(WriteModel, LeavesOutDefaults) {
  Model model;
  model.add(PointMass{.name = "bob", .mass = 1});
  EXPECT_EQ(
      write_model(model, Statics{}),
      "{\n"
      "  \"saltus\": 1,\n"
      "  \"model\": {\"bodies\": [{\"name\": \"bob\", \"type\": \"point_mass\", \"mass\": 1}]},\n"
      "  \"simulation\": {\"type\": \"statics\"}\n"
      "}\n");
}

TEST(WriteModel, RefusesAModelThatIsWrong) {
  EXPECT_THROW(write_model(Model{}, Dynamics{}), InputError);
}

TEST(ReadModelFile, NamesFilesThatCannotBeRead) {
  EXPECT_THROW(read_model_file("/nowhere/model.json"), FileError);
  EXPECT_THROW(read_model_file(std::filesystem::temp_directory_path()), FileError);
  try {
    read_model_file("/nowhere/model.json");
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "/nowhere/model.json: cannot be read: No such file or directory");
  }
}

}  // namespace model_file_test
}  // namespace saltus
