// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "saltus/io/csv_writer.hpp"
#include "saltus/io/model_file.hpp"
#include "tests/io/temporary_directory.hpp"

namespace saltus::io {
namespace result_csv_test {

const std::vector<std::string> two_columns = {"time", "ball.position.x"};

TEST(CsvWriter, WritesAHeaderAndALineARow) {
  const TemporaryDirectory directory;
  CsvWriter writer(directory / "a.csv", two_columns);
  writer.write(std::vector<double>{0, 0.1});
  writer.write(std::vector<double>{1.1e-300, -2.5});
  writer.close();
  EXPECT_EQ(text_of(directory / "a.csv"),
            "time,ball.position.x\n0,0.10000000000000001\n1.1e-300,-2.5\n");
}

TEST(CsvWriter, NumbersReadBackAsTheSameBits) {
  const TemporaryDirectory directory;
  std::mt19937_64 generator(1);
  std::vector<double> values = {0.0, -0.0, std::numeric_limits<double>::max(),
                                std::numeric_limits<double>::denorm_min(), 123456789012345678.0};
  while (values.size() < 20000) {
    const auto value = std::bit_cast<double>(generator());
    if (std::isfinite(value)) values.push_back(value);
  }
  CsvWriter writer(directory / "a.csv", std::vector<std::string>{"x"});
  for (const double value : values) writer.write({&value, 1});
  writer.close();

  std::istringstream text(text_of(directory / "a.csv"));
  std::string line;
  std::getline(text, line);
  for (const double value : values) {
    ASSERT_TRUE(std::getline(text, line));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(line.c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(value))
        << line;
  }
  EXPECT_FALSE(std::getline(text, line));
}

TEST(CsvWriter, WritesWhatIsNoNumberAsWords) {
  const TemporaryDirectory directory;
  CsvWriter writer(directory / "a.csv", two_columns);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  writer.write(std::vector<double>{std::copysign(nan, -1.0), nan});
  writer.write(std::vector<double>{std::numeric_limits<double>::infinity(), -HUGE_VAL});
  writer.close();
  EXPECT_EQ(text_of(directory / "a.csv"), "time,ball.position.x\nnan,nan\ninf,-inf\n");
}

TEST(CsvWriter, QuotesTextsThatNeedIt) {
  const TemporaryDirectory directory;
  CsvWriter writer(directory / "a.csv", std::vector<std::string>{"x", "a,b", "say \"x\""});
  writer.put(0.1);
  writer.put("plain name");
  writer.put("two\nlines, one \"quoted\"");
  writer.end_row();
  writer.put(-2);
  writer.put("");
  writer.put(std::string(3, '"'));
  writer.end_row();
  writer.close();
  EXPECT_EQ(text_of(directory / "a.csv"),
            "x,\"a,b\",\"say \"\"x\"\"\"\n"
            "0.10000000000000001,plain name,\"two\nlines, one \"\"quoted\"\"\"\n"
            "-2,,\"\"\"\"\"\"\"\"\n");
}

TEST(CsvWriter, KeepsTextsLongerThanTheBuffer) {
  const TemporaryDirectory directory;
  const std::string text(3U << 20U, 'x');
  CsvWriter writer(directory / "a.csv", two_columns);
  for (int i = 0; i < 2; ++i) {
    writer.put(i);
    writer.put(text);
    writer.end_row();
  }
  writer.close();
  EXPECT_EQ(text_of(directory / "a.csv"), "time,ball.position.x\n0," + text + "\n1," + text + "\n");
}

TEST(CsvWriter, KeepsWholeLinesBeyondTheBuffer) {
  const TemporaryDirectory directory;
  const std::vector<std::string> names(700, "x");
  const std::vector<double> row(700, -1.2345678901234567e-308);  // as long as a number can be
  CsvWriter writer(directory / "a.csv", names);
  for (int i = 0; i < 200; ++i) {
    writer.write(row);
    if (i % 50 != 0) continue;
    const std::string text = text_of(directory / "a.csv");
    EXPECT_EQ(text.back(), '\n');
  }
  writer.close();
  const std::string text = text_of(directory / "a.csv");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 201);
}

TEST(CsvWriter, NamesTheFileThatCannotBeWritten) {
  try {
    CsvWriter writer("/dev/null/a.csv", two_columns);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_STREQ(error.what(), "/dev/null/a.csv: cannot be written: Not a directory");
  }
}

}  // namespace result_csv_test
}  // namespace saltus::io
