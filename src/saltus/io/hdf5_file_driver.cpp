// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/hdf5_file_driver.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>

#include "saltus/io/model_file.hpp"
#include "saltus/io/output_file.hpp"

namespace saltus::io {

CommittedFile::CommittedFile(std::filesystem::path path, Observer observer)
    : path_(std::move(path)), observer_(std::move(observer)) {
  ::unlink(path_.c_str());
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(write_failure(path_, errno));
}

CommittedFile::~CommittedFile() { ::close(descriptor_); }

bool CommittedFile::fail(int error) {
  if (error_ == 0) error_ = error;
  return false;
}

bool CommittedFile::read(std::uint64_t address, std::size_t size, void* bytes) const {
  auto* const target = static_cast<unsigned char*>(bytes);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count =
        ::pread(descriptor_, target + done, size - done, static_cast<off_t>(address + done));
    if (count < 0 && errno != EINTR) return false;
    if (count == 0) break;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  std::fill(target + done, target + size, static_cast<unsigned char>(0));
  for (const auto& [start, block] : pending_) {  // a handful of blocks
    const std::uint64_t from = std::max(start, address);
    const std::uint64_t to = std::min(start + block.bytes.size(), address + size);
    if (from < to) std::memcpy(target + (from - address), &block.bytes[from - start], to - from);
  }
  return true;
}

bool CommittedFile::write(H5FD_mem_t kind, std::uint64_t address, std::size_t size,
                          const void* bytes) {
  if (kind == H5FD_MEM_DRAW) return write_now(address, size, bytes);
  const auto* const source = static_cast<const unsigned char*>(bytes);
  pending_[address] = Block{kind, {source, source + size}};
  return true;
}

bool CommittedFile::write_now(std::uint64_t address, std::size_t size, const void* bytes) {
  if (error_ != 0) return false;
  const auto* source = static_cast<const unsigned char*>(bytes);
  if (observer_) observer_(address, {source, size});
  while (size > 0) {
    const ssize_t count = ::pwrite(descriptor_, source, size, static_cast<off_t>(address));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return fail(errno);
    source += count;
    address += static_cast<std::uint64_t>(count);
    size -= static_cast<std::size_t>(count);
    size_ = std::max(size_, address);
  }
  return true;
}

bool CommittedFile::resize_to_end() {
  if (error_ != 0) return false;
  if (size_ == end_of_space_) return true;
  if (::ftruncate(descriptor_, static_cast<off_t>(end_of_space_)) != 0) return fail(errno);
  size_ = end_of_space_;
  if (observer_) observer_(size_, {});
  return true;
}

int CommittedFile::rank(std::uint64_t address, const Block& block) const {
  if (!committed_.contains(address)) return 0;
  if (block.kind == H5FD_MEM_SUPER) return 1;
  if (block.kind == H5FD_MEM_LHEAP || block.kind == H5FD_MEM_GHEAP) return 2;
  const bool is_tree = block.bytes.size() > 6 && std::memcmp(block.bytes.data(), "TREE", 4) == 0;
  constexpr int leaves = 300;
  if (is_tree) return leaves - block.bytes[5];  // that byte is the level, 0 for a leaf
  return leaves + 1;
}

bool CommittedFile::commit() {
  std::vector<std::pair<int, std::uint64_t>> order;
  for (const auto& [address, block] : pending_) order.emplace_back(rank(address, block), address);
  std::sort(order.begin(), order.end());
  for (const auto& [rank, address] : order) {
    const std::vector<unsigned char>& bytes = pending_.at(address).bytes;
    if (!write_now(address, bytes.size(), bytes.data())) return false;
    committed_.insert(address);
  }
  pending_.clear();
  return true;
}

// ---- the same as a virtual file driver of HDF5
// ---------------------------------------------------

namespace {

struct DriverInfo {
  CommittedFile* file;
};

/// What HDF5 holds: its own part first.
struct DriverFile {
  H5FD_t base;
  CommittedFile* file;
};

CommittedFile& committed_file(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file)->file;
}
herr_t status(bool good) { return good ? 0 : -1; }

H5FD_t* open_file(const char* /*name*/, unsigned /*flags*/, hid_t access_list, haddr_t /*most*/) {
  const auto* info = static_cast<const DriverInfo*>(H5Pget_driver_info(access_list));
  if (info == nullptr) return nullptr;
  auto* file = new DriverFile{};
  file->file = info->file;
  return &file->base;
}
herr_t close_file(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}
int compare_files(const H5FD_t* a, const H5FD_t* b) {
  const std::less<const CommittedFile*> less;
  return less(&committed_file(a), &committed_file(b))   ? -1
         : less(&committed_file(b), &committed_file(a)) ? 1
                                                        : 0;
}
/// No aggregation and no accumulation: each block is allocated and written for itself.
herr_t query_features(const H5FD_t* /*file*/, unsigned long* flags) {
  if (flags != nullptr) *flags = 0;
  return 0;
}
haddr_t end_of_space(const H5FD_t* file, H5FD_mem_t /*kind*/) {
  return committed_file(file).end_of_space();
}
herr_t set_end_of_space(H5FD_t* file, H5FD_mem_t /*kind*/, haddr_t address) {
  committed_file(file).set_end_of_space(address);
  return 0;
}
haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t /*kind*/) { return committed_file(file).size(); }
herr_t read_block(H5FD_t* file, H5FD_mem_t /*kind*/, hid_t /*transfer*/, haddr_t address,
                  std::size_t size, void* bytes) {
  return status(committed_file(file).read(address, size, bytes));
}
// After a failure all writing is pretended to succeed: HDF5 can then close the file in peace, and
// whoever writes sees CommittedFile::error().
herr_t write_block(H5FD_t* file, H5FD_mem_t kind, hid_t /*transfer*/, haddr_t address,
                   std::size_t size, const void* bytes) {
  committed_file(file).write(kind, address, size, bytes);
  return 0;
}
herr_t flush_file(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  committed_file(file).commit();
  return 0;
}
herr_t truncate_file(H5FD_t* file, hid_t /*transfer*/, hbool_t /*closing*/) {
  committed_file(file).resize_to_end();
  return 0;
}

H5FD_class_t make_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);
#endif
  driver.name = "saltus_committed";
  driver.maxaddr = static_cast<haddr_t>(INT64_MAX);
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(DriverInfo);
  driver.open = &open_file;
  driver.close = &close_file;
  driver.cmp = &compare_files;
  driver.query = &query_features;
  driver.get_eoa = &end_of_space;
  driver.set_eoa = &set_end_of_space;
  driver.get_eof = &end_of_file;
  driver.read = &read_block;
  driver.write = &write_block;
  driver.flush = &flush_file;
  driver.truncate = &truncate_file;
  const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

}  // namespace

void use_committed_file(hid_t access_list, CommittedFile& file) {
  static const H5FD_class_t driver = make_driver();
  static const hid_t id = H5FDregister(&driver);
  const DriverInfo info{&file};
  H5Pset_driver(access_list, id, &info);
}

}  // namespace saltus::io
