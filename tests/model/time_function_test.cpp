// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/time_function.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>
#include <thread>

#include "saltus/model/calculus.hpp"

namespace saltus {
namespace time_function_test {

constexpr double pi = std::numbers::pi;

CompiledFunction formula(const std::string& text, double horizon = 1) {
  return CompiledFunction(Expression{text}, horizon);
}

double relative(double value, double expected) {
  return std::abs(value - expected) / std::max(1e-300, std::abs(expected));
}

TEST(TimeFunction, NumberIsConstant) {
  const CompiledFunction f(3.5);
  EXPECT_EQ(f.value(7), 3.5);
  EXPECT_EQ(f.first_derivative(7), 0);
  EXPECT_EQ(f.second_derivative(7), 0);
  EXPECT_EQ(f.integral(2), 7);
  EXPECT_TRUE(f.is_constant());
}

// Before: steps in seconds, so that a run of a microsecond had no derivatives.
TEST(TimeFunction, DerivativesDoNotDependOnTheUnitOfTime) {
  for (const double unit : {1e-9, 1e-4, 1.0, 1e4, 1e9}) {
    const std::string tau = "(t/" + std::to_string(unit * 1e9) + "e-9)";
    const CompiledFunction f = formula("0.3*(1-cos(5*" + tau + "))", unit);
    for (const double s : {0.0, 0.1, 0.37, 1.0}) {
      EXPECT_NEAR(f.first_derivative(s * unit) * unit, 1.5 * std::sin(5 * s), 1e-10) << unit;
      EXPECT_NEAR(f.second_derivative(s * unit) * unit * unit, 7.5 * std::cos(5 * s), 1e-8) << unit;
    }
  }
}

// Sums inside of these are far larger than their values. Before: 1e-6 and worse.
TEST(TimeFunction, DerivativesKnowOfCancellation) {
  for (const double horizon : {0.01, 0.3, 1.0, 30.0, 1e3}) {
    EXPECT_NEAR(formula("1000*(1-cos(5*t))", horizon).first_derivative(0), 0, 1e-8);
    EXPECT_NEAR(formula("1000*(1-cos(5*t))", horizon).second_derivative(0), 25000, 1e-5);
    EXPECT_NEAR(formula("sqrt(1+t)-1", horizon).first_derivative(0), 0.5, 1e-11);
    EXPECT_NEAR(formula("sqrt(1+t)-1", horizon).second_derivative(0), -0.25, 1e-9);
    EXPECT_NEAR(formula("log(1+t)", horizon).first_derivative(0), 1, 1e-11);
    EXPECT_NEAR(formula("log(1+t)", horizon).second_derivative(0), -1, 1e-9);
  }
}

// Many periods in a run, or a small part of one.
TEST(TimeFunction, DerivativesAreGoodFarFromTheLengthOfTheRun) {
  for (const double rate : {1e-2, 1.0, 1e2, 1e4, 1e6}) {
    const CompiledFunction f = formula("sin(" + std::to_string(rate) + "*t)");
    for (const double s : {0.0, 0.4, 1.1}) {
      const double t = s / std::max(rate, 1.0);
      EXPECT_NEAR(f.first_derivative(t) / rate, std::cos(rate * t), 1e-9) << rate;
      EXPECT_NEAR(f.second_derivative(t) / (rate * rate), -std::sin(rate * t), 1e-6) << rate;
    }
  }
}

TEST(TimeFunction, TableIsLinearBetweenItsPointsAndConstantOutside) {
  const CompiledFunction f(Table{{1, 2, 4}, {10, 20, 0}});
  EXPECT_EQ(f.value(0), 10);
  EXPECT_EQ(f.value(1.5), 15);
  EXPECT_EQ(f.value(3), 10);
  EXPECT_EQ(f.value(9), 0);
  EXPECT_FALSE(f.is_constant());
  EXPECT_TRUE(CompiledFunction(Table{{0, 1}, {2, 2}}).is_constant());
}

TEST(TimeFunction, TableHasTheDerivativeFromTheLeftButAtItsFirstPoint) {
  const CompiledFunction f(Table{{1, 2, 4}, {10, 20, 0}});
  EXPECT_EQ(f.first_derivative(0.5), 0);
  EXPECT_EQ(f.first_derivative(1), 10);
  EXPECT_EQ(f.first_derivative(2), 10);
  EXPECT_EQ(f.first_derivative(4), -10);
  EXPECT_EQ(f.first_derivative(4.001), 0);
  EXPECT_EQ(f.second_derivative(3), 0);
}

TEST(TimeFunction, TableIntegralBeginsAtZero) {
  const CompiledFunction f(Table{{1, 2, 4}, {10, 20, 0}});
  EXPECT_DOUBLE_EQ(f.integral(1), 10);
  EXPECT_DOUBLE_EQ(f.integral(1.5), 10 + 6.25);
  EXPECT_DOUBLE_EQ(f.integral(4), 10 + 15 + 20);
  EXPECT_DOUBLE_EQ(f.integral(9), 45);
  const CompiledFunction before_zero(Table{{-2, 2}, {0, 4}});
  EXPECT_DOUBLE_EQ(before_zero.integral(1), 2.5);
  EXPECT_DOUBLE_EQ(before_zero.integral(-1), -1.5);
}

TEST(TimeFunction, SineHasItsDerivativesAndIntegral) {
  const CompiledFunction f(Sine{.amplitude = 2, .frequency = 3, .phase = 0.4, .offset = 1});
  const double omega = 2 * pi * 3;
  const double t = 0.7;
  EXPECT_NEAR(f.value(t), 1 + 2 * std::sin(omega * t + 0.4), 1e-14);
  EXPECT_NEAR(f.first_derivative(t), 2 * omega * std::cos(omega * t + 0.4), 1e-12);
  EXPECT_NEAR(f.second_derivative(t), -2 * omega * omega * std::sin(omega * t + 0.4), 1e-10);
  EXPECT_NEAR(f.integral(t), t + 2 / omega * (std::cos(0.4) - std::cos(omega * t + 0.4)), 1e-14);
}

TEST(TimeFunction, SineOfFrequencyZeroIsConstant) {
  const CompiledFunction f(Sine{.amplitude = 2, .frequency = 0, .phase = pi / 2});
  EXPECT_TRUE(f.is_constant());
  EXPECT_NEAR(f.integral(3), 6, 1e-14);
}

TEST(Formula, KnowsTimeAndConstants) {
  EXPECT_DOUBLE_EQ(formula("20*t*(t<0.1)").value(0.05), 1);
  EXPECT_DOUBLE_EQ(formula("20*t*(t<0.1)").value(0.2), 0);
  EXPECT_DOUBLE_EQ(formula("pi + e").value(0), pi + std::numbers::e);
  EXPECT_DOUBLE_EQ(formula("_pi + _e").value(0), pi + std::numbers::e);
  EXPECT_DOUBLE_EQ(formula("1e-3*t").value(2), 2e-3);
  EXPECT_TRUE(formula("2*pi").is_constant());
  EXPECT_FALSE(formula("2*t").is_constant());
}

struct Smooth {
  const char* text;
  double t, first, second;
};

TEST(Formula, DerivativesOfSmoothFunctions) {
  const double omega = 2 * pi * 100;
  const double slow = 2 * pi * 8;
  for (const Smooth& s : {
           Smooth{"sin(t)", 0.7, std::cos(0.7), -std::sin(0.7)},
           Smooth{"sin(2*pi*100*t)", 0.123, omega * std::cos(omega * 0.123),
                  -omega * omega * std::sin(omega * 0.123)},
           Smooth{"cos(2*pi*8*t)", 0.3, -slow * std::sin(slow * 0.3),
                  -slow * slow * std::cos(slow * 0.3)},
           Smooth{"exp(-3*t)", 2, -3 * std::exp(-6.0), 9 * std::exp(-6.0)},
           Smooth{"t^3", 2, 12, 12},
           Smooth{"log(1+t)", 0, 1, -1},
           Smooth{"t<1 ? 5*t^2 : 10*t-5", 0.4, 4, 10},
       }) {
    const CompiledFunction f = formula(s.text);
    EXPECT_LT(relative(f.first_derivative(s.t), s.first), 1e-10) << s.text;
    EXPECT_LT(relative(f.second_derivative(s.t), s.second), 1e-10) << s.text;
  }
}

/// Every operation and function, against differences of values.
TEST(Formula, DerivativesAreThoseOfEachOperation) {
  for (const char* text : {"-t+t*t-3/t", "t^3+t^-2+2^t+t^t+(1+t)^0.5", "sin(2*t)*cos(3*t)/tan(t)",
                           "asin(t)+acos(t/2)+atan(3*t)", "sinh(t)+cosh(2*t)+tanh(t-0.3)",
                           "asinh(t)+acosh(1+t)+atanh(t)", "log(t)+ln(t)+log2(t)+log10(3*t)",
                           "exp(-t^2)+sqrt(t)", "sign(t-0.9)*t+rint(t)*t^2+abs(t-0.8)*t",
                           "min(t,t^2,0.9)+max(t^2,0.1)+sum(t,t^3,1)+avg(t,t^2)",
                           "atan2(sin(3*t),cos(2*t))+atan2(t,1)", "t<0.3 ? t^2 : exp(t)*t",
                           "(t>0.2&&t<0.9)*t^2+(t<0.1||t>0.3)*t", "-2^2*t + 2^3^2*t^2/512"}) {
    const CompiledFunction f = formula(text);
    for (const double t : {0.37, 0.61}) {
      const Derivatives d = differentiate([&](double s) { return f.value(s); }, t, 0.02);
      EXPECT_NEAR(f.first_derivative(t), d.first, 1e-8 * (1 + std::abs(d.first))) << text;
      EXPECT_NEAR(f.second_derivative(t), d.second, 1e-5 * (1 + std::abs(d.second))) << text;
    }
  }
}

/// A generous end of the run must not move results.
TEST(Formula, NothingDependsOnTheTimeScale) {
  const auto f = [](double scale) { return formula("0.01*sin(300*t)+(t<0.5)*t", scale); };
  for (const double scale : {1e-3, 1.0, 1e3, 1e6}) {
    for (const double t : {0.123, 0.7}) {
      EXPECT_EQ(f(scale).first_derivative(t), f(1).first_derivative(t)) << scale;
      EXPECT_EQ(f(scale).second_derivative(t), f(1).second_derivative(t)) << scale;
      EXPECT_EQ(f(scale).next_break(0, 1)->after, f(1).next_break(0, 1)->after) << scale;
    }
  }
  const double t = 40.3;  // far beyond the first panels
  const double exact = (1 - std::cos(300 * t)) / 300;
  for (const double scale : {0.01, 1.0})
    EXPECT_NEAR(formula("sin(300*t)", scale).integral(t), exact, 1e-13);
}

TEST(Formula, IntegralsDoNotDependOnWhatWasAskedBefore) {
  const CompiledFunction early = formula("sin(7*t)+1", 0.5), late = formula("sin(7*t)+1", 0.5);
  std::vector<double> forward, backward;
  for (int i = 0; i < 100; ++i) forward.push_back(early.integral(0.031 * i));
  for (int i = 99; i >= 0; --i) backward.insert(backward.begin(), late.integral(0.031 * i));
  EXPECT_EQ(forward, backward);
}

TEST(Formula, KinksAtAPointHaveASide) {
  for (const auto& [text, left, right] :
       {std::tuple{"max(t-1,0)", 0.0, 1.0}, {"min(t,1)", 1.0, 0.0}, {"abs(1-t)", -1.0, 1.0}}) {
    const CompiledFunction f = formula(text);
    const Break at = *f.next_break(0, 2);
    EXPECT_EQ(f.first_derivative(at.before), left) << text;
    EXPECT_EQ(f.first_derivative(at.after), right) << text;
  }
  EXPECT_EQ(formula("abs(sin(t))").first_derivative(0), 1);
  EXPECT_EQ(formula("abs(t*t)").second_derivative(0), 2);
  EXPECT_EQ(formula("abs(0*t)").first_derivative(3), 0);
}

TEST(Formula, DerivativesDoNotMissNarrowPulses) {
  const CompiledFunction f = formula("exp(-((t-0.5)/0.001)^2)");
  EXPECT_LT(relative(f.first_derivative(0.4995), 1000 * std::exp(-0.25)), 1e-9);
  EXPECT_LT(relative(f.second_derivative(0.4995), -1e6 * std::exp(-0.25)), 1e-7);
}

TEST(Formula, DerivativesAtKinksAreThoseFromTheRight) {
  EXPECT_NEAR(formula("abs(t-1)").first_derivative(1), 1, 1e-9);
  EXPECT_NEAR(formula("abs(t-1)").second_derivative(1), 0, 1e-6);
  EXPECT_NEAR(formula("t*(t>0.5)").first_derivative(0.25), 0, 1e-9);
  EXPECT_NEAR(formula("(t>=1)*(t-1)^2").second_derivative(1), 2, 1e-6);
  EXPECT_NEAR(formula("20*t*(t<0.1)").first_derivative(0.0999), 20, 1e-8);
  EXPECT_NEAR(formula("20*t*(t<0.1)").first_derivative(0.1), 0, 1e-9);
}

// A step that ends at a break must not see what comes after it.
TEST(Formula, DerivativesUpToABreakAreThoseOfTheBranchThatEnds) {
  for (const double distance : {0.0, 1e-15, 1e-12, 1e-9, 3e-9, 1e-8, 1e-7, 1e-5}) {
    const auto before = [&](const CompiledFunction& f) {
      return f.next_break(0, 1)->before - distance;
    };
    const CompiledFunction line = formula("20*t*(t<0.1)"), kink = formula("abs(t-0.7)");
    const CompiledFunction curve = formula("t<0.3 ? 5*t^2 : 7");
    EXPECT_NEAR(line.first_derivative(before(line)), 20, 1e-6) << distance;
    EXPECT_NEAR(kink.first_derivative(before(kink)), -1, 1e-6) << distance;
    EXPECT_NEAR(curve.first_derivative(before(curve)), 10 * before(curve), 1e-6) << distance;
    EXPECT_NEAR(curve.second_derivative(before(curve)), 10, 1e-4) << distance;
  }
  const CompiledFunction kink = formula("abs(t-0.7)");
  EXPECT_NEAR(kink.first_derivative(kink.next_break(0, 1)->after), 1, 1e-6);
}

TEST(Formula, DerivativesAtZeroNeedNoValuesBeforeZero) {
  EXPECT_NEAR(formula("t*sqrt(t)*t").first_derivative(0), 0, 1e-6);
  EXPECT_NEAR(formula("t<0 ? 0/0 : sin(t)").first_derivative(0), 1, 1e-10);
  EXPECT_NEAR(formula("t<0 ? 0/0 : cos(t)").second_derivative(0), -1, 1e-7);
}

TEST(Formula, IntegralOfSmoothFunctions) {
  EXPECT_LT(relative(formula("sin(t)").integral(0.7), 1 - std::cos(0.7)), 1e-12);
  EXPECT_LT(relative(formula("sqrt(t)").integral(0.5), 2.0 / 3.0 * std::pow(0.5, 1.5)), 1e-12);
  EXPECT_LT(relative(formula("exp(t)", 10).integral(10), std::exp(10) - 1), 1e-12);
}

TEST(Formula, IntegralOverKinksAndJumps) {
  EXPECT_LT(relative(formula("20*t*(t<0.1)", 2).integral(1.5), 0.1), 1e-12);
  EXPECT_LT(relative(formula("abs(t-0.3)").integral(1), 0.29), 1e-12);
  EXPECT_LT(relative(formula("t>0.3333333").integral(0.5), 0.5 - 0.3333333), 1e-12);
}

TEST(Formula, IntegralGoesOnBeyondTheHorizon) {
  EXPECT_LT(relative(formula("cos(t)", 1).integral(2), std::sin(2)), 1e-12);
  EXPECT_LT(relative(formula("cos(t)", 0).integral(2), std::sin(2)), 1e-12);
  EXPECT_LT(relative(formula("t^2", 1).integral(-1), -1.0 / 3), 1e-12);
}

TEST(Formula, IntegralIsContinuousAtPanelEnds) {
  const CompiledFunction f = formula("1+sin(50*t)", 1);
  for (int i = 1; i <= 1024; i += 11) {
    const double t = i / 1024.0;
    EXPECT_NEAR(f.integral(std::nextafter(t, 0.0)), f.integral(t), 1e-14);
  }
}

TEST(Formula, CopiesGiveTheSameBitsFromSeveralThreads) {
  const CompiledFunction f = formula("sin(10*t)*exp(-t)");
  std::vector<double> one(200);
  std::vector<double> other(200);
  const auto fill = [](CompiledFunction g, std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double t = 0.01 * static_cast<double>(i);
      values[i] = g.value(t) + g.first_derivative(t) + g.integral(t);
    }
  };
  std::thread a(fill, f, std::ref(one));
  std::thread b(fill, f, std::ref(other));
  a.join();
  b.join();
  EXPECT_EQ(one, other);
}

TEST(Formula, ErrorsCarryTheParsersMessageAndPosition) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      formula(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("2*omega"), "Unexpected token \"omega\" found at position 2");
  EXPECT_EQ(message("sin("), "Unexpected end of expression at position 5");
  EXPECT_EQ(message(""), "Expression is empty");
  EXPECT_EQ(message("1,2"), "a formula must have one value, without commas");
  EXPECT_EQ(message("t=1"), "\"=\" at position 1 would assign a value; compare with \"==\"");
  EXPECT_EQ(message("(t==1)+(t<=2)+(t>=3)+(t!=4)"), "no error");
}

TEST(Formula, NotANumberIsNoError) {
  EXPECT_TRUE(std::isnan(formula("sqrt(t)").value(-1)));
  EXPECT_TRUE(std::isinf(formula("1/t").value(0)));
}

}  // namespace time_function_test
}  // namespace saltus
