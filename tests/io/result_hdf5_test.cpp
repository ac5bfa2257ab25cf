// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include "saltus/io/hdf5_writer.hpp"
#include "saltus/io/json_text.hpp"
#include "saltus/io/model_file.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::io {
namespace {

const std::vector<Column> two_columns = {{"time", "s", "time"},
                                         {"β.rotation.x", "rad", "accumulated, component x"}};
const RunOrigin origin{.model = "a.json", .model_hash = "12", .model_text = "{\"saltus\": 1}"};

/// The value in row i, column j of every series in this file.
double value_at(std::size_t i, std::size_t j) {
  return static_cast<double>(i) + 0.25 * static_cast<double>(j);
}

/// Writes the next row of the series.
void write_row(Hdf5Writer& writer, std::size_t i) {
  writer.write(std::vector<double>{value_at(i, 0), value_at(i, 1)});
}

std::string summary_of(std::size_t steps) {
  return Json{{"steps", steps}, {"comment", std::string(100 + steps % 50, 'x')}}.dump();
}

std::string read_text(hid_t file, const char* name) {
  const Hdf5Handle dataset(H5Dopen2(file, name, H5P_DEFAULT), &H5Dclose);
  const Hdf5Handle type(H5Dget_type(dataset), &H5Tclose);
  std::string text(H5Tget_size(type), '\0');
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return "unreadable";
  return text.substr(0, text.find('\0'));
}

/// Reads `count` rows from `first` on, `stride` apart; fails the test if they are not what was
/// written.
void check_rows(hid_t data, hsize_t first, hsize_t stride, hsize_t count) {
  const hsize_t start[] = {first, 0}, strides[] = {stride, 1}, counts[] = {count, 2};
  const Hdf5Handle space(H5Dget_space(data), &H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, strides, counts, nullptr);
  const Hdf5Handle memory(H5Screate_simple(2, counts, nullptr), &H5Sclose);
  std::vector<double> values(2 * count);
  EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), 0);
  for (hsize_t k = 0; k < values.size(); ++k) {
    const hsize_t row = first + k / 2 * stride;
    if (values[k] == value_at(row, k % 2)) continue;
    ADD_FAILURE() << "row " << row << " holds " << values[k];
    break;
  }
}

/// Fails the test if the file is not the beginning of what was written. Returns the number of rows.
/// @param every  read the last rows, and of the others each of this number
std::size_t check_file(hid_t file, hsize_t every = 1) {
  EXPECT_GE(file, 0) << "the file cannot be opened";
  if (file < 0) return 0;
  EXPECT_FALSE(Json::parse(read_text(file, "summary"), nullptr, false).is_discarded());
  EXPECT_EQ(read_text(file, "model"), origin.model_text);
  const Hdf5Handle data(H5Dopen2(file, "timeseries/data", H5P_DEFAULT), &H5Dclose);
  const Hdf5Handle space(H5Dget_space(data), &H5Sclose);
  hsize_t size[2] = {0, 0};
  H5Sget_simple_extent_dims(space, size, nullptr);
  const hsize_t last = std::min<hsize_t>(size[0], 120);
  if (last > 0) check_rows(data, size[0] - last, 1, last);
  if (size[0] >= every) check_rows(data, 0, every, size[0] / every);
  return size[0];
}

std::size_t check_path(const std::filesystem::path& path) {
  return check_file(Hdf5Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose));
}

/// The disk as the observer sees it, page by page.
class Disk {
 public:
  void write(std::uint64_t address, std::span<const unsigned char> bytes) {
    constexpr std::size_t page = 4096;
    if (bytes.empty()) queue_.push_back({address, {}});
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), page - address % page);
      queue_.push_back({address, {bytes.begin(), bytes.begin() + static_cast<long>(count)}});
      bytes = bytes.subspan(count);
      address += count;
    }
  }

  /// Lets the queued pages arrive; with `check`, opens the file after each that changes it.
  void arrive(bool check) {
    for (const auto& [address, bytes] : queue_) {
      const bool changes = arrive(address, bytes);
      if (check && changes) rows_ = check_image();
      if (testing::Test::HasFailure()) break;
    }
    queue_.clear();
  }
  std::size_t rows() const { return rows_; }

 private:
  bool arrive(std::uint64_t address, const std::vector<unsigned char>& bytes) {
    const std::size_t size =
        bytes.empty() ? address : std::max(image_.size(), address + bytes.size());
    const bool grows = size != image_.size();
    image_.resize(size);
    const auto place = image_.begin() + static_cast<long>(address);
    if (!grows && std::equal(bytes.begin(), bytes.end(), place)) return false;
    std::copy(bytes.begin(), bytes.end(), place);
    return true;
  }

  std::size_t check_image() {
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose);
    H5Pset_fapl_core(access, 1 << 20, 0);
    H5Pset_file_image(access, image_.data(), image_.size());
    const Hdf5Handle file(H5Fopen("image", H5F_ACC_RDONLY, access), &H5Fclose);
    const std::size_t rows = check_file(file, 50);
    EXPECT_GE(rows, rows_) << "rows got lost";
    return rows;
  }

  std::vector<std::pair<std::uint64_t, std::vector<unsigned char>>> queue_;
  std::vector<unsigned char> image_;
  std::size_t rows_ = 0;
};

TEST(Hdf5Writer, RowsReadBack) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  Hdf5Writer writer(path, two_columns, origin, "{}");
  EXPECT_EQ(check_path(path), 0U);
  for (std::size_t i = 0; i < 30000; ++i) write_row(writer, i);
  writer.flush("{}");
  EXPECT_EQ(check_path(path), 30000U);
  for (std::size_t i = 30000; i < 30003; ++i) write_row(writer, i);
  writer.close("{\"status\": \"completed\"}");
  EXPECT_EQ(check_path(path), 30003U);

  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose);
  EXPECT_EQ(read_text(file, "summary"), "{\"status\": \"completed\"}");
}

TEST(Hdf5Writer, TextLongerThanTheSummaryIsCut) {
  const TemporaryDirectory directory;
  Hdf5Writer writer(directory / "results.h5", two_columns, origin, "{}");
  writer.close(std::string(200000, 'x'));
  const Hdf5Handle file(H5Fopen((directory / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                        &H5Fclose);
  EXPECT_EQ(read_text(file, "summary").size(), 65536U);
}

// Every state that the disk goes through is a complete file: checked after each page that is
// written, over the growth of the chunks' B-tree to three levels.
TEST(Hdf5Writer, EveryStateOnTheDiskIsReadable) {
  const TemporaryDirectory directory;
  Disk disk;
  const auto observer = [&](std::uint64_t address, std::span<const unsigned char> bytes) {
    disk.write(address, bytes);
  };
  Hdf5Writer writer(directory / "results.h5", two_columns, origin, "{}",
                    {.chunk_bytes = 16, .observer = observer});
  disk.arrive(false);                 // the file gets its name after the first flush
  constexpr std::size_t rows = 9500;  // each is a chunk; 100 are in a node of the B-tree
  for (std::size_t i = 0; i < rows && !HasFailure(); ++i) {
    write_row(writer, i);
    const bool early = i<300, late = i> 8900 && i % 90 < 15;  // the second and the third level
    if (i % 30 != 0 && !early && !late) continue;
    writer.flush(summary_of(i));
    disk.arrive(early || late);
  }
  const ModeTable modes{.columns = two_columns, .values = {1, 2, 3, 4}};
  writer.write_modes(modes);
  writer.close(summary_of(rows));
  disk.arrive(true);
  EXPECT_EQ(disk.rows(), rows);
}

/// Writes rows and flushes until it is killed.
[[noreturn]] void write_for_ever(const std::filesystem::path& path) {
  Hdf5Writer writer(path, two_columns, origin, "{}", {.chunk_bytes = 64});
  for (std::size_t i = 0;; ++i) {
    write_row(writer, i);
    if (i % 3 == 0) writer.flush(summary_of(i));
  }
}

TEST(Hdf5Writer, FileIsReadableAfterKill) {
  const TemporaryDirectory directory;
  const auto path = directory / "results.h5";
  std::mt19937 generator(1);
  std::uniform_int_distribution<unsigned> microseconds(0, 20000);
  std::size_t rows = 0;
  for (int kill_number = 0; kill_number < 100 && !HasFailure(); ++kill_number) {
    std::filesystem::remove(path);
    const pid_t child = ::fork();
    if (child == 0) write_for_ever(path);
    while (!std::filesystem::exists(path)) ::usleep(100);
    ::usleep(microseconds(generator));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    rows += check_path(path);
  }
  EXPECT_GT(rows, 1000U);
}

TEST(Hdf5Writer, FailureNamesTheFile) {
  try {
    const Hdf5Writer writer("/dev/null/results.h5", two_columns, origin, "{}");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("/dev/null/results.h5"), std::string::npos);
  }
}

}  // namespace
}  // namespace saltus::io
