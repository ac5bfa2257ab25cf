// SPDX-License-Identifier: Apache-2.0
#include "saltus/integrators/stepper.hpp"

#include "saltus/integrators/event_scene.hpp"
#include "saltus/integrators/island_steps.hpp"
#include "saltus/integrators/moreau_jean.hpp"
#include "saltus/integrators/sleeping_scene.hpp"

namespace saltus {
namespace {

struct Maker {
  const System& system;
  const ContactOptions& contacts;

  std::unique_ptr<Stepper> operator()(const NonsmoothGeneralizedAlpha& options) const {
    if (contacts.solver.sleep && SleepingScene::is_of_use(system))
      return std::make_unique<SleepingScene>(system, options, contacts);
    return std::make_unique<IslandSteps>(system, options, contacts);
  }
  std::unique_ptr<Stepper> operator()(const GeneralizedAlpha& options) const {
    return std::make_unique<IslandSteps>(system, nonsmooth_options(options), contacts);
  }
  std::unique_ptr<Stepper> operator()(const MoreauJean& options) const {
    return std::make_unique<MoreauJeanStepper>(system, options, contacts);
  }
  std::unique_ptr<Stepper> operator()(const EventDriven& options) const {
    return std::make_unique<EventDrivenScene>(system, options, contacts);
  }
};

}  // namespace

std::unique_ptr<Stepper> make_stepper(const System& system, const Integrator& integrator,
                                      const ContactOptions& contacts) {
  return std::visit(Maker{system, contacts}, integrator);
}

}  // namespace saltus
