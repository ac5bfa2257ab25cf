// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/io/hdf5_handle.hpp"

namespace saltus::io {

struct Hdf5TableLayout {
  std::size_t columns = 0;  ///< values a row; 0: the rows are single values, in one dimension
  std::size_t chunk_bytes = 0;
};

/// A dataset that grows by rows. Rows wait in a buffer until `append` takes them to the file.
class Hdf5Table {
 public:
  Hdf5Table() = default;
  /// @param type  of one value, in memory and in the file
  Hdf5Table(hid_t location, const char* name, Hdf5Handle type, const Hdf5TableLayout& layout);

  /// The dataset; negative if it could not be made.
  hid_t id() const { return dataset_; }
  /// @pre one row.
  void put(std::span<const char> row);
  /// Whether the buffer holds as much as a chunk.
  bool is_full() const { return buffer_.size() >= chunk_rows_ * row_bytes_; }
  /// Negative on failure.
  herr_t append();
  void close() { dataset_.reset(); }
  /// Those in the buffer, too.
  std::uint64_t rows() const { return rows_ + (row_bytes_ > 0 ? buffer_.size() / row_bytes_ : 0); }
  /// Puts the first rows of a dataset of the same layout here; false if it has not so many, or
  /// others.
  bool copy(hid_t other, std::uint64_t count);

 private:
  Hdf5Handle create(hid_t location, const char* name) const;
  int rank() const { return columns_ > 0 ? 2 : 1; }

  Hdf5Handle type_, dataset_;
  std::size_t columns_ = 0, row_bytes_ = 0, chunk_rows_ = 0;
  std::vector<char> buffer_;
  hsize_t rows_ = 0;  ///< in the file
};

}  // namespace saltus::io
