// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/flexible_places.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/model/place.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus {
namespace {

/// Two arclengths nearer than this fraction of the length are one.
constexpr double same_place = 1e-9;

template <class T>
void collect(const T& value, const Place& place, std::vector<FramePlace>& frames) {
  if constexpr (std::is_same_v<T, Frame>) {
    frames.push_back({&value, place.text()});
  } else if constexpr (HasFields<T>) {
    for_each_field<T>(
        [&](const auto& field) { collect(value.*field.member, place / field.name, frames); });
  } else if constexpr (Variant<T>) {
    std::visit([&](const auto& item) { collect(item, place, frames); }, value);
  } else if constexpr (Optional<T>) {
    if (value) collect(*value, place, frames);
  } else if constexpr (List<T> || FixedArray<T>) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(value[i], place / i, frames);
  }
}

/// Which interior node moves to which of the wanted places: the nearest, or the next that is free.
std::vector<int> chosen_nodes(double length, int elements, const std::vector<double>& wanted) {
  std::vector<int> chosen;
  int last = 0;
  for (const double s : wanted) {
    last = std::max(static_cast<int>(std::lround(s / length * elements)), last + 1);
    chosen.push_back(last);
  }
  int next = elements;
  for (std::size_t i = chosen.size(); i-- > 0;) {
    chosen[i] = std::min(chosen[i], next - 1);
    next = chosen[i];
  }
  return chosen;
}

/// Nodes between two fixed ones stay where they are if they have room there, else they are spread.
void fill_between(int first, int last, double spacing, std::vector<double>& s) {
  const auto at = [&](int i) -> double& { return s[static_cast<std::size_t>(i)]; };
  constexpr double room = 0.25;  // of an element
  const bool fits = last - first < 2 || (at(first + 1) - at(first) > room * spacing &&
                                         at(last) - at(last - 1) > room * spacing);
  if (fits) return;
  for (int i = first + 1; i < last; ++i) {
    at(i) = at(first) + (at(last) - at(first)) * (i - first) / (last - first);
  }
}

}  // namespace

std::vector<FramePlace> frames_of(const Model& model) {
  std::vector<FramePlace> frames;
  collect(model, Place("/model"), frames);
  return frames;
}

std::vector<double> wanted_arclengths(const std::vector<FramePlace>& frames, BodyId body) {
  std::vector<double> wanted;
  for (const FramePlace& f : frames) {
    if (f.frame->body == body && f.frame->arclength) wanted.push_back(*f.frame->arclength);
  }
  return wanted;
}

std::optional<std::vector<double>> node_arclengths(double length, int elements,
                                                   std::vector<double> wanted) {
  const double tolerance = same_place * length;
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end(),
                           [&](double a, double b) { return b - a <= tolerance; }),
               wanted.end());
  std::erase_if(wanted, [&](double s) { return s <= tolerance || s >= length - tolerance; });
  if (static_cast<int>(wanted.size()) > elements - 1) return std::nullopt;

  std::vector<double> s(static_cast<std::size_t>(elements) + 1);
  for (int i = 0; i <= elements; ++i) s[static_cast<std::size_t>(i)] = length * i / elements;
  const std::vector<int> chosen = chosen_nodes(length, elements, wanted);
  int last = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    s[static_cast<std::size_t>(chosen[k])] = wanted[k];
  for (const int node : chosen) {
    fill_between(last, node, length / elements, s);
    last = node;
  }
  fill_between(last, elements, length / elements, s);
  return s;
}

int node_at(const std::vector<double>& arclengths, double s) {
  const double tolerance = 2 * same_place * arclengths.back();
  for (std::size_t i = 0; i < arclengths.size(); ++i) {
    if (std::abs(arclengths[i] - s) <= tolerance) return static_cast<int>(i);
  }
  return -1;
}

std::vector<int> line_node_set(int elements, std::string_view name) {
  if (name == "start") return {0};
  if (name == "end") return {elements};
  std::vector<int> nodes;
  if (name == "all") {
    for (int i = 0; i <= elements; ++i) nodes.push_back(i);
  }
  return nodes;
}

}  // namespace saltus
