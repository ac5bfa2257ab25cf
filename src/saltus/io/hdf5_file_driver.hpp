// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace saltus::io {

/// The bytes of an HDF5 file on disk, changed in such an order that a reader finds a complete file
/// whenever the writer is killed.
///
/// Data go to the file at once, to places that no reader looks at yet. Metadata are kept back until
/// `commit`, which writes them so that nothing ever refers to what is not there yet:
///
///   1. blocks that are new in the file,
///   2. the superblock (where the file ends), heaps of names,
///   3. B-trees that find the chunks, from the root to the leaves,
///   4. object headers (how many rows there are).
///
/// Each block of 2–4 that changes while the file grows lies inside one page, which the kernel
/// writes as a whole.
class CommittedFile {
 public:
  /// Sees what is written to the disk, in order; no bytes: the file now ends at that address.
  using Observer = std::function<void(std::uint64_t address, std::span<const unsigned char>)>;

  /// @throws FileError
  explicit CommittedFile(std::filesystem::path path, Observer observer = {});
  ~CommittedFile();
  CommittedFile(const CommittedFile&) = delete;
  CommittedFile& operator=(const CommittedFile&) = delete;

  bool read(std::uint64_t address, std::size_t size, void* bytes) const;
  bool write(H5FD_mem_t kind, std::uint64_t address, std::size_t size, const void* bytes);
  /// Makes the file as long as the space in use.
  bool resize_to_end();
  bool commit();

  std::uint64_t end_of_space() const { return end_of_space_; }
  void set_end_of_space(std::uint64_t address) { end_of_space_ = address; }
  std::uint64_t size() const { return size_; }
  /// errno of the first failure, 0 without one. After a failure nothing is written any more: what
  /// the last commit left stays.
  int error() const { return error_; }

 private:
  struct Block {
    H5FD_mem_t kind;
    std::vector<unsigned char> bytes;
  };
  int rank(std::uint64_t address, const Block& block) const;
  bool write_now(std::uint64_t address, std::size_t size, const void* bytes);
  bool fail(int error);

  std::filesystem::path path_;
  Observer observer_;
  int descriptor_ = -1;
  int error_ = 0;
  std::uint64_t end_of_space_ = 0;
  std::uint64_t size_ = 0;
  std::map<std::uint64_t, Block> pending_;
  std::set<std::uint64_t> committed_;  ///< addresses of the metadata blocks in the file
};

/// Makes files that are created with this access list live in `file`, which must outlive them.
void use_committed_file(hid_t access_list, CommittedFile& file);

}  // namespace saltus::io
