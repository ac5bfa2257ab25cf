// SPDX-License-Identifier: Apache-2.0
// The contact cases in MuJoCo (2.2). Contacts are soft there: every case runs with the default
// softness and a stiff one, and a bounce comes from a spring and a damper.
#include <mujoco/mujoco.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>

#include "contact_cases.hpp"

namespace {

using bench::Bounce;
using bench::cpu_seconds;
using bench::Crank;
using bench::Roll;
using bench::Stack;

/// A loaded model and its state.
class World {
 public:
  explicit World(const std::string& xml) {
    const auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char message[1000] = "";
    model_ = mj_loadXML("model.xml", files.get(), message, sizeof message);
    mj_deleteVFS(files.get());
    if (!model_) {
      std::fprintf(stderr, "MuJoCo: %s\n", message);
      std::exit(1);
    }
    data_ = mj_makeData(model_);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }

  void step() { mj_step(model_, data_); }
  double time() const { return data_->time; }
  /// Position and quaternion of a free body: seven numbers.
  const double* pose(int body) const { return data_->qpos + 7 * body; }
  /// Coordinates and velocities of joints.
  double* positions() { return data_->qpos; }
  double* rates() { return data_->qvel; }
  /// Linear and angular velocity: six numbers.
  double* velocity(int body) { return data_->qvel + 6 * body; }

 private:
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

const std::string stiff = "solref=\"0.002 1\" solimp=\"0.99 0.9999 0.0001\"";  // 2 h, the shortest

/// A floor and what stands on it; `contact` are the attributes of all geometries.
std::string world_xml(const std::string& contact, const std::string& bodies) {
  std::ostringstream xml;
  xml << "<mujoco><option timestep=\"" << bench::h << "\" gravity=\"0 0 " << -bench::gravity
      << "\" cone=\"elliptic\" solver=\"Newton\"/><default><geom " << contact
      << "/></default><worldbody><geom type=\"plane\" size=\"50 50 1\"/>" << bodies
      << "</worldbody></mujoco>";
  return xml.str();
}

std::string body_xml(double z, double mass, double inertia, const std::string& geometry) {
  std::ostringstream xml;
  xml << "<body pos=\"0 0 " << z << "\"><freejoint/><inertial pos=\"0 0 0\" mass=\"" << mass
      << "\" diaginertia=\"" << inertia << " " << inertia << " " << inertia << "\"/><geom "
      << geometry << "/></body>";
  return xml.str();
}

std::string sphere_xml(double radius) {
  return "type=\"sphere\" size=\"" + std::to_string(radius) + "\"";
}

/// Spring and damper per unit of mass that lose 1 − e² of the energy in half an oscillation.
bench::BounceResult bounce(double stiffness) {
  const double decay = std::log(Bounce::restitution);
  const double ratio = -decay / std::hypot(M_PI, decay);
  std::ostringstream contact;
  contact << "condim=\"1\" solref=\"" << -stiffness << " " << -2 * ratio * std::sqrt(stiffness)
          << "\" solimp=\"0.999 0.999 0.001\"";
  const double inertia = 0.4 * Bounce::mass * Bounce::radius * Bounce::radius;
  World world(world_xml(
      contact.str(), body_xml(Bounce::height, Bounce::mass, inertia, sphere_xml(Bounce::radius))));
  bench::BounceResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Bounce::steps; ++i) {
    world.step();
    result.penetration = std::max(result.penetration, Bounce::radius - world.pose(0)[2]);
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Bounce::steps;
  result.height = world.pose(0)[2];
  return result;
}

bench::RollResult roll(const std::string& softness) {
  std::ostringstream contact;
  contact << "condim=\"3\" friction=\"" << Roll::friction << " 0 0\" " << softness;
  World world(world_xml(
      contact.str(), body_xml(Roll::radius, Roll::mass, Roll::inertia, sphere_xml(Roll::radius))));
  double* v = world.velocity(0);
  v[0] = Roll::speed;
  bench::RollResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Roll::steps; ++i) {
    world.step();
    result.take(world.time(), v[0] - Roll::radius * v[4], Roll::radius - world.pose(0)[2]);
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Roll::steps;
  result.speed = v[0];
  return result;
}

bench::StackResult stack(const std::string& softness) {
  std::ostringstream contact, geometry, bodies;
  contact << "condim=\"3\" friction=\"" << Stack::friction << " 0 0\" " << softness;
  const double half = Stack::edge / 2;
  geometry << "type=\"box\" size=\"" << half << " " << half << " " << half << "\"";
  for (int k = 0; k < Stack::count; ++k) {
    bodies << body_xml(Stack::height_of(k), Stack::mass, Stack::inertia, geometry.str());
  }
  World world(world_xml(contact.str(), bodies.str()));
  bench::StackResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Stack::steps; ++i) {
    world.step();
    for (int k = 0; k < Stack::count; ++k) {
      result.take_depth(k, world.pose(k)[2], k > 0 ? world.pose(k - 1)[2] : 0);
    }
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Stack::steps;
  for (int k = 0; k < Stack::count; ++k) {
    const double* q = world.pose(k);
    result.take_end(q[0], q[1], 2 * std::hypot(q[4], q[5], q[6]));
  }
  result.sink = Stack::height_of(Stack::count - 1) - world.pose(Stack::count - 1)[2];
  return result;
}

/// Two hinges and a slide, closed by one equation; drawn along x, then turned.
std::string crank_xml(const std::string& integrator) {
  std::ostringstream xml;
  const auto part = [&](double length) {
    xml << "<joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"" << length / 2
        << " 0 0\" mass=\"1\" diaginertia=\"0.02 0.02 " << Crank::moment(length) << "\"/>";
  };
  xml.precision(16);
  xml << "<mujoco><option timestep=\"" << Crank::step << "\" gravity=\"0 " << -bench::gravity
      << " 0\" solver=\"Newton\" tolerance=\"1e-12\" integrator=\"" << integrator
      << "\"/><worldbody><body>";
  part(Crank::crank);
  xml << "<body name=\"rod\" pos=\"" << Crank::crank << " 0 0\">";
  part(Crank::rod);
  xml << "</body></body><body name=\"slider\" pos=\"" << Crank::crank + Crank::rod
      << " 0 0\"><joint type=\"slide\" axis=\"1 0 0\"/><inertial pos=\"0 0 0\" mass=\"1\" "
         "diaginertia=\"0.01 0.01 0.01\"/></body></worldbody><equality><connect body1=\"rod\" "
         "body2=\"slider\" anchor=\""
      << Crank::rod << " 0 0\" solref=\"0.0002 1\" solimp=\"0.99 0.9999 0.0001\"/></equality>"
      << "</mujoco>";
  return xml.str();
}

bench::CrankResult crank(const std::string& integrator) {
  World world(crank_xml(integrator));
  double *q = world.positions(), *v = world.rates();
  const double a = Crank::angle, b = Crank::rod_angle(a);
  q[0] = a, q[1] = b - a, q[2] = Crank::slider(a) - Crank::crank - Crank::rod;
  v[0] = Crank::rate;
  v[1] = (Crank::rod_rate(a) - 1) * Crank::rate;
  v[2] = Crank::slider_rate(a) * Crank::rate;
  bench::CrankResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Crank::steps; ++i) {
    world.step();
    const double turned = q[0] + q[1];
    const double x = Crank::crank * std::cos(q[0]) + Crank::rod * std::cos(turned);
    const double y = Crank::crank * std::sin(q[0]) + Crank::rod * std::sin(turned);
    result.gap = std::max(result.gap, std::hypot(x - Crank::crank - Crank::rod - q[2], y));
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Crank::steps;
  result.take_end(q[0], v[0]);
  return result;
}

}  // namespace

int main() {
  const char* name = "MuJoCo";
  bench::print(name, "k 1e4", bench::repeat([] { return bounce(1e4); }));
  bench::print(name, "k 1e5", bench::repeat([] { return bounce(1e5); }));
  bench::print(name, "k 1e6", bench::repeat([] { return bounce(1e6); }));
  bench::print(name, "default", bench::repeat([] { return roll(""); }));
  bench::print(name, "stiff", bench::repeat([] { return roll(stiff); }));
  bench::print(name, "default", bench::repeat([] { return stack(""); }));
  bench::print(name, "stiff", bench::repeat([] { return crank("Euler"); }));
  bench::print(name, "stiff RK4", bench::repeat([] { return crank("RK4"); }));
}
