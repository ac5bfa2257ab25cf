// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/hdf5_table.hpp"

#include <algorithm>

namespace saltus::io {

Hdf5Table::Hdf5Table(hid_t location, const char* name, Hdf5Handle type,
                     const Hdf5TableLayout& layout)
    : type_(std::move(type)),
      columns_(layout.columns),
      row_bytes_(H5Tget_size(type_) * std::max<std::size_t>(1, columns_)),
      chunk_rows_(std::max<std::size_t>(1, layout.chunk_bytes / row_bytes_)) {
  dataset_ = create(location, name);
  buffer_.reserve(chunk_rows_ * row_bytes_);
}

Hdf5Handle Hdf5Table::create(hid_t location, const char* name) const {
  const hsize_t size[] = {0, columns_};
  const hsize_t largest[] = {H5S_UNLIMITED, columns_};
  const hsize_t chunk[] = {chunk_rows_, columns_};
  const Hdf5Handle space(H5Screate_simple(rank(), size, largest), &H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose);
  H5Pset_chunk(creation, rank(), chunk);
  H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
  H5Pset_obj_track_times(creation, false);
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), &H5Pclose);
  H5Pset_chunk_cache(access, 0, 0, 1);  // rows go to the file as they are written
  return {H5Dcreate2(location, name, type_, space, H5P_DEFAULT, creation, access), &H5Dclose};
}

void Hdf5Table::put(std::span<const char> row) {
  buffer_.insert(buffer_.end(), row.begin(), row.end());
}

bool Hdf5Table::copy(hid_t other, std::uint64_t count) {
  const Hdf5Handle type(H5Dget_type(other), &H5Tclose), space(H5Dget_space(other), &H5Sclose);
  hsize_t size[2] = {0, 0};
  if (type < 0 || H5Tequal(type, type_) <= 0 || H5Sget_simple_extent_ndims(space) != rank() ||
      H5Sget_simple_extent_dims(space, size, nullptr) < 0 || size[0] < count ||
      (columns_ > 0 && size[1] != columns_)) {
    return false;
  }
  for (hsize_t done = 0; done < count;) {
    const hsize_t start[] = {done, 0};
    const hsize_t block[] = {std::min<hsize_t>(chunk_rows_, count - done), columns_};
    const Hdf5Handle memory(H5Screate_simple(rank(), block, nullptr), &H5Sclose);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, block, nullptr);
    buffer_.resize(block[0] * row_bytes_);
    if (H5Dread(other, type_, memory, space, H5P_DEFAULT, buffer_.data()) < 0) return false;
    if (append() < 0) return false;
    done += block[0];
  }
  return true;
}

herr_t Hdf5Table::append() {
  if (buffer_.empty()) return 0;
  const hsize_t count[] = {buffer_.size() / row_bytes_, columns_};
  const hsize_t start[] = {rows_, 0};
  const hsize_t size[] = {rows_ + count[0], columns_};
  if (H5Dset_extent(dataset_, size) < 0) return -1;
  const Hdf5Handle memory(H5Screate_simple(rank(), count, nullptr), &H5Sclose);
  const Hdf5Handle space(H5Dget_space(dataset_), &H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  if (H5Dwrite(dataset_, type_, memory, space, H5P_DEFAULT, buffer_.data()) < 0) return -1;
  rows_ = size[0];
  buffer_.clear();
  return 0;
}

}  // namespace saltus::io
