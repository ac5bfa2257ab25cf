// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/field.hpp"

namespace saltus {

/// What has channels: one of these.
enum class OwnerKind {
  Run,       ///< the run as a whole: its time
  Solver,    ///< how it was computed
  Ledger,    ///< the energies of all bodies together
  Bodies,    ///< of the model
  Nodes,     ///< of a flexible body
  Elements,  ///< of a flexible body
  Joints,
  Points,    ///< of a contact
  Contacts,  ///< all points together
  Bearings,
  Balls,  ///< of a bearing
};

template <>
struct EnumNames<OwnerKind> {
  static constexpr const char* names[] = {"run",     "solver",  "ledger", "body",
                                          "node",    "element", "joint",  "point",
                                          "contact", "bearing", "ball"};
};

/// Whose a channel is. Nodes, elements and balls are numbered within what they are part of.
struct Owner {
  OwnerKind kind = OwnerKind::Run;
  std::string name = {};  ///< in the model; of a part, that of the whole
  int number = -1;        ///< of a part, from 0

  bool operator==(const Owner&) const = default;
  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 of <=> for a pointer.
  auto operator<=>(const Owner&) const = default;
};

/// The same without a copy of the name, for those who put values.
struct OwnerView {
  OwnerKind kind = OwnerKind::Run;
  std::string_view name = {};
  int number = -1;

  Owner owner() const { return {kind, std::string(name), number}; }
  /// As names of channels begin: "rod.node3".
  std::string prefix() const;
};

/// What becomes of a channel where only some rows of a table are shown.
enum class Thinning {
  Sample,    ///< the value at the shown row
  Sum,       ///< over the rows since the last shown one: what is counted from row to row
  Smallest,  ///< gaps
  Largest,   ///< states, iterations
  Mean       ///< over the time since the last shown row: what is itself a mean since the last row
};

template <>
struct EnumNames<Thinning> {
  static constexpr const char* names[] = {"sample", "sum", "smallest", "largest", "mean"};
};

/// How early a large report leaves a channel out, in this order from the end.
enum class Interest {
  Drawn,      ///< without it nothing can be drawn; and energies
  Contact,    ///< gaps, states and impulses of contacts
  Rate,       ///< velocities and forces
  Resultant,  ///< accumulated rotations, velocities of nodes and resultants of elements
};
inline constexpr int interests = 4;

/// The components that a quantity has, and what their names end with.
enum class Components {
  Number,    ///< it is a number
  Xyz,       ///< a vector: x, y, z
  Wxyz,      ///< a quaternion: w, x, y, z
  Contact,   ///< n, t1, t2
  Tangents,  ///< t1, t2
};
std::vector<std::string> names_of(Components components);

/// What is the same for all owners of a quantity. All that there are stand in quantities.hpp.
struct Quantity {
  std::string_view word;  ///< "position": its kind, and what names of channels end with
  std::string_view unit;  ///< "m"
  std::string_view text;  ///< sign, frame and body in words; {} stands for the component
  Interest interest = Interest::Rate;
  Components components = Components::Number;
  Thinning thinning = Thinning::Sample;
};

/// One column of a table of results, and what it means: readers need not guess it from the name.
struct Channel {
  std::string name = {};         ///< "ball.position.x"
  std::string unit = {};         ///< "m"
  std::string description = {};  ///< sign, frame and body in words
  std::string kind = {};         ///< the word of its quantity: "position"
  Owner owner = {};
  std::string component = {};  ///< "x"; empty: it is a number of its own
  Interest interest = Interest::Rate;
  Thinning thinning = Thinning::Sample;
};

/// The channels of a quantity, one for each component.
void add_channels(const OwnerView& owner, const Quantity& quantity, std::vector<Channel>& channels);

}  // namespace saltus
