// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/flexible_places.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/model/place.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus {
namespace {

/// Two arclengths nearer than this fraction of an element are one.
constexpr double same_place = 1e-6;

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

/// Which of the nodes between `first` and `last` moves to which of the wanted places: the nearest,
/// or the next that is free. False if there are not enough of them.
bool choose_nodes(int first, int last, double spacing, const std::vector<double>& wanted,
                  std::vector<int>& chosen) {
  if (static_cast<int>(wanted.size()) > last - first - 1) return false;
  const std::size_t begin = chosen.size();
  int previous = first;
  for (const double s : wanted) {
    previous = std::max(static_cast<int>(std::lround(s / spacing)), previous + 1);
    chosen.push_back(previous);
  }
  int next = last;
  for (std::size_t i = chosen.size(); i-- > begin;) {
    chosen[i] = std::min(chosen[i], next - 1);
    next = chosen[i];
  }
  return true;
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

WantedPlaces wanted_places(const std::vector<FramePlace>& frames, BodyId body) {
  WantedPlaces wanted;
  for (const FramePlace& f : frames) {
    if (f.frame->body != body) continue;
    if (f.frame->arclength) wanted.arclengths.push_back(*f.frame->arclength);
    if (f.frame->node) wanted.nodes.push_back(*f.frame->node);
  }
  return wanted;
}

std::optional<std::vector<double>> node_arclengths(double length, int elements,
                                                   const WantedPlaces& wanted) {
  const double spacing = length / elements;
  std::vector<double> s(static_cast<std::size_t>(elements) + 1);
  for (int i = 0; i <= elements; ++i) s[static_cast<std::size_t>(i)] = length * i / elements;

  std::vector<int> fixed = {0, elements};  // and the nodes that frames refer to by number
  for (const int node : wanted.nodes) {
    if (node > 0 && node < elements) fixed.push_back(node);
  }
  std::sort(fixed.begin(), fixed.end());
  fixed.erase(std::unique(fixed.begin(), fixed.end()), fixed.end());
  std::vector<double> places = wanted.arclengths;
  std::erase_if(places, [&](double place) {
    return std::any_of(fixed.begin(), fixed.end(), [&](int node) {
      return std::abs(place - node * spacing) <= same_place * spacing;
    });
  });
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end(),
                           [&](double a, double b) { return b - a <= same_place * spacing; }),
               places.end());

  for (std::size_t k = 0; k + 1 < fixed.size(); ++k) {
    const int first = fixed[k], last = fixed[k + 1];
    std::vector<double> between;
    for (const double place : places) {
      if (place > first * spacing && place < last * spacing) between.push_back(place);
    }
    std::vector<int> chosen;
    if (!choose_nodes(first, last, spacing, between, chosen)) return std::nullopt;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      s[static_cast<std::size_t>(chosen[i])] = between[i];
    }
    int previous = first;
    chosen.push_back(last);
    for (const int node : chosen) {
      fill_between(previous, node, spacing, s);
      previous = node;
    }
  }
  return s;
}

int node_at(const std::vector<double>& arclengths, double s) {
  const auto count = static_cast<double>(arclengths.size()) - 1;
  const double tolerance = 2 * same_place * arclengths.back() / count;
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
