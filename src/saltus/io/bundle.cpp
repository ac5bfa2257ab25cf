// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>

#include "saltus/io/capsule.hpp"
#include "saltus/io/checkpoint.hpp"
#include "saltus/io/hdf5_reader.hpp"
#include "saltus/io/output_file.hpp"
#include "saltus/io/result_info.hpp"

namespace saltus::io {
namespace {

constexpr std::uintmax_t largest_binary = 20'000'000, longest_table = 2'000'000;

/// An archive in the format ustar: any tar reads it. Times and owners are not told.
class TarFile {
 public:
  explicit TarFile(const std::filesystem::path& path) : file_(path) {}

  /// @throws FileError
  void add(const std::string& name, std::string_view content) {
    std::array<char, block> header = {};
    const auto put = [&](std::size_t place, std::string_view text) {
      std::memcpy(header.data() + place, text.data(), text.size());
    };
    put(0, std::string_view(name).substr(0, 99));
    put(100, "0000644");
    put(108, "0000000");
    put(116, "0000000");
    put(124, fmt::format("{:011o}", content.size()));
    put(136, "00000000000");
    put(148, "        ");  // the sum counts itself as blanks
    header[156] = '0';
    put(257, "ustar");
    put(263, "00");
    const int sum = std::accumulate(header.begin(), header.end(), 0, [](int total, char c) {
      return total + static_cast<unsigned char>(c);
    });
    put(148, fmt::format("{:06o}", sum));
    header[154] = '\0';
    file_.write({header.data(), header.size()});
    file_.write(content);
    pad(content.size());
  }
  void close() {
    file_.write(std::string(2 * block, '\0'));
    file_.close();
  }

 private:
  static constexpr std::size_t block = 512;

  void pad(std::size_t size) {
    if (size % block != 0) file_.write(std::string(block - size % block, '\0'));
  }

  OutputFile file_;
};

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw FileError(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Head and end of a table, whole lines.
std::string shortened(const std::string& text) {
  const std::size_t half = longest_table / 2;
  const std::size_t head = text.rfind('\n', half), tail = text.find('\n', text.size() - half);
  return text.substr(0, head + 1) + "... the middle is left out ...\n" + text.substr(tail + 1);
}

bool is_table(const std::string& name) { return name.ends_with(".csv"); }

/// What of the directory may go in, in the order of names.
std::vector<std::string> candidates(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    const bool is_result = std::ranges::find(result_file_names, name) != result_file_names.end();
    const bool is_ours = (is_result && name != "report.html") || name == checkpoint_file_name ||
                         name.starts_with(capsule_file_name);
    if (is_ours && entry.is_regular_file()) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::vector<BundledFile> write_bundle(const std::filesystem::path& directory,
                                      const std::filesystem::path& path, bool everything) {
  read_result_info(directory);  // is it one?
  TarFile tar(path);
  std::vector<BundledFile> files;
  const auto add = [&](const std::string& name, const std::string& content, bool is_whole) {
    tar.add(path.stem().string() + "/" + name, content);
    files.push_back({name, content.size(), is_whole});
  };
  if (std::filesystem::exists(directory / "results.h5")) {
    add("model.json", Hdf5Reader(directory / "results.h5").text("model"), true);
  }
  for (const std::string& name : candidates(directory)) {
    const std::uintmax_t bytes = std::filesystem::file_size(directory / name);
    if (!everything && !is_table(name) && bytes > largest_binary) {
      files.push_back({name, 0, false});
      continue;
    }
    std::string content = content_of(directory / name);
    const bool is_whole = everything || !is_table(name) || content.size() <= longest_table;
    add(name, is_whole ? content : shortened(content), is_whole);
  }
  tar.close();
  return files;
}

}  // namespace saltus::io
