// SPDX-License-Identifier: Apache-2.0
// The contact cases in Bullet, double precision, with 10 (its default) and 200 sweeps a step.
//   bullet_peer                         cases A, B and D
//   bullet_peer pile SWEEPS N [--end T | --steps n] [--every k] [--from FILE] [--state FILE]
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <string>
#include <vector>

#include "pile_cases.hpp"

namespace {

using bench::Bounce;
using bench::cpu_seconds;
using bench::Pile;
using bench::Roll;
using bench::Stack;

/// Bullet multiplies the coefficients of the two bodies.
struct Surface {
  double friction = 1, restitution = 1;
};

class World {
 public:
  explicit World(int sweeps) {
    world_.setGravity({0, 0, -bench::gravity});
    btContactSolverInfo& info = world_.getSolverInfo();
    info.m_numIterations = sweeps;
    info.m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    info.m_leastSquaresResidualThreshold = 0;  // all sweeps are made
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  /// Mass 0: a body that never moves.
  btRigidBody* add(std::unique_ptr<btCollisionShape> shape, double mass, double z,
                   Surface surface) {
    return add(keep(std::move(shape)), mass, {0, 0, z}, surface);
  }
  btRigidBody* add(btCollisionShape* shape, double mass, const btVector3& place, Surface surface) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(place);
    info.m_friction = surface.friction;
    info.m_restitution = surface.restitution;
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    body->setDamping(0, 0);
    world_.addRigidBody(body.get());
    bodies_.push_back(std::move(body));
    return bodies_.back().get();
  }
  /// A shape for several bodies.
  btCollisionShape* keep(std::unique_ptr<btCollisionShape> shape) {
    shapes_.push_back(std::move(shape));
    return shapes_.back().get();
  }
  long contacts() {
    long sum = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      sum += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return sum;
  }
  void step() { world_.stepSimulation(bench::h, 0, bench::h); }

 private:
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broad_phase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

double height(const btRigidBody* body) { return body->getWorldTransform().getOrigin().z(); }

std::unique_ptr<btCollisionShape> plane() {
  return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
}

bench::BounceResult bounce(int sweeps) {
  World world(sweeps);
  world.add(plane(), 0, 0, {.friction = 0});
  const btRigidBody* ball =
      world.add(std::make_unique<btSphereShape>(Bounce::radius), Bounce::mass, Bounce::height,
                {.friction = 0, .restitution = Bounce::restitution});
  bench::BounceResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Bounce::steps; ++i) {
    world.step();
    result.penetration = std::max(result.penetration, Bounce::radius - height(ball));
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Bounce::steps;
  result.height = height(ball);
  return result;
}

bench::RollResult roll(int sweeps) {
  World world(sweeps);
  world.add(plane(), 0, 0, {.restitution = 0});
  btRigidBody* ball = world.add(std::make_unique<btSphereShape>(Roll::radius), Roll::mass,
                                Roll::radius, {.friction = Roll::friction, .restitution = 0});
  ball->setLinearVelocity({Roll::speed, 0, 0});
  bench::RollResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Roll::steps; ++i) {
    world.step();
    const double slip =
        ball->getLinearVelocity().x() - Roll::radius * ball->getAngularVelocity().y();
    result.take((i + 1) * bench::h, slip, Roll::radius - height(ball));
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Roll::steps;
  result.speed = ball->getLinearVelocity().x();
  return result;
}

std::unique_ptr<btCollisionShape> box(double x, double y, double z) {
  return std::make_unique<btBoxShape>(btVector3(x, y, z) / 2);
}

bench::StackResult stack(int sweeps) {
  World world(sweeps);
  const Surface surface{.friction = std::sqrt(Stack::friction), .restitution = 0};
  world.add(box(10, 10, 1), 0, -0.5, surface);
  std::vector<const btRigidBody*> cubes;
  for (int k = 0; k < Stack::count; ++k) {
    cubes.push_back(world.add(box(Stack::edge, Stack::edge, Stack::edge), Stack::mass,
                              Stack::height_of(k), surface));
  }
  bench::StackResult result;
  const double start = cpu_seconds();
  for (int i = 0; i < Stack::steps; ++i) {
    world.step();
    for (std::size_t k = 0; k < cubes.size(); ++k) {
      result.take_depth(static_cast<int>(k), height(cubes[k]), k > 0 ? height(cubes[k - 1]) : 0);
    }
  }
  result.micros = 1e6 * (cpu_seconds() - start) / Stack::steps;
  for (const btRigidBody* cube : cubes) {
    const btVector3 x = cube->getWorldTransform().getOrigin();
    const btQuaternion q = cube->getOrientation();
    result.take_end(x.x(), x.y(), 2 * std::hypot(q.x(), q.y(), q.z()));
  }
  result.sink = Stack::height_of(Stack::count - 1) - height(cubes.back());
  return result;
}

// ---- piles -------------------------------------------------------------------------------------

btVector3 vector(const bench::Triple& t) { return {t[0], t[1], t[2]}; }
bench::Triple triple(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// The box and the spheres; returns these.
std::vector<btRigidBody*> fill(World& world, const Pile& pile, const bench::PileState& start) {
  const Surface surface{.friction = std::sqrt(Pile::friction), .restitution = 0};
  for (const bench::Wall& wall : pile.walls()) {
    auto* plane =
        world.keep(std::make_unique<btStaticPlaneShape>(vector(wall.normal), wall.offset));
    world.add(plane, 0, {0, 0, 0}, surface);
  }
  auto* shape = world.keep(std::make_unique<btSphereShape>(Pile::radius));
  std::vector<btRigidBody*> spheres;
  for (std::size_t i = 0; i < start.x.size(); ++i) {
    spheres.push_back(world.add(shape, pile.mass(), vector(start.x[i]), surface));
    spheres.back()->setLinearVelocity(vector(start.v[i]));
    spheres.back()->setAngularVelocity(vector(start.w[i]));
  }
  return spheres;
}

bench::PileState state_of(const std::vector<btRigidBody*>& spheres) {
  bench::PileState state;
  for (const btRigidBody* sphere : spheres) {
    state.x.push_back(triple(sphere->getWorldTransform().getOrigin()));
    state.v.push_back(triple(sphere->getLinearVelocity()));
    state.w.push_back(triple(sphere->getAngularVelocity()));
  }
  return state;
}

void run_pile(int sweeps, const bench::PileOptions& options) {
  const Pile pile(options.count);
  World world(sweeps);
  const std::vector<btRigidBody*> spheres = fill(world, pile, options.start(pile));
  bench::PileFigures figures;
  for (int n = 1; n <= options.steps; ++n) {
    const double start = cpu_seconds();
    world.step();
    figures.millis.push_back(1e3 * (cpu_seconds() - start));
    if (n % options.every == 0 || n == options.steps) {
      figures.looks.push_back({n, check_pile(pile, state_of(spheres)), world.contacts()});
    }
  }
  if (!options.state.empty()) write_state(options.state, state_of(spheres));
  bench::print("Bullet", std::to_string(sweeps) + " sweeps", pile, figures);
}

// ---- cases A, B, D -----------------------------------------------------------------------------

void run_cases() {
  const char* name = "Bullet";
  for (const int sweeps : {10, 200}) {
    const std::string variant = std::to_string(sweeps) + " sweeps";
    if (sweeps == 10) {  // one contact: more sweeps change nothing
      bench::print(name, variant.c_str(), bench::repeat([&] { return bounce(sweeps); }));
      bench::print(name, variant.c_str(), bench::repeat([&] { return roll(sweeps); }));
    }
    bench::print(name, variant.c_str(), bench::repeat([&] { return stack(sweeps); }));
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 2 && std::string(arguments[1]) == "pile") {
    run_pile(std::atoi(arguments[2]), bench::pile_options(count, arguments, 3));
  } else {
    run_cases();
  }
}
