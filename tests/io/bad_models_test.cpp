// SPDX-License-Identifier: Apache-2.0
//
// Every file tests/bad_models/<name>.json breaks a rule; <name>.expected has the messages, without
// the file's name in front.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "saltus/io/model_file.hpp"

namespace saltus {
namespace bad_models_test {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The messages of a file that must be wrong, one a line, without the file's name.
std::string messages_of(const fs::path& path) {
  try {
    read_model_file(path);
  } catch (const InputError& error) {
    EXPECT_EQ(error.file(), path.string());
    std::string text;
    for (const Issue& issue : error.issues()) text += issue.message() + '\n';
    return text;
  }
  return "no error\n";
}

std::vector<std::string> bad_models() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(SALTUS_SOURCE_DIR "/tests/bad_models")) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST(BadModels, AreMany) { EXPECT_GE(bad_models().size(), 65U); }

class BadModel : public testing::TestWithParam<std::string> {};

TEST_P(BadModel, IsRefusedWithItsMessage) {
  const fs::path base = fs::path(SALTUS_SOURCE_DIR "/tests/bad_models") / GetParam();
  const std::string expected = text_of(base.string() + ".expected");
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(messages_of(base.string() + ".json"), expected);
}

INSTANTIATE_TEST_SUITE_P(Files, BadModel, testing::ValuesIn(bad_models()),
                         [](const auto& test) { return test.param; });

/// A file in a directory of its own that is removed at the end.
class GeneratedFile : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::temp_directory_path() / ("saltus_bad_" + std::to_string(::getpid()));
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  fs::path write(const std::string& content) const {
    fs::path path = directory_ / "bad.json";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }
  std::string refuse(const std::string& content) const { return messages_of(write(content)); }

  fs::path directory_;
};

const std::string good = R"({"saltus": 1,
 "model": {"bodies": [{"name": "bob", "type": "point_mass", "mass": 1}]},
 "simulation": {"end_time": 1}})";

TEST_F(GeneratedFile, Empty) {
  EXPECT_EQ(refuse(""), "the file is empty\n");
  EXPECT_EQ(refuse(" \n\t\r\n"), "the file is empty\n");
  EXPECT_EQ(refuse("\xEF\xBB\xBF"), "the file is empty\n");
}

TEST_F(GeneratedFile, Binary) {
  EXPECT_EQ(refuse(std::string("\x89HDF\r\n\x1a\n\0\0", 10)),
            "line 1, column 1: the byte 0x89 is not valid UTF-8; save the file with the encoding "
            "UTF-8\n");
  EXPECT_EQ(refuse(std::string("\x7f"
                               "ELF\0\0",
                               6)),
            "line 1, column 1: the byte 0x7f is no text; this seems to be a binary file; a model "
            "is a JSON text\n");
  EXPECT_EQ(refuse(std::string("{\0\"", 3)),
            "line 1, column 2: the byte 0x00 is no text; this seems to be a binary file; a model "
            "is a JSON text\n");
}

TEST_F(GeneratedFile, InvalidUtf8) {
  EXPECT_EQ(refuse("{\"saltus\": 1,\n \"comment\": \"gr\xFC\xDF\"}"),
            "line 2, column 16: the byte 0xfc is not valid UTF-8; save the file with the encoding "
            "UTF-8\n");
}

TEST_F(GeneratedFile, TruncatedAnywhereIsRefused) {
  for (std::size_t length = 1; length < good.size(); ++length) {
    const std::string messages = refuse(good.substr(0, length));
    EXPECT_NE(messages.find("the file ends inside "), std::string::npos) << length << messages;
  }
  EXPECT_EQ(refuse(good.substr(0, 60)),
            "/model/bodies/0: the file ends inside this object, at line 2, column 47; is it "
            "complete? a \"}\" is missing\n");
}

TEST_F(GeneratedFile, DuplicateKeyInALargeObject) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"k" + std::to_string(i) + "\": 0, ";
  EXPECT_EQ(refuse(text + "\"k500\": 1}"),
            "the key \"k500\" stands here twice; remove one of them\n");
}

TEST_F(GeneratedFile, TooManyErrorsAreCounted) {
  std::string text = R"({"saltus": 1, "model": {"bodies": [1)";
  for (int i = 1; i < 500; ++i) text += ",1";
  const std::string messages = refuse(text + R"(]}, "simulation": {"end_time": 1}})");
  EXPECT_EQ(std::count(messages.begin(), messages.end(), '\n'), 101);
  EXPECT_NE(messages.find("\nand 400 more\n"), std::string::npos);
}

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// s; linear reading takes 1 to 3 beside other work, quadratic reading minutes
constexpr double patience = 6;
#else
constexpr double patience = 60;
#endif

/// Processor time of this process so far, in s.
double seconds(const rusage& usage) {
  const auto of = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

/// The messages of a file, which must come soon and without much memory.
std::string messages_soon(const fs::path& path) {
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_SELF, &before);
  std::string messages = messages_of(path);
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(seconds(after) - seconds(before), patience);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 1'000'000) << "kB more memory";
  return messages;
}

/// 100 MB of a text again and again.
std::string hundred_megabytes_of(const std::string& part) {
  constexpr std::size_t size = 100'000'000;
  std::string text;
  text.reserve(size + part.size());
  while (text.size() < size) text += part;
  return text;
}

TEST_F(GeneratedFile, HundredMegabytesOfDeepArrays) {
  const fs::path path = write(hundred_megabytes_of("["));
  std::string place;
  for (int i = 0; i < 63; ++i) place += "/0";
  EXPECT_EQ(messages_soon(path), place + ": objects and arrays are nested more than 64 deep\n");
}

TEST_F(GeneratedFile, HundredMegabytesOfWideArrays) {
  const fs::path path = write('[' + hundred_megabytes_of("[],"));
  EXPECT_EQ(messages_soon(path), "the file has more than 2000000 objects and arrays\n");
}

TEST_F(GeneratedFile, HundredMegabytesOfNumbers) {
  const fs::path path = write('[' + hundred_megabytes_of("0,"));
  EXPECT_EQ(messages_soon(path), "the file has more than 10000000 values\n");
}

TEST_F(GeneratedFile, HundredMegabytesOfText) {
  const fs::path path = write('"' + hundred_megabytes_of("a") + '"');
  EXPECT_EQ(messages_soon(path),
            "the outermost value must be an object { … }, got \"" + std::string(60, 'a') + "…\"\n");
}

TEST_F(GeneratedFile, ManyUnknownKeys) {
  std::string text = "{\"saltus\": 1";
  for (int i = 0; i < 200000; ++i) text += ", \"key" + std::to_string(i) + "\": 0";
  const std::string messages = messages_soon(write(text + "}"));
  EXPECT_NE(messages.find("and 199902 more"), std::string::npos);
}

}  // namespace bad_models_test
}  // namespace saltus
