// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "saltus/core/id.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/model/model.hpp"

namespace saltus::io {

/// How files speak of what an id refers to. A new kind of id needs an overload of `id_words`.
struct IdWords {
  const char* noun;            ///< "body"
  const char* list;            ///< the key in "model" of the list it points into
  const char* none = nullptr;  ///< the name for the id −1, if it has one
};

constexpr IdWords id_words(BodyId) { return {"body", "bodies", "ground"}; }
constexpr IdWords id_words(JointId) { return {"joint", "joints"}; }

/// The names of all things in the lists of a model, given or default.
class NameTable {
 public:
  NameTable() = default;
  /// @param model  the JSON of the key "model"; whatever is wrong in it is left out.
  explicit NameTable(const Json& model);
  explicit NameTable(const Model& model);

  std::optional<int> find(const std::string& list, const std::string& name) const;
  const std::vector<std::string>& names(const std::string& list) const;

 private:
  struct List {
    std::vector<std::string> names;
    std::unordered_map<std::string, int> index;
  };
  void add(const std::string& list, const std::string& name);

  std::map<std::string, List> lists_;
};

/// The name of an element in a list: the key "name", or `<type><index>` without it.
std::string element_name(const Json& element, std::size_t index);

/// `"x", "y" or "z"`
std::string one_of(const std::vector<std::string>& words);

/// `did you mean "floor"?`, or empty if none of the candidates is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace saltus::io
