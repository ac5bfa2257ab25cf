// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/io/hdf5_handle.hpp"
#include "saltus/model/mesh.hpp"
#include "saltus/simulation/result_sink.hpp"

namespace saltus::io {

/// Reads what Hdf5Writer has written.
/// @throws FileError in every function.
class Hdf5Reader {
 public:
  explicit Hdf5Reader(std::filesystem::path path);

  /// With their meaning: the stored one, or, of earlier versions, what their names say.
  const std::vector<Channel>& columns() const { return columns_; }
  std::size_t rows() const { return rows_; }
  /// Rows `first` to `first + count`, one after the other. @pre they are in the file.
  void read_rows(std::size_t first, std::size_t count, std::vector<double>& values) const;

  bool has(const char* dataset) const;
  /// A text, e.g. "model".
  std::string text(const char* dataset) const;
  std::vector<std::string> texts(const char* dataset) const;
  /// Of solids from a mesh file, by their names.
  std::map<std::string, Mesh> meshes() const;
  /// A table of numbers, row by row.
  std::vector<double> matrix(const char* dataset) const;
  /// One member of a table of compound values, e.g. "events", "time". What is no number is
  /// refused; whole numbers become doubles.
  std::vector<double> numbers(const char* table, const char* member) const;
  std::vector<std::string> words(const char* table, const char* member) const;

 private:
  Hdf5Handle open(const char* dataset) const;
  std::size_t count_of(hid_t data, const char* dataset) const;
  [[noreturn]] void damaged(const std::string& where, std::string_view what) const;
  Mesh mesh(const std::string& group) const;
  void read_meaning();
  std::vector<int> whole_numbers(const char* dataset) const;
  hid_t checked(hid_t result, const char* what) const;

  std::filesystem::path path_;
  Hdf5Handle file_;
  std::vector<Channel> columns_;
  std::size_t rows_ = 0;
  std::uintmax_t bytes_ = 0;  // of the file
};

}  // namespace saltus::io
