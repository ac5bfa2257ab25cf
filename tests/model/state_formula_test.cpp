// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/state_formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "saltus/model/formula_values.hpp"

namespace saltus {
namespace state_formula_test {

/// Formulas of one variable, written as t; all are smooth at 0.6.
const char* const formulas[] = {"sin(t)+cos(2*t)-tan(t/2)",
                                "asin(t)*acos(t)/atan(t)",
                                "sinh(t)-cosh(t)*tanh(t)",
                                "asinh(t)+acosh(1+t)-atanh(t)",
                                "log2(t)+log10(t)*ln(t)-log(2*t)",
                                "exp(-t^2)*sqrt(t)",
                                "sign(t)*t+rint(t)-abs(-t)",
                                "min(t,0.9,2*t)+max(t,0.3)",
                                "sum(t,t^2,1)+avg(t,3*t)",
                                "atan2(t,0.2)-atan2(0.3,-t)",
                                "t^3-2^t+t^-0.5+t^t",
                                "-t^2+(t>0.5 ? t*t : 3)",
                                "(t<0.5||t>=0.55)*t+(t<=1&&t!=2)+(t==1)",
                                "3*(t-0.1)/(2-t)-1e-1*t"};

std::string with_state(std::string text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool alone = text[i] == 't' && (i == 0 || std::isalpha(text[i - 1]) == 0) &&
                       (i + 1 == text.size() || std::isalnum(text[i + 1]) == 0);
    out += alone ? std::string("pin.angle") : std::string(1, text[i]);
  }
  return out;
}

TEST(StateFormula, HasTheValuesOfMuParser) {
  for (const char* text : formulas) {
    FormulaValues expected(text);
    const StateFormula formula(with_state(text));
    for (const double x : {0.2, 0.51, 0.6, 0.95}) {
      EXPECT_DOUBLE_EQ(formula.value(7, std::array{x}), expected.at(x)[0]) << text;
    }
  }
}

TEST(StateFormula, GradientIsTheDerivative) {
  for (const char* text : formulas) {
    const StateFormula formula(with_state(text));
    const double x = 0.6, d = 1e-5;
    std::array<double, 1> gradient = {};
    formula.value(7, std::array{x}, gradient);
    const double quotient =
        (formula.value(7, std::array{x + d}) - formula.value(7, std::array{x - d})) / (2 * d);
    EXPECT_NEAR(gradient[0], quotient, 1e-8 * (1 + std::abs(quotient))) << text;
  }
}

TEST(StateFormula, ListsEachStateOnce) {
  const StateFormula formula("2*(a.rate - b.position.x)*a.rate + t");
  EXPECT_EQ(formula.states(), (std::vector<std::string>{"a.rate", "b.position.x"}));
  std::array<double, 2> gradient = {};
  EXPECT_DOUBLE_EQ(formula.value(0.5, std::array{3.0, 1.0}, gradient), 12.5);
  EXPECT_DOUBLE_EQ(gradient[0], 2 * (2 * 3.0 - 1.0));
  EXPECT_DOUBLE_EQ(gradient[1], -6);
}

TEST(StateFormula, MarginChangesItsSignWhereTheConditionDoes) {
  EXPECT_DOUBLE_EQ(StateFormula("a.x < 0.5").margin(0, std::array{0.2}), 0.3);
  EXPECT_DOUBLE_EQ(StateFormula("a.x > 0.5").margin(0, std::array{0.2}), -0.3);
  EXPECT_DOUBLE_EQ(StateFormula("a.x > 0.5 || t < 1").margin(0, std::array{0.2}), 1);
  EXPECT_DOUBLE_EQ(StateFormula("a.x > 0.5 && t < 1").margin(0, std::array{0.2}), -1);
}

TEST(StateFormula, KnowsConditionsFromNumbers) {
  for (const char* text : {"a.x < 1", "(a.x>1)", "a.x < 1 && t > 2 || a.y == 0",
                           "t < 1 ? 0 : a.x > 1", "(a.x < 1)*(a.y > 2)"}) {
    EXPECT_TRUE(StateFormula(text).is_condition()) << text;
  }
  for (const char* text :
       {"a.x", "1", "a.x - 1", "(a.x < 1) + 1", "a.x && t > 2", "t<1 ? a.x : 1"}) {
    EXPECT_FALSE(StateFormula(text).is_condition()) << text;
  }
}

TEST(StateFormula, RefusesWhatItCannotRead) {
  for (const char* text : {"a.x +", "tau*a.x", "foo(a.x)", "sin(a.x, 2)", "a.x, 2", "a.x = 3"}) {
    EXPECT_THROW(StateFormula{text}, std::invalid_argument) << text;
  }
  EXPECT_TRUE(names_states("2*pin.angle"));
  EXPECT_FALSE(names_states("2*t+1.5"));
}

}  // namespace state_formula_test
}  // namespace saltus
