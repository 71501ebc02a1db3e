#include "opkit/contract/expr.h"

#include <gtest/gtest.h>

#include <random>

namespace opkit {
namespace {

const Location kPlace{"f.yaml", 3, 10};

Scope scope() {
  Scope scope;
  scope.numbers = {{"M", Range::of(32)},
                   {"N", Range::of(33)},
                   {"U", Range::any_dim()},
                   {"R", Range{16, 64}},
                   {"flag", Range::of(1)}};
  scope.lists["B"] = ListValue::of({2, 3, 4});
  scope.lists["D"] = ListValue::of({3, 5});
  scope.lists["A"] = ListValue::of({3, 1});
  scope.lists["axes"] = ListValue::of({0, -1});
  scope.lists["open"] = ListValue{};
  scope.lists["pads"] = ListValue::of({1, 0, 2, 3});
  scope.lists["W"] = ListValue::of({10, 10});
  scope.lists["wide"] = {true, {Range{16, 64}, Range::any_dim()}};
  scope.lists["zeros"] = ListValue::of({0, 0});
  scope.lists["ends"] = ListValue::of({INT64_MAX, -1});
  scope.lists["far"] = ListValue::of({INT64_MIN, -100});
  scope.lists["steps"] = ListValue::of({2, 2});
  scope.lists["back"] = ListValue::of({-1, INT64_MIN});
  scope.texts["mode"] = "tanh";
  scope.counts = {{"x", Range::of(1)}, {"bias", Range::of(0)}, {"xs", Range::of(3)}};
  return scope;
}

std::string value(const std::string& text) {
  const auto expression = Expr::parse(text, kPlace);
  if (!expression.ok()) return expression.error().to_string();
  const auto result = expression->evaluate(scope());
  return result.ok() ? result->to_string() : result.error().code;
}

std::string list(const std::string& text) {
  const auto items = Expr::parse_shape(text, kPlace);
  if (!items.ok()) return items.error().code;
  const auto result = (*items)[0].evaluate_list(scope());
  if (!result.ok()) return result.error().code;
  if (!result->known_length) return "open";
  std::string joined;
  for (const Range& item : result->items) joined += item.to_string() + " ";
  return joined;
}

Error refused(const std::string& text) {
  const auto expression = Expr::parse(text, kPlace);
  EXPECT_FALSE(expression.ok()) << text;
  return expression.ok() ? Error() : expression.error();
}

TEST(Expr, Arithmetic) {
  EXPECT_EQ(value("1 + 2 * 3 - 4"), "3");
  EXPECT_EQ(value("(1 + 2) * 3"), "9");
  EXPECT_EQ(value("-7 // 2"), "-4");
  EXPECT_EQ(value("-7 % 3"), "2");
  EXPECT_EQ(value("2 ** 3 ** 2"), "512");
  EXPECT_EQ(value("-2 ** 2"), "-4");
  EXPECT_EQ(value("10 - 3 - 2"), "5");
  EXPECT_EQ(value("ceildiv(N, 16) * 16"), "48");
  EXPECT_EQ(value("min(M, N, 5)"), "5");
  EXPECT_EQ(value("max(M, N)"), "33");
  EXPECT_EQ(value("select(flag, M, N)"), "32");
}

TEST(Expr, Conditions) {
  EXPECT_EQ(value("1 <= M <= 65536"), "1");
  EXPECT_EQ(value("1 <= M < 32"), "0");
  EXPECT_EQ(value("M != 32 or not (N == 33)"), "0");
  EXPECT_EQ(value("flag and M % 16 == 0"), "1");
  EXPECT_EQ(value("M in [16, 32, 64]"), "1");
  EXPECT_EQ(value("N in [16, 32, 64]"), "0");
  EXPECT_EQ(value("mode == 'tanh'"), "1");
  EXPECT_EQ(value("mode != \"tanh\""), "0");
  EXPECT_EQ(value("present(x) and not present(bias)"), "1");
  EXPECT_EQ(value("count(xs)"), "3");
}

TEST(Expr, ListsBecomeNumbers) {
  EXPECT_EQ(value("prod(B)"), "24");
  EXPECT_EQ(value("prod(B..) * 2"), "48");
  EXPECT_EQ(value("sum(B)"), "9");
  EXPECT_EQ(value("rank(B)"), "3");
  EXPECT_EQ(value("B[0] + B[-1]"), "6");
  EXPECT_EQ(value("min_of(B) + max_of(B)"), "6");
  EXPECT_EQ(value("rank(broadcast(A, B))"), "3");
}

TEST(Expr, ListsBecomeLists) {
  EXPECT_EQ(list("broadcast(A, B).."), "2 3 4 ");
  EXPECT_EQ(list("broadcast(B, D).."), "OPK-EXPR-014");
  EXPECT_EQ(list("permute(A, axes).."), "3 1 ");
  EXPECT_EQ(list("drop(B, axes).."), "3 ");
  EXPECT_EQ(list("collapse(B, axes).."), "1 3 1 ");
  EXPECT_EQ(list("drop(open, axes)"), "open");
  EXPECT_EQ(list("permute(B, axes)"), "OPK-EXPR-015");
}

TEST(Expr, ListsAreTiledPaddedAndSliced) {
  EXPECT_EQ(list("tile(B, B).."), "4 9 16 ");
  EXPECT_EQ(list("tile(B, A).."), "OPK-EXPR-016");
  EXPECT_EQ(list("pad(A, pads).."), "6 4 ");
  EXPECT_EQ(list("pad(B, pads).."), "OPK-EXPR-016");
  EXPECT_EQ(list("tile(open, B)"), "open");
  // Bounds count from the end when they are negative, and are cut to the dim.
  EXPECT_EQ(list("slice(W, zeros, ends, axes, steps).."), "5 5 ");
  EXPECT_EQ(list("slice(W, ends, zeros, axes, back).."), "9 1 ");
  EXPECT_EQ(list("slice(W, far, ends, axes, steps).."), "5 5 ");
  EXPECT_EQ(list("slice(W, zeros, far, axes, steps).."), "0 0 ");
  EXPECT_EQ(list("slice(W, zeros, ends, axes, zeros)"), "OPK-EXPR-011");
  EXPECT_EQ(list("slice(W, zeros, ends, axes, B)"), "OPK-EXPR-016");
  EXPECT_EQ(list("slice(W, zeros, ends, B, steps)"), "OPK-EXPR-016");
  EXPECT_EQ(list("slice(W, zeros, ends, D, steps)"), "OPK-EXPR-015");
  EXPECT_EQ(list("slice(wide, zeros, ends, axes, steps).."), "0..64 0.. ");
}

TEST(Expr, ARankIsStatedByAnEquation) {
  const auto stated = [](const std::string& text) {
    const auto rank = Expr::parse(text, kPlace)->stated_rank();
    return rank ? rank->list + " " + rank->rank.to_string() : "";
  };
  EXPECT_EQ(stated("rank(B) == N + 1"), "B N + 1");
  EXPECT_EQ(stated("N == rank(B)"), "B N");
  EXPECT_EQ(stated("rank(B) <= N"), "");
  EXPECT_EQ(stated("rank(B) + 1 == N"), "");
  EXPECT_EQ(stated("rank(drop(B, axes)) == N"), "");
}

TEST(Expr, UnknownsAreThreeValued) {
  EXPECT_EQ(value("U < 0"), "0");
  EXPECT_EQ(value("U >= 0"), "1");
  EXPECT_EQ(value("U < 10"), "0..1");
  EXPECT_EQ(value("U < 10 and M < 10"), "0");
  EXPECT_EQ(value("U < 10 or M > 10"), "1");
  EXPECT_EQ(value("not U < 10"), "0..1");
  EXPECT_EQ(value("select(U > 3, 1, 5)"), "1..5");
  EXPECT_EQ(value("prod(open)"), "?");
  EXPECT_EQ(value("rank(open) >= 0"), "1");
}

TEST(Expr, RangesAreIntervals) {
  EXPECT_EQ(value("R * 2 + 1"), "33..129");
  EXPECT_EQ(value("ceildiv(R, 16)"), "1..4");
  EXPECT_EQ(value("R <= 64"), "1");
  EXPECT_EQ(value("R == 65"), "0");
}

TEST(Expr, EvaluationErrors) {
  EXPECT_EQ(value("Q + 1"), "OPK-EXPR-010");
  EXPECT_EQ(value("2**62 * 4"), "OPK-EXPR-011");
  EXPECT_EQ(value("M // (N - 33)"), "OPK-EXPR-011");
  EXPECT_EQ(value("min_of(drop(A, axes))"), "OPK-EXPR-011");
  EXPECT_EQ(value("B[3]"), "OPK-EXPR-012");
  EXPECT_EQ(value("N != 33 and M // (N - 33) > 0"), "0") << "the left side guards the right one";
  const auto error = Expr::parse("M // (N - 33)", kPlace)->evaluate(scope()).error();
  EXPECT_EQ(error.message, "32 // 0 has no 64-bit result");
  EXPECT_EQ(error.where.to_string(), "f.yaml:3:12");
}

TEST(Expr, PerTensorDims) {
  const auto items = Expr::parse_shape("A[]", kPlace);
  Scope names = scope();
  EXPECT_EQ((*items)[0].evaluate(names).error().code, "OPK-EXPR-013");
  names.instance = 0;
  EXPECT_EQ((*items)[0].evaluate(names)->lo, 3);
}

TEST(Expr, HabitsOfOtherLanguagesAreKnown) {
  for (const auto& [text, cure] :
       {std::pair("M > 1 && N > 1", "write 'and'"), std::pair("M > 1 || N > 1", "write 'or'"),
        std::pair("!(M > 1)", "write 'not'"), std::pair("M = 2", "=="),
        std::pair("M / 2", "use //"), std::pair("M > 1 ? 1 : 2", "write select(")})
    EXPECT_NE(refused(text).action.find(cure), std::string::npos)
        << text << ": " << refused(text).to_string();
}

TEST(Expr, SyntaxErrorsHavePositions) {
  struct {
    const char* text;
    const char* code;
    int column;
  } const kCases[] = {
      {"M +", "OPK-EXPR-001", 13},           {"M / 2", "OPK-EXPR-001", 12},
      {"M = 2", "OPK-EXPR-001", 12},         {"(M", "OPK-EXPR-001", 12},
      {"M N", "OPK-EXPR-001", 12},           {"1.5", "OPK-EXPR-001", 11},
      {"ceil(M)", "OPK-EXPR-003", 10},       {"ceildiv(M)", "OPK-EXPR-004", 10},
      {"min(M)", "OPK-EXPR-004", 10},        {"prod(M, N)", "OPK-EXPR-004", 10},
      {"B.. + 1", "OPK-EXPR-002", 10},       {"(M < 2) + 1", "OPK-EXPR-002", 13},
      {"not 3", "OPK-EXPR-002", 14},         {"prod(3)", "OPK-EXPR-002", 15},
      {"and", "OPK-EXPR-001", 10},           {"99999999999999999999", "OPK-EXPR-001", 10},
      {"mode == 'tanh", "OPK-EXPR-001", 19}, {"M in 3", "OPK-EXPR-001", 15},
      {"present(3)", "OPK-EXPR-002", 18},    {"", "OPK-EXPR-001", 10},
      {"M ; N", "OPK-EXPR-001", 12},         {"1 == 'a'", "OPK-EXPR-001", 15},
  };
  for (const auto& one : kCases) {
    const Error error = refused(one.text);
    EXPECT_EQ(error.code, one.code) << one.text;
    EXPECT_EQ(error.where.column, one.column) << one.text << ": " << error.to_string();
    EXPECT_FALSE(error.action.empty()) << one.text;
  }
}

TEST(Expr, SuggestsFunctions) {
  EXPECT_EQ(refused("cieldiv(M, 2)").action, "did you mean 'ceildiv'?");
}

TEST(Expr, BoundsItsInput) {
  EXPECT_EQ(refused(std::string(100, '(') + "1" + std::string(100, ')')).code, "OPK-EXPR-001");
  EXPECT_EQ(refused(std::string(5000, '1')).code, "OPK-EXPR-001");
  std::string nots, minus;
  for (int i = 0; i < 500; ++i) nots += "not ", minus += "- ";
  EXPECT_EQ(refused(nots + "flag").code, "OPK-EXPR-001");
  EXPECT_EQ(refused(minus + "1").code, "OPK-EXPR-001");
  std::string long_sum = "1";
  for (int i = 0; i < 256; ++i) long_sum += "+1";
  EXPECT_EQ(value(long_sum), "257");
  const Error too_long = refused(long_sum + "+1");
  EXPECT_EQ(too_long.code, "OPK-EXPR-001");
  EXPECT_EQ(too_long.message, "the expression has more than 256 operations");
}

TEST(Expr, ParsesShapes) {
  const auto items = Expr::parse_shape("B.., ceildiv(N, 16), N|1, L[], 16", kPlace);
  ASSERT_TRUE(items.ok());
  ASSERT_EQ(items->size(), 5u);
  EXPECT_EQ((*items)[0].type(), Expr::Type::kList);
  EXPECT_EQ((*items)[0].bare_name(), "B");
  EXPECT_EQ((*items)[1].bare_name(), "");
  EXPECT_TRUE((*items)[2].is_collapsible());
  EXPECT_TRUE((*items)[3].is_per_tensor());
  EXPECT_TRUE((*items)[4].is_constant());
  EXPECT_TRUE(Expr::parse_shape("", kPlace)->empty());
  for (const char* text : {"B.. N", "M,", "M < 2", "N|2", ",M", "M,,N"})
    EXPECT_FALSE(Expr::parse_shape(text, kPlace).ok()) << text;
}

TEST(Expr, PrintsCanonically) {
  const auto printed = [](const std::string& text) {
    return Expr::parse(text, kPlace)->to_string();
  };
  EXPECT_EQ(printed("((M+1))*N"), "(M + 1) * N");
  EXPECT_EQ(printed("a-(b-c)"), "a - (b - c)");
  EXPECT_EQ(printed("(2**3)**2"), "(2**3)**2");
  EXPECT_EQ(printed("not (a and b) or c"), "not (a and b) or c");
  EXPECT_EQ(printed("mode == \"relu\""), "mode == 'relu'");
  EXPECT_EQ(printed("mode != \"it's\""), "mode != \"it's\"");
  EXPECT_EQ(printed("prod(B..)*rank(B)>=B[0]"), "prod(B) * rank(B) >= B[0]");
  EXPECT_EQ(printed("mode=='x'"), "mode == 'x'");
}

TEST(Expr, SplitsConjunctsAndLimits) {
  const auto expression = Expr::parse("1 <= M and N < 2**10 and 3 <= K <= M", kPlace);
  const auto parts = expression->conjuncts();
  ASSERT_EQ(parts.size(), 4u);
  std::string name;
  EXPECT_EQ(parts[0].limit(scope(), name), (Range{1, Range::kHighest}));
  EXPECT_EQ(name, "M");
  EXPECT_EQ(parts[1].limit(scope(), name), (Range{Range::kLowest, 1023}));
  EXPECT_EQ(parts[3].limit(scope(), name).hi, 32);
}

// Random expressions: the printed text parses to the same text, and the interval over random ranges
// holds the value at every point.
class RandomExpression {
 public:
  explicit RandomExpression(uint32_t seed) : random_(seed) {}

  std::string make(int depth) {
    static const char* const kBinary[] = {" + ", " - ", " * ", " // ", " % "};
    static const char* const kCalls[] = {"min", "max", "ceildiv"};
    if (depth == 0 || pick(5) == 0) return pick(2) ? names()[pick(3)] : std::to_string(pick(5));
    switch (pick(7)) {
      case 0: return "(" + make(depth - 1) + ")**" + std::to_string(pick(3));
      case 1:
        return std::string(kCalls[pick(3)]) + "(" + make(depth - 1) + ", " + make(depth - 1) + ")";
      case 2:
        return "select(" + make(depth - 1) + " < " + make(depth - 1) + ", " + make(depth - 1) +
               ", " + make(depth - 1) + ")";
      case 3: return "-(" + make(depth - 1) + ")";
      default: return "(" + make(depth - 1) + kBinary[pick(5)] + make(depth - 1) + ")";
    }
  }

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }
  static const std::vector<std::string>& names() {
    static const std::vector<std::string> kNames = {"a", "b", "c"};
    return kNames;
  }

 private:
  std::mt19937 random_;
};

TEST(Expr, IntervalsHoldEveryPoint) {
  RandomExpression random(20240607);
  int compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::string text = random.make(4);
    const auto expression = Expr::parse(text, kPlace);
    ASSERT_TRUE(expression.ok()) << text << expression.error().to_string();
    const std::string printed = expression->to_string();
    EXPECT_EQ(Expr::parse(printed, kPlace)->to_string(), printed) << text;
    Scope ranges;
    for (const std::string& name : RandomExpression::names()) {
      const int64_t low = random.pick(5);
      ranges.numbers[name] = {low, low + random.pick(4)};
    }
    const auto whole = expression->evaluate(ranges);
    for (int point = 0; point < 8; ++point) {
      Scope known;
      for (const auto& [name, range] : ranges.numbers)
        known.numbers[name] =
            Range::of(range.lo + random.pick(static_cast<int>(range.hi - range.lo) + 1));
      const auto one = expression->evaluate(known);
      if (!one.ok()) continue;
      ASSERT_TRUE(whole.ok()) << text << ": " << whole.error().to_string();
      ASSERT_TRUE(one->is_known()) << text;
      ASSERT_TRUE(whole->contains(one->lo))
          << text << " at a point " << one->lo << " outside " << whole->to_string();
      ++compared;
    }
  }
  EXPECT_GT(compared, 10000);
}

}  // namespace
}  // namespace opkit
