// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_contacts.hpp"

#include <charconv>

#include "saltus/geometry/features.hpp"
#include "saltus/io/report_anchors.hpp"

namespace saltus::io {

ContactNames::ContactNames(const ContactPoints& points) : points_(points) {
  for (std::size_t i = 0; i < points.listed_names.size(); ++i) listed_[points.listed_names[i]] = i;
  for (std::size_t i = points.features.size(); i-- > 0;) {
    const auto collider = static_cast<std::size_t>(points.features[i].collider);
    first_features_[points.collider_names[collider]] = static_cast<int>(i);
  }
}

std::optional<ContactIndex> ContactNames::find(const std::string& name) const {
  const auto found = listed_.find(name);
  if (found != listed_.end()) return static_cast<ContactIndex>(found->second);
  for (const int index : points_.unlisted) {
    const ContactGroup& group = points_.groups[static_cast<std::size_t>(index)];
    if (!name.starts_with(group.name + ".")) continue;
    const auto point = find_unlisted(group, name.substr(group.name.size() + 1));
    if (point) return point;
  }
  return {};
}

/// @param rest  "<first collider>.<second collider>.<k>"; names may have dots in them
std::optional<ContactIndex> ContactNames::find_unlisted(const ContactGroup& group,
                                                        const std::string& rest) const {
  const std::size_t last = rest.rfind('.');
  if (last == std::string::npos) return {};
  int k = -1;
  const char* const end = rest.data() + rest.size();
  const auto [read, error] = std::from_chars(rest.data() + last + 1, end, k);
  if (error != std::errc() || read != end || k < 0) return {};
  for (std::size_t dot = rest.find('.'); dot < last; dot = rest.find('.', dot + 1)) {
    const auto first = first_features_.find(rest.substr(0, dot));
    const auto second = first_features_.find(rest.substr(dot + 1, last - dot - 1));
    if (first == first_features_.end() || second == first_features_.end()) continue;
    const FeatureEntry& b = points_.features[static_cast<std::size_t>(second->second)];
    const int per_second = points_.features_per_collider[static_cast<std::size_t>(b.collider)];
    if (per_second == 0) continue;
    const FeatureEntry& a = points_.features[static_cast<std::size_t>(first->second)];
    const int per_first = points_.features_per_collider[static_cast<std::size_t>(a.collider)];
    if (k / per_second >= per_first) continue;
    const int i = first->second + k / per_second, j = second->second + k % per_second;
    if (const auto point = points_.find(group, i, j)) return point;
  }
  return {};
}

bool PointColumns::acts(std::size_t row) const {
  return (*status)[row] != 0 || impulse.at(row) != Vector3::Zero();
}

std::vector<PointColumns> point_columns(const ContactPoints& contacts,
                                        const ReportColumns& columns) {
  std::vector<PointColumns> points;
  for (std::size_t i = 0; i < contacts.listed.size(); ++i) {
    if (contacts.listed[i].element.is_of_joint()) continue;
    const std::string& name = contacts.listed_names[i];
    const OwnerView owner{OwnerKind::Points, name};
    const PointColumns point{.name = &name,
                             .entry = &contacts.listed[i],
                             .status = columns.find(owner, quantities::status),
                             .impulse = columns.find_vector(owner, quantities::point_impulse)};
    if (point.status != nullptr && point.impulse.are_shown()) points.push_back(point);
  }
  return points;
}

Vector3 inertial(const ContactEntry& entry, const NodePair& q, const Vector3& along) {
  const Vector3 n = (entry.surface_is_first ? 1 : -1) * entry.element.axes(q).col(0);
  const Matrix3 frame = frame_with_normal(n);
  return along[0] * n + along[1] * frame.col(0) + along[2] * frame.col(1);
}

namespace {

Json bodies_of(const ContactEntry& entry, const ReportAnchors& anchors) {
  const int A = anchors.body_of(entry.element.node_A), B = anchors.body_of(entry.element.node_B);
  return entry.surface_is_first ? Json::array({A, B}) : Json::array({B, A});
}

}  // namespace

Json make_contacts(const System& system, const ReportColumns& columns, std::size_t rows,
                   ReportArrays& arrays) {
  const ContactPoints& contacts = system.elements().contacts;
  const ReportAnchors anchors(system.elements());
  const std::vector<PointColumns> points = point_columns(contacts, columns);
  Json names = Json::array();
  for (const PointColumns& point : points) {
    const auto group = static_cast<std::size_t>(point.entry->contact);
    names.push_back({{"name", *point.name},
                     {"contact", contacts.groups[group].name},
                     {"bodies", bodies_of(*point.entry, anchors)}});
  }
  ReportMotion motion(system, columns);
  std::vector<std::uint32_t> first, which;
  std::vector<double> marks[6];
  for (std::size_t row = 0; row < rows && !points.empty(); ++row) {
    first.push_back(static_cast<std::uint32_t>(which.size()));
    const Configuration& q = motion.at(row);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!points[i].acts(row)) continue;
      const ContactElement& e = points[i].entry->element;
      const Vector3 x = e.contact_point(system.pair(q, e.node_A, e.node_B));
      which.push_back(static_cast<std::uint32_t>(i));
      const Vector3 impulse = points[i].impulse.at(row);
      for (int c = 0; c < 3; ++c) {
        marks[c].push_back(x[c]);
        marks[c + 3].push_back(impulse[c]);
      }
    }
  }
  first.push_back(static_cast<std::uint32_t>(which.size()));
  Json json{
      {"points", std::move(names)}, {"first", arrays.add(first)}, {"point", arrays.add(which)}};
  const char* keys[] = {"x", "y", "z", "impulse_x", "impulse_y", "impulse_z"};
  for (std::size_t c = 0; c < 6; ++c) json[keys[c]] = arrays.add(marks[c]);
  return json;
}

}  // namespace saltus::io
