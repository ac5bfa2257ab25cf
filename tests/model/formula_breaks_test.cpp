// SPDX-License-Identifier: Apache-2.0
#include "saltus/model/formula_breaks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <thread>

#include "saltus/model/time_function.hpp"
#include "tests/support/random.hpp"

namespace saltus {
namespace formula_breaks_test {

using test::Random;

constexpr double pi = std::numbers::pi;
constexpr double infinity = std::numeric_limits<double>::infinity();

CompiledFunction formula(const std::string& text) {
  return CompiledFunction(Expression{text}, 1.0);
}

std::vector<Break> breaks(const CompiledFunction& f, double from, double until) {
  std::vector<Break> all;
  while (const auto found = f.next_break(from, until)) {
    EXPECT_GE(found->before, from);
    EXPECT_GT(found->after, from);
    EXPECT_LE(found->after, until);
    all.push_back(*found);
    from = found->after;
    if (all.size() > 10000) break;
  }
  return all;
}

bool adjacent(const Break& b) { return std::nextafter(b.before, infinity) == b.after; }

// ---- known formulas ---------------------------------------------------------------------------

struct Known {
  const char* text;
  double from, until;
  std::vector<double> times;
};

/// All breaks, each time within round-off of the run.
TEST(FormulaBreaks, AreThoseThatTheFormulaHas) {
  const double edge = std::sqrt(std::log(2.0)) * 0.001;
  for (const Known& k : std::vector<Known>{
           {"3*t^2+sin(t)*exp(-t)", -10, 10, {}},
           {"t<1", 0, 2, {1}},
           {"t<1", 1, 2, {}},
           {"1000*(t>0.5)*(t<0.502)", 0, 1, {0.5, 0.502}},
           {"(t>0.5)*(t<0.5+1e-9)", 0, 1, {0.5, 0.5 + 1e-9}},
           {"20*t*(t<0.1)", 0, 1, {0.1}},
           {"t>0", 0, 1, {0}},
           {"t>0", -1, 1, {0}},
           {"t>=0", 0, 1, {}},
           {"t==0.5", 0, 1, {0.5}},
           {"t!=0.5", 0, 1, {0.5}},
           {"(t-0.5)^2==0", 0, 1, {0.5}},
           {"sin(t)==0", 1, 4, {}},  // no number is π
           {"t*t<0", -1, 1, {}},
           {"t*t-t+0.25<0", 0, 1, {}},
           {"(t-0.5)^2<1e-20", 0, 1, {0.5 - 1e-10, 0.5 + 1e-10}},
           {"exp(-((t-0.5)/0.001)^2)>0.5", 0, 1, {0.5 - edge, 0.5 + edge}},
           {"abs(t-0.3)", 0, 1, {0.3}},
           {"abs(sin(t))", 1, 10, {pi, 2 * pi, 3 * pi}},
           {"sign(t-0.25)", 0, 1, {0.25}},
           {"min(t,0.4)", 0, 1, {0.4}},
           {"min(t,1-t,0.4)", 0, 1, {0.4, 0.6}},
           {"min(t,1-t,0.7)", 0, 1, {0.5}},  // 0.7 is never the smallest
           {"max(0,t-0.2,2*t-1)", 0, 1, {0.2, 0.8}},
           {"max(0,(t-1)*(t>1))", 0, 2, {1}},
           {"max(sin(t),sin(t))", 0, 2, {}},
           {"rint(4*t)", 0, 1, {0.125, 0.375, 0.625, 0.875}},
           {"rint(0.2*t)", 0, 2, {}},
           {"sqrt(t-0.1)", 0, 1, {0.1}},
           {"sqrt((t-0.25)^2)", 0, 1, {0.25}},
           {"(t-0.5)^0.5", 0, 1, {0.5}},
           {"2^t+t^2+t^3", -1, 1, {}},
           {"1/(t-0.5)", 0, 1, {0.5}},
           {"(t-0.5)^-2", 0, 1, {0.5}},
           {"tan(t)", 0, 6, {pi / 2, 3 * pi / 2}},
           {"log(t-0.5)+ln(t-0.25)+log2(t)+log10(t+1)", -2, 1, {-1, 0, 0.25, 0.5}},
           {"asin(t)", -2, 2, {-1, 1}},
           {"acos(t)", -2, 2, {-1, 1}},
           {"atanh(t)", -2, 2, {-1, 1}},
           {"acosh(t)", -2, 2, {1}},
           {"asinh(t)+atan(t)+sinh(t)+cosh(t)+tanh(t)", -2, 2, {}},
           {"atan2(t-1,-1)", 0, 2, {1}},
           {"atan2(t-1,1)", 0, 2, {}},
           {"atan2(1,t-1)", 0, 2, {}},
           {"atan2(0,t-1)", 0, 2, {1}},
           {"atan2(t>3,t-1)", 0, 2, {1}},
           {"t<1 ? abs(t-2) : 3", 0, 5, {1}},  // the other branch does not count
           {"t<3 ? abs(t-2) : 3", 0, 5, {2, 3}},
           {"t<1 ? 1 : t<2 ? 4 : t<3 ? 9 : 16", 0, 5, {1, 2, 3}},
           {"t-1 ? 5 : 3", 0, 2, {1}},
           {"t>0.2 && t<0.4 || t>0.8", 0, 1, {0.2, 0.4, 0.8}},
           {"sin(t)*(t>1) > 0.5", 0, 3, {1, pi - pi / 6}},
           {"-t^2 < -0.25", 0, 1, {0.5}},
           {"(t<0.1)+(t<0.1)+(t>=0.1)", 0, 1, {0.1}},
           {"sum(t>0.1,t>0.2)+avg(t>0.3,t)", 0, 1, {0.1, 0.2, 0.3}},
           {"abs(abs(t-0.5)-0.25)", 0, 1, {0.25, 0.5, 0.75}},
           {"t>0.1+0.2", 0, 1, {0.1 + 0.2}},
           {"(1<2)*abs(-3)*min(1,2)*t", 0, 1, {}},
       }) {
    const std::vector<Break> found = breaks(formula(k.text), k.from, k.until);
    ASSERT_EQ(found.size(), k.times.size()) << k.text;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double margin = 8 * std::numeric_limits<double>::epsilon() * (1 + std::abs(k.times[i]));
      EXPECT_NEAR(found[i].before, k.times[i], margin) << k.text;
      EXPECT_NEAR(found[i].after, k.times[i], margin) << k.text;
    }
  }
}

TEST(FormulaBreaks, BranchesEndAtNeighbouringNumbers) {
  for (const char* text : {"t>0.7", "t>=0.7", "t<0.7", "3*t<=2.1", "sin(t)>0.5", "t*t*t>0.3",
                           "2*t*3+1>t+4", "exp(2*t)<e", "0.1*t+0.2*t>0.15"}) {
    const CompiledFunction f = formula(text);
    const std::vector<Break> found = breaks(f, 0, 1);
    ASSERT_EQ(found.size(), 1u) << text;
    EXPECT_TRUE(adjacent(found[0])) << text;
    EXPECT_EQ(f.value(found[0].before), f.value(0)) << text;
    EXPECT_EQ(f.value(found[0].after), f.value(1)) << text;
  }
}

TEST(FormulaBreaks, ManyAreFoundOneByOne) {
  const std::vector<Break> found = breaks(formula("sin(100*t)>0"), 0, 10);
  ASSERT_EQ(found.size(), 319u);  // 1000/π, and the beginning
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].after, static_cast<double>(k) * pi / 100, 1e-14);
  }
  const auto first = formula("sin(1e9*t+1)>0").next_break(0, 10);  // of 3·10⁹
  ASSERT_TRUE(first);
  EXPECT_NEAR(first->before, (pi - 1) * 1e-9, 1e-22);
}

TEST(FormulaBreaks, DoNotDependOnHowTheTimeIsDivided) {
  const CompiledFunction f = formula("abs(sin(7*t))+(t>0.3)*(t<0.301)+rint(5*t+0.217)");
  const std::vector<Break> whole = breaks(f, 0, 1);
  std::vector<Break> parts;
  for (int i = 0; i < 100; ++i) {
    for (const Break& b : breaks(f, i / 100.0, (i + 1) / 100.0)) parts.push_back(b);
  }
  ASSERT_EQ(whole.size(), parts.size());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_EQ(whole[i].before, parts[i].before);
    EXPECT_EQ(whole[i].after, parts[i].after);
  }
}

TEST(FormulaBreaks, AtTheEndOfASearchAreFoundOnce) {
  const CompiledFunction f = formula("t>0.5");
  EXPECT_FALSE(f.next_break(0, 0.5));
  const double after = std::nextafter(0.5, 1.0);
  ASSERT_TRUE(f.next_break(0, after));
  ASSERT_TRUE(f.next_break(0.5, 1));
  EXPECT_EQ(f.next_break(0.5, 1)->before, 0.5);
  EXPECT_FALSE(f.next_break(after, 1));
  EXPECT_FALSE(f.next_break(1, 0));
}

// Roots that rounding makes: what is found is near them, and the search ends.
TEST(FormulaBreaks, EndWhereRoundOffDecides) {
  const std::vector<Break> roots = breaks(formula("sqrt(1-cos(t)^2)"), 1, 4);  // |sin t|
  ASSERT_GE(roots.size(), 1u);
  EXPECT_LE(roots.size(), 3u);
  EXPECT_NEAR(roots[0].before, pi, 1e-7);
  for (const char* text : {"sin(t)^2+cos(t)^2>1", "1/(t-t)>0", "t-t>0"}) {
    EXPECT_LT(breaks(formula(text), 0, 0.01).size(), 10000u) << text;
  }
  EXPECT_TRUE(formula("sign(sin(1/t))").next_break(0, 1));             // they accumulate there
  EXPECT_EQ(breaks(formula("sign(sin(1/t))"), 1e-3, 1).size(), 318u);  // 1/(kπ), k < 1000/π
}

TEST(FormulaBreaks, FunctionsWithoutSwitchesHaveNone) {
  for (const char* text : {"sin(t)", "t^3-2*t", "exp(t)/2", "2*(3<4)", "pi*e"}) {
    EXPECT_FALSE(formula(text).has_breaks()) << text;
  }
  EXPECT_FALSE(CompiledFunction(3.0).has_breaks());
  EXPECT_FALSE(CompiledFunction(Sine{}).has_breaks());
  EXPECT_FALSE(CompiledFunction(Sine{}).next_break(0, 10));
  EXPECT_TRUE(formula("t<1").has_breaks());
}

TEST(FormulaBreaks, AreTheSameFromSeveralThreads) {
  const CompiledFunction f = formula("(sin(50*t)>0.2)+abs(cos(20*t))");
  std::vector<Break> one, other;
  std::thread a([&] { one = breaks(f, 0, 3); });
  std::thread b([&] { other = breaks(CompiledFunction(f), 0, 3); });
  a.join();
  b.join();
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].after, other[i].after);
}

// ---- random formulas --------------------------------------------------------------------------

/// A piece with one break at τ.
std::string broken_at(double tau, int kind) {
  const std::string T = fmt::format("{:.17g}", tau);
  const std::string pieces[] = {"(t>" + T + ")",
                                "3*(t<=" + T + ")*cos(t)",
                                "abs(t-" + T + ")",
                                "max(t," + T + ")",
                                "min(2*t,2*" + T + ")^2",
                                "(t<" + T + " ? sin(t) : 2)",
                                "sign(exp(t)-exp(" + T + "))",
                                "(t^3>=" + T + "^3)",
                                "(" + T + "/(t+1)>t/(t+1))",
                                "sqrt(max(0,t-" + T + "))"};
  return pieces[kind];
}

TEST(FormulaBreaks, OfRandomPiecesAreAtTheirTimes) {
  Random random(3);
  for (int n = 0; n < 300; ++n) {
    std::vector<double> times;
    std::string text = "sin(3*t)";
    for (int i = 0; i < 6; ++i) {
      times.push_back(random.uniform(0.1, 0.9));
      text += "+" + broken_at(times.back(), static_cast<int>(random.uniform(0, 9.999)));
    }
    std::sort(times.begin(), times.end());
    const std::vector<Break> found = breaks(formula(text), 0, 1);
    ASSERT_EQ(found.size(), times.size()) << text;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_NEAR(found[i].before, times[i], 1e-15) << text;
      EXPECT_NEAR(found[i].after, times[i], 1e-15) << text;
    }
  }
}

/// Formulas of the whole grammar.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  std::string formula(int depth) {
    if (depth == 0) return leaf();
    const auto part = [&] { return formula(depth - 1); };
    switch (choice(5)) {
      case 0:
        return part() + pick({"+", "-", "*", "/", " + ", "*-"}) + part();
      case 1:
        return "(" + part() + ")" + pick({"<", ">", "<=", ">=", "==", "!=", "&&", "||"}) + "(" +
               part() + ")";
      case 2:
        return "(" + part() + ")^" + pick({"2", "3", "-1", "2^-1", "0.5", "(t+1)"});
      case 3:
        return several(depth);
      default:
        return single() + "(" + part() + ")";
    }
  }

 private:
  int choice(int n) { return static_cast<int>(random_.uniform(0, n - 1e-9)); }
  std::string pick(const std::vector<std::string>& words) {
    return words[static_cast<std::size_t>(choice(static_cast<int>(words.size())))];
  }
  std::string leaf() {
    return pick(
        {"t", "t", "t", "pi", "1.5", ".25", "2e-1", fmt::format("{:.3f}", random_.uniform(0, 2))});
  }
  std::string single() {
    return pick({"sin",  "cos",   "tan",   "asin",  "acos", "atan",  "sinh", "cosh",
                 "tanh", "asinh", "acosh", "atanh", "log2", "log10", "log",  "ln",
                 "exp",  "sqrt",  "sign",  "rint",  "abs",  "-"});
  }
  std::string several(int depth) {
    const std::string a = formula(depth - 1), b = formula(depth - 1), c = formula(depth - 1);
    switch (choice(3)) {
      case 0:
        return pick({"min(", "max(", "sum(", "avg("}) + a + "," + b + "," + c + ")";
      case 1:
        return "(" + a + " ? " + b + " : " + c + ")";
      default:
        return "atan2(" + a + "," + b + ")";
    }
  }

  Random random_;
};

bool is_inside(double x, const Interval& interval) {
  const double slack = 1e-13 * (1e-3 + std::abs(x));  // muParser orders some operations anew
  return interval.lo - slack <= x && x <= interval.hi + slack;
}

std::vector<std::string> random_formulas(int count) {
  Writer writer(11);
  std::vector<std::string> texts;
  while (static_cast<int>(texts.size()) < count) {
    const std::string text = writer.formula(1 + static_cast<int>(texts.size()) % 4);
    try {
      FormulaValues values(text);
      texts.push_back(text);
    } catch (const std::invalid_argument&) {  // two signs in a row
    }
  }
  return texts;
}

// The tree is read as muParser reads it, and nothing leaves its bound.
TEST(FormulaBounds, ContainTheValuesOfMuParser) {
  Random random(5);
  int finite = 0, undefined = 0;
  for (const std::string& text : random_formulas(4000)) {
    const FormulaTree tree(text);
    FormulaBounds bounds(tree);
    FormulaValues values(text);
    for (int n = 0; n < 8; ++n) {
      const double a = random.uniform(-1, 3), width = std::pow(10, random.uniform(-6, 0));
      const Interval time = n % 2 == 0 ? Interval{a, a} : Interval{a, a + width};
      const FormulaBound bound = bounds.over(tree.root(), time);
      for (int i = 0; i <= 8; ++i) {
        const double x = values.at(time.lo + time.width() * i / 8)[0];
        if (std::isfinite(x)) {
          ++finite;
          ASSERT_NE(bound.undefined, FormulaBound::Undefined::Always) << text << " at " << a;
          ASSERT_TRUE(is_inside(x, bound.value)) << text << " at " << a << ": " << x;
        } else {
          ++undefined;
          ASSERT_NE(bound.undefined, FormulaBound::Undefined::Never) << text << " at " << a;
        }
      }
    }
  }
  EXPECT_GT(finite, 10 * 4000);
  EXPECT_GT(undefined, 4000);
}

TEST(FormulaBounds, ContainTheSlopes) {
  Random random(6);
  int compared = 0;
  for (const std::string& text : random_formulas(4000)) {
    const FormulaTree tree(text);
    FormulaBounds bounds(tree);
    FormulaValues values(text);
    for (int n = 0; n < 4; ++n) {
      const double a = random.uniform(-1, 3), b = a + std::pow(10, random.uniform(-4, 0));
      const FormulaBound bound = bounds.over(tree.root(), {a, b});
      const double left = values.at(a)[0], right = values.at(b)[0];
      const bool known = std::isfinite(bound.slope.width()) && std::isfinite(left) &&
                         bound.undefined == FormulaBound::Undefined::Never;
      if (!known) continue;
      ++compared;
      const double noise = 1e-13 * (std::abs(left) + std::abs(right) + 1) / (b - a);
      const double slope = (right - left) / (b - a);
      ASSERT_GE(slope, bound.slope.lo - noise) << text << " at " << a;
      ASSERT_LE(slope, bound.slope.hi + noise) << text << " at " << a;
    }
  }
  EXPECT_GT(compared, 4000);
}

TEST(FormulaBounds, OfNamesThatAreNotKnownAreEverything) {
  const FormulaTree tree("1+foo(t)");
  const FormulaBound bound = FormulaBounds(tree).over(tree.root(), {0, 1});
  EXPECT_TRUE(bound.unknown);
  EXPECT_EQ(bound.value.lo, -infinity);
  EXPECT_EQ(bound.value.hi, infinity);
}

/// Follows the largest change down to neighbouring numbers: what is left there is a jump.
double jump_within(const CompiledFunction& f, double a, double b) {
  double left = f.value(a), right = f.value(b);
  for (double m = a + (b - a) / 2; m > a && m < b; m = a + (b - a) / 2) {
    const double middle = f.value(m);
    if (!std::isfinite(middle)) return 0;  // near a pole
    const bool in_left = std::abs(middle - left) > std::abs(right - middle);
    (in_left ? b : a) = m;
    (in_left ? right : left) = middle;
  }
  return std::abs(right - left);
}

// An independent search: dense samples, and down to the jump between two of them.
TEST(FormulaBreaks, NoJumpIsMissed) {
  int jumps = 0;
  for (const std::string& text : random_formulas(400)) {
    const CompiledFunction f = formula(text);
    const std::vector<Break> found = breaks(f, 0, 1.2);
    if (found.size() > 200) continue;
    constexpr int samples = 200;
    for (int i = 0; i < samples; ++i) {
      const double a = 1.2 * i / samples, b = 1.2 * (i + 1) / samples;
      if (!std::isfinite(f.value(a)) || !std::isfinite(f.value(b))) continue;
      const bool broken = std::any_of(found.begin(), found.end(), [&](const Break& k) {
        return k.after >= a - 1e-9 && k.before <= b + 1e-9;
      });
      const double scale = 1 + std::max(std::abs(f.value(a)), std::abs(f.value(b)));
      const bool jumps_here = jump_within(f, a, b) > 1e-6 * scale;
      jumps += jumps_here ? 1 : 0;
      ASSERT_TRUE(broken || !jumps_here) << text << " between " << a << " and " << b;
    }
  }
  EXPECT_GT(jumps, 50);
}

/// The largest change of the slope between neighbouring pieces of an interval, followed down to
/// pieces of 4⁻¹ 2⁻ˡ of it. Of a smooth function it halves with each level, of a kink it stays.
double kink_within(const CompiledFunction& f, double a, double b, int levels) {
  double largest = 0;
  for (int level = 0; level < levels; ++level) {
    const double piece = (b - a) / 4;
    std::array<double, 5> values = {};
    for (std::size_t i = 0; i < 5; ++i) values[i] = f.value(a + piece * static_cast<double>(i));
    largest = 0;
    std::size_t place = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double change = std::abs(values[i] - 2 * values[i + 1] + values[i + 2]) / piece;
      if (!std::isfinite(change)) return 0;
      if (change > largest) place = i;
      largest = std::max(largest, change);
    }
    a += piece * static_cast<double>(place);
    b = a + 2 * piece;
  }
  return largest;
}

TEST(FormulaBreaks, NoKinkIsMissed) {
  int kinks = 0;
  for (const std::string& text : random_formulas(250)) {
    const CompiledFunction f = formula(text);
    const std::vector<Break> found = breaks(f, 0.003, 1.2);
    if (found.size() > 200) continue;
    constexpr int samples = 60;
    for (int i = 0; i < samples; ++i) {
      const double a = 0.003 + 1.197 * i / samples, b = 0.003 + 1.197 * (i + 1) / samples;
      const double scale = 1 + std::abs(f.value(a)) + std::abs(f.value(b));
      const double kink = kink_within(f, a, b, 16);
      if (!(kink > 1e-4 * scale) || kink < 0.3 * kink_within(f, a, b, 8)) continue;
      ++kinks;
      const bool broken = std::any_of(found.begin(), found.end(), [&](const Break& k) {
        return k.after >= a - 1e-7 && k.before <= b + 1e-7;
      });
      ASSERT_TRUE(broken) << text << " between " << a << " and " << b;
    }
  }
  EXPECT_GT(kinks, 20);
}

// ---- tables -----------------------------------------------------------------------------------

TEST(TableBreaks, ArePointsWhereTheSlopeChanges) {
  const CompiledFunction f(Table{{1, 2, 3, 4, 6}, {10, 20, 30, 0, 0}});
  const std::vector<Break> found = breaks(f, 0, 10);
  ASSERT_EQ(found.size(), 3u);  // at 2 the slope goes on, at 6 it is zero before and after
  EXPECT_EQ(found[0].after, 1);
  EXPECT_EQ(found[0].before, std::nextafter(1.0, 0.0));
  EXPECT_EQ(found[1].before, 3);
  EXPECT_EQ(found[2].before, 4);
  EXPECT_TRUE(f.has_breaks());
  EXPECT_FALSE(CompiledFunction(Table{{0, 1, 2}, {3, 3, 3}}).has_breaks());
  EXPECT_FALSE(CompiledFunction(Table{{0}, {3}}).has_breaks());
  EXPECT_FALSE(CompiledFunction(Table{{0}, {3}}).next_break(-1, 1));
}

TEST(TableBreaks, EndWhereTheNextSlopeBegins) {
  Random random(8);
  for (int n = 0; n < 100; ++n) {
    Table table;
    double t = random.uniform(-3, 3);
    for (int i = 0; i < 6; ++i) {
      table.times.push_back(t);
      table.values.push_back(random.uniform());
      t += std::pow(10, random.uniform(-6, 1));
    }
    const CompiledFunction f(table);
    const std::vector<Break> found = breaks(f, -10, 100);
    ASSERT_EQ(found.size(), table.times.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double before = std::nextafter(found[i].after, -infinity);
      EXPECT_EQ(i == 0 ? found[i].after : found[i].before, table.times[i]);
      EXPECT_NE(f.first_derivative(before), f.first_derivative(found[i].after));
      EXPECT_EQ(f.first_derivative(before), f.first_derivative(found[i].before));
    }
  }
}

TEST(TableBreaks, AreNotMadeByRounding) {
  Table line;
  for (int i = 0; i <= 100; ++i) {
    line.times.push_back(0.1 * i);
    line.values.push_back(0.3 * i + 7);
  }
  const std::vector<Break> found = breaks(CompiledFunction(line), -1, 20);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].after, 0);
  EXPECT_EQ(found[1].before, 10);
}

}  // namespace formula_breaks_test
}  // namespace saltus
