// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/fingerprint.hpp"

#include <bit>
#include <string_view>

#include "saltus/core/version.hpp"
#include "saltus/model/type_traits.hpp"

namespace saltus {
namespace {

/// FNV-1a over the values of all fields, in their order.
class FingerprintWalk {
 public:
  Fingerprint value() const { return value_; }

  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }

  void add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(number >> (8 * i)));
  }

  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }

  template <class T>
  void walk(const T& value) {
    if constexpr (std::is_same_v<T, double>) {
      add(value);
    } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      add(static_cast<std::uint64_t>(value));
    } else if constexpr (std::is_same_v<T, std::string>) {
      add(std::string_view(value));
    } else if constexpr (TypedId<T>) {
      add(static_cast<std::uint64_t>(value.index));
    } else if constexpr (std::is_same_v<T, Quaternion>) {
      for (int i = 0; i < 4; ++i) add(value.coeffs()[i]);
    } else if constexpr (FixedMatrix<T>) {
      for (int i = 0; i < value.rows(); ++i) {
        for (int j = 0; j < value.cols(); ++j) add(value(i, j));
      }
    } else if constexpr (Optional<T>) {
      add(static_cast<std::uint64_t>(value.has_value()));
      if (value) walk(*value);
    } else if constexpr (List<T> || FixedArray<T>) {
      add(static_cast<std::uint64_t>(value.size()));
      for (const auto& item : value) walk(item);
    } else if constexpr (Variant<T>) {
      add(static_cast<std::uint64_t>(value.index()));
      std::visit([this](const auto& item) { this->walk(item); }, value);
    } else if constexpr (std::is_same_v<T, ColliderSelection>) {
      walk(value.patterns);
    } else {
      walk_fields(value);
    }
  }

 private:
  template <HasFields T>
  void walk_fields(const T& value) {
    if constexpr (requires { value.name; }) walk(value.name);
    for_each_field<T>([&](const auto& field) { walk(value.*field.member); });
    if constexpr (std::is_same_v<T, MeshFile>) walk_mesh(value.contents);
  }

  void walk_mesh(const Mesh& mesh) {
    walk(mesh.nodes);
    add(static_cast<std::uint64_t>(mesh.cells.size()));
    for (const Cell& cell : mesh.cells) walk(cell.nodes);
  }

  void add_byte(unsigned char byte) {
    value_ ^= byte;
    value_ *= 0x100000001b3U;
  }

  Fingerprint value_ = 0xcbf29ce484222325U;
};

}  // namespace

Fingerprint fingerprint(const Model& model, const SimulationOptions& options) {
  FingerprintWalk walk;
  walk.add(std::string_view(version()));
  walk.walk(model);
  SimulationOptions counted = options;
  if (auto* dynamics = std::get_if<Dynamics>(&counted)) dynamics->end_time = 1;
  walk.walk(counted);
  return walk.value();
}

}  // namespace saltus
