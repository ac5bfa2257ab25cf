// SPDX-License-Identifier: Apache-2.0
#include "saltus/io/report_arrays.hpp"

#include <gtest/gtest.h>

#include "tests/io/report_page.hpp"

namespace saltus {
namespace report_arrays_test {

TEST(Base64, IsThatOfRfc4648) {
  EXPECT_EQ(io::base64(""), "");
  EXPECT_EQ(io::base64("f"), "Zg==");
  EXPECT_EQ(io::base64("fo"), "Zm8=");
  EXPECT_EQ(io::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(decoded(io::base64(std::string("\xff\0\x80", 3))), std::string("\xff\0\x80", 3));
}

TEST(ReportArrays, CoarseNumbersAreRoundedToTheirRange) {
  io::ReportArrays arrays;
  const std::vector<double> values = {-1, 2, 0.123456789, 1.987654321};
  arrays.add_small(std::vector<double>{1, 2, 3});  // what comes first must not matter
  const Json ref = arrays.add_coarse(values);
  EXPECT_EQ(arrays.bytes().size(), 8U + 16U + 8U);
  const std::vector<double> read = Page(Json::object(), arrays.bytes()).array(ref);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(read[i], values[i], 3.0 / 65535 / 2 * (1 + 1e-9));
  }
}

}  // namespace report_arrays_test
}  // namespace saltus
