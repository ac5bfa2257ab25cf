// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "saltus/model/model.hpp"

namespace saltus {

/// Every frame of a model with the place where it stands.
struct FramePlace {
  const Frame* frame = nullptr;
  std::string place = {};  ///< JSON pointer
};
std::vector<FramePlace> frames_of(const Model& model);

/// The places of a beam or bar that frames of the model refer to.
struct WantedPlaces {
  std::vector<double> arclengths = {};
  std::vector<int> nodes = {};  ///< referred to by number: they stay where they are
};
WantedPlaces wanted_places(const std::vector<FramePlace>& frames, BodyId body);

/// Arclengths of the nodes of a beam or bar with `elements` equal elements, after the nearest
/// interior nodes that may move have been moved to the wanted places, so that joints, forces and
/// colliders stand on nodes. Nothing if there are more such places than nodes for them.
std::optional<std::vector<double>> node_arclengths(double length, int elements,
                                                   const WantedPlaces& wanted);

/// The node at an arclength, or −1 if none is there.
int node_at(const std::vector<double>& arclengths, double s);

/// The nodes of a beam or bar that `start`, `end` or `all` names; empty for other names.
std::vector<int> line_node_set(int elements, std::string_view name);

}  // namespace saltus
