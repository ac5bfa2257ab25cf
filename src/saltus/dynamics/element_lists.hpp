// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "saltus/dynamics/contact_points.hpp"
#include "saltus/dynamics/element_list.hpp"
#include "saltus/elements/actuator.hpp"
#include "saltus/elements/bar_element.hpp"
#include "saltus/elements/beam_element.hpp"
#include "saltus/elements/beam_inertia.hpp"
#include "saltus/elements/bushing.hpp"
#include "saltus/elements/compliant_contact.hpp"
#include "saltus/elements/joint_element.hpp"
#include "saltus/elements/load.hpp"
#include "saltus/elements/rigid_inertia.hpp"
#include "saltus/elements/scalar_spring.hpp"
#include "saltus/elements/solid_element.hpp"
#include "saltus/elements/user_force.hpp"

namespace saltus {

enum class BodyKind { Rigid, Point, Beam, Bar, Solid };

/// A body of the model in the system. A rigid body has one node, at its centre of mass; a flexible
/// one has several, and elements between them.
struct BodyEntry {
  std::string name = {};
  int node = 0;  ///< the first
  BodyKind kind = BodyKind::Rigid;
  Vector3 origin = Vector3::Zero();  ///< a rigid body frame's origin from the node, body axes
  int nodes = 1;
  int first_element = 0;  ///< in `beams`, `bars` or `solids`
  int elements = 0;

  bool has_rotation() const { return kind == BodyKind::Rigid || kind == BodyKind::Beam; }
  bool is_flexible() const { return kind != BodyKind::Rigid && kind != BodyKind::Point; }
};

/// A joint of the model in the system, or an equation that a flexible body needs.
struct JointEntry {
  std::string name;
  JointElement element;
  /// In the model's list; none of an equation of a flexible body, which results do not show. A lock
  /// holds every node of a flexible body: its entries follow each other.
  std::optional<int> joint = {};
  int first_row = 0;  ///< of its multipliers
  /// A coupling Σ cᵢ sᵢ = 0 of joint coordinates is one row: an entry for each of its terms, all
  /// but the first of which add to the row of the one before.
  bool is_term = false, continues = false;

  bool is_internal() const { return !joint; }
};

/// A place on a node: where a frame of the model is.
struct Site {
  int node = 0;
  FrameOnNode frame = {};
};

/// Where colliders and forces of the model are fixed, in its order: what draws them needs to know.
struct FixedPlaces {
  std::vector<std::vector<Site>> colliders = {};  ///< on a node set one for each of its nodes
  /// The two ends of a force between frames; of one on a frame that, on a node set its first
  /// node's; none of one that belongs to a joint.
  std::vector<std::vector<Site>> forces = {};
};

/// What a system consists of, in the order of the model.
struct ElementLists {
  std::vector<BodyEntry> bodies = {};
  ElementList<RigidInertia> inertias = {};
  ElementList<ScalarSpring> springs = {};
  ElementList<BushingElement> bushings = {};
  ElementList<UserForceElement> user_forces = {};
  ElementList<AppliedLoad> loads = {};
  ElementList<ActuatorElement> actuators = {};
  ElementList<CompliantContact> compliant = {};
  ElementList<BeamInertia> beam_inertias = {};  ///< of beams and bars
  ElementList<BeamElement> beams = {};
  ElementList<BarElement> bars = {};
  ElementList<SolidElement> solids = {};
  std::vector<SolidShape> solid_shapes = {};
  std::vector<SolidShape::Positions> shape_places = {};  ///< their nodes, relative to the first
  std::vector<JointEntry> joints = {};
  std::vector<ArmAngle> arm_angles = {};
  ContactPoints contacts = {};
  FixedPlaces places = {};

  /// Calls visit(list) for every list of elements. Forces and tangents are summed in this order: it
  /// is part of the results.
  template <class Lists, class Visit>
  static void for_each(Lists& lists, const Visit& visit) {
    visit(lists.inertias);
    visit(lists.springs);
    visit(lists.bushings);
    visit(lists.user_forces);
    visit(lists.loads);
    visit(lists.actuators);
    visit(lists.compliant);
    visit(lists.beam_inertias);
    visit(lists.beams);
    visit(lists.bars);
    visit(lists.solids);
  }
};

}  // namespace saltus
