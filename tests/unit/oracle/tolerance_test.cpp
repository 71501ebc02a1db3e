#include <gmock/gmock.h>

#include <cmath>

#include "opkit/oracle/accept.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/oracle/float_format.h"
#include "opkit/oracle/rule.h"

namespace opkit::oracle {
namespace {

TEST(FloatFormat, RoundsToNearestEven) {
  EXPECT_EQ(round_to(DType::kFloat16, 2049, false), 2048);
  EXPECT_EQ(round_to(DType::kFloat16, 2051, false), 2052);
  EXPECT_EQ(round_to(DType::kFloat16, 65519.9, false), 65504);
  EXPECT_EQ(round_to(DType::kFloat16, 65520, false), INFINITY);
  EXPECT_EQ(round_to(DType::kFloat16, 65520, true), 65504);
  EXPECT_EQ(round_to(DType::kFloat16, 0x1p-25, false), 0);
  EXPECT_EQ(round_to(DType::kFloat16, 0x1.8p-25, false), 0x1p-24);
  EXPECT_EQ(round_to(DType::kFloat32, 1 + 0x1p-24, false), 1);
  EXPECT_EQ(round_to(DType::kBFloat16, 1 + 0x1p-8, false), 1);
}

TEST(FloatFormat, DirectedRoundingsDifferWhereTheyMust) {
  EXPECT_EQ(round_to(DType::kFloat16, 2049, false, "trunc"), 2048);
  EXPECT_EQ(round_to(DType::kFloat16, -2049, false, "trunc"), -2048);
  EXPECT_EQ(round_to(DType::kFloat16, 2049, false, "ceil"), 2050);
  EXPECT_EQ(round_to(DType::kFloat16, -2049, false, "floor"), -2050);
  EXPECT_EQ(round_to(DType::kFloat16, 2049, false, "round"), 2050);
  EXPECT_EQ(round_to(DType::kFloat16, 2049, false, "odd"), 2050);
}

TEST(FloatFormat, NeighboursMeetAtPowersOfTwo) {
  EXPECT_EQ(next_up(DType::kFloat16, 1), 1 + 0x1p-10);
  EXPECT_EQ(next_down(DType::kFloat16, 1), 1 - 0x1p-11);
  EXPECT_EQ(next_up(DType::kFloat16, 65504), INFINITY);
  EXPECT_EQ(next_up(DType::kFloat16, 0), 0x1p-24);
}

TEST(Interval, StaysAPointWhereDoublesAreExact) {
  EXPECT_TRUE(add(Interval::point(0.5), Interval::point(2)).is_point());
  EXPECT_TRUE(multiply(Interval::point(3), Interval::point(7)).is_point());
  EXPECT_TRUE(divide(Interval::point(1), Interval::point(4)).is_point());
  EXPECT_FALSE(divide(Interval::point(1), Interval::point(3)).is_point());
  EXPECT_FALSE(add(Interval::point(1), Interval::point(0x1p-80)).is_point());
}

TEST(Interval, KnowsWhereNaNIsCertainAndWhereItIsPossible) {
  EXPECT_TRUE(subtract(Interval::point(INFINITY), Interval::point(INFINITY)).is_nan());
  const Interval maybe = multiply({0, 0, false}, {1, INFINITY, false});
  EXPECT_TRUE(maybe.may_be_nan);
  EXPECT_TRUE(maybe.contains(0));
  EXPECT_FALSE(maybe.contains(1));
  EXPECT_TRUE(divide(Interval::point(1), {-1, 1, false}).is_anything());
}

// Runs a contract's reference on one or two float16 or float32 inputs.
class Evaluated {
 public:
  Evaluated(const std::string& body, DType dtype, std::vector<std::vector<double>> inputs) {
    std::string ports;
    const char* kNames[] = {"x", "y"};
    for (size_t p = 0; p < inputs.size(); ++p)
      ports += std::string("  ") + kNames[p] + ": {dtype: " + std::string(name_of(dtype)) +
               ", shape: \"N\", format: ND}\n";
    const std::string text =
        "op: Tried\nversion: \"1.0.0\"\ninputs:\n" + ports +
        "outputs:\n  z: {dtype: " + std::string(name_of(dtype)) + ", shape: \"" +
        (body.find("Reduce") != std::string::npos ? "1" : "N") + "\", format: ND}\n" + body;
    auto parsed = OpContract::parse(text, "c.yaml");
    EXPECT_TRUE(parsed.ok()) << parsed.error().to_string() << text;
    if (!parsed.ok()) return;
    contract = std::move(*parsed);
    Ports tensors;
    for (const std::vector<double>& values : inputs) {
      Tensor tensor(dtype, Shape{static_cast<int64_t>(values.size())});
      for (size_t i = 0; i < values.size(); ++i) tensor.set(static_cast<int64_t>(i), values[i]);
      tensors.push_back({tensor});
    }
    OracleCall call{&*contract, &tensors, {}, {}};
    call.symbols.dims["N"] = static_cast<int64_t>(inputs[0].size());
    auto evaluated = evaluate_bounded(call);
    EXPECT_TRUE(evaluated.ok() || !expect_success) << evaluated.error().to_string();
    if (!evaluated.ok()) {
      error = evaluated.error();
      return;
    }
    const Bounded& z = (*evaluated)[0][0];
    const Acceptance accept(*contract, 0, dtype);
    for (int64_t i = 0; i < z.value.elements(); ++i)
      accepted.push_back(accept.of(z.at(i), z.value[i]));
  }

  using Ports = std::vector<std::vector<Tensor>>;
  static inline bool expect_success = true;
  std::optional<OpContract> contract;
  std::vector<Interval> accepted;
  Error error;
};

TEST(EvaluateBounded, OneRoundingLeavesOneValue) {
  const Evaluated add("reference: [{op: Add, in: [x, y], out: z}]\n", DType::kFloat16,
                      {{2048, 1000.5, 0.1}, {1, 0.25, 7}});
  ASSERT_EQ(add.accepted.size(), 3u);
  for (const Interval& c : add.accepted) EXPECT_EQ(c.lo, c.hi);
  EXPECT_EQ(add.accepted[0].lo, 2048);
}

TEST(EvaluateBounded, SelectionsDoNotAddRoundings) {
  const Evaluated relu("reference: [{op: Add, in: [x, y], out: s}, {op: Relu, in: [s], out: z}]\n",
                       DType::kFloat16, {{2048, -3, 0.1}, {1, 1, 7}});
  ASSERT_EQ(relu.accepted.size(), 3u);
  for (const Interval& c : relu.accepted) EXPECT_EQ(c.lo, c.hi);
  EXPECT_EQ(relu.accepted[1].hi, 0);
}

TEST(EvaluateBounded, AnIntermediateRoundingIsAllowedOrNot) {
  const Evaluated twice(
      "reference: [{op: Mul, in: [x, y], out: p}, {op: Add, in: [p, x], out: z}]\n",
      DType::kFloat16, {{0.1, 1}, {0.3, 3}});
  ASSERT_EQ(twice.accepted.size(), 2u);
  const double x = round_to(DType::kFloat16, 0.1, false), y = round_to(DType::kFloat16, 0.3, false);
  EXPECT_TRUE(twice.accepted[0].contains(round_to(DType::kFloat16, x * y + x, false)));
  EXPECT_TRUE(twice.accepted[0].contains(
      round_to(DType::kFloat16, round_to(DType::kFloat16, x * y, false) + x, false)));
  EXPECT_EQ(twice.accepted[1].lo, 4);  // exact data leave no room
  EXPECT_EQ(twice.accepted[1].hi, 4);
}

TEST(EvaluateBounded, SumsOfIntegersAreExactInTheStatedWidth) {
  const std::vector<double> ones(3000, 1.0);
  const std::string reference =
      "reference: [{op: ReduceSum, in: [x], out: z, attrs: {keepdims: 1}}]\n";
  const Evaluated wide("numeric: {accumulate: float32}\n" + reference, DType::kFloat16, {ones});
  ASSERT_EQ(wide.accepted.size(), 1u);
  EXPECT_EQ(wide.accepted[0].lo, 3000);
  EXPECT_EQ(wide.accepted[0].hi, 3000);
  const Evaluated narrow(reference, DType::kFloat16, {ones});
  ASSERT_EQ(narrow.accepted.size(), 1u);
  EXPECT_TRUE(narrow.accepted[0].contains(2048));  // where a float16 accumulator stops
}

TEST(EvaluateBounded, OverflowOnTheWayIsPossibleInTheNarrowTypeOnly) {
  const std::string reference =
      "reference: [{op: Add, in: [x, x], out: s}, {op: Sub, in: [s, y], out: z}]\n";
  const Evaluated narrow(reference, DType::kFloat16, {{60000}, {60000}});
  ASSERT_EQ(narrow.accepted.size(), 1u);
  EXPECT_TRUE(narrow.accepted[0].contains(INFINITY));
  EXPECT_TRUE(narrow.accepted[0].contains(60000));
  const Evaluated wide("numeric: {accumulate: float32}\n" + reference, DType::kFloat16,
                       {{60000}, {60000}});
  ASSERT_EQ(wide.accepted.size(), 1u);
  EXPECT_FALSE(wide.accepted[0].contains(INFINITY));
}

// The finite terms of a mean may overflow before they are divided, to the other infinity.
TEST(EvaluateBounded, AMeanWithAnInfinityMayBeNaN) {
  const std::string reference =
      "reference: [{op: ReduceMean, in: [x], out: z, attrs: {keepdims: 1}}]\n";
  const double most = 3.4e38;
  const Evaluated large(reference, DType::kFloat32, {{most, most, 0, -INFINITY}});
  ASSERT_EQ(large.accepted.size(), 1u);
  EXPECT_TRUE(large.accepted[0].may_be_nan);
  EXPECT_TRUE(large.accepted[0].contains(-INFINITY));
  const Evaluated small(reference, DType::kFloat32, {{1, 1, 0, -INFINITY}});
  ASSERT_EQ(small.accepted.size(), 1u);
  EXPECT_FALSE(small.accepted[0].may_be_nan);
}

TEST(EvaluateBounded, NaNIsNeitherLostNorInvented) {
  const Evaluated add("reference: [{op: Add, in: [x, y], out: z}]\n", DType::kFloat32,
                      {{NAN, INFINITY, 1}, {1, -INFINITY, 1}});
  ASSERT_EQ(add.accepted.size(), 3u);
  EXPECT_FALSE(add.accepted[0].contains(0));
  EXPECT_TRUE(add.accepted[0].contains(NAN));
  EXPECT_TRUE(add.accepted[1].contains(NAN));
  EXPECT_FALSE(add.accepted[2].contains(NAN));
}

TEST(EvaluateBounded, FunctionsMayBeOffByWhatTheTableSays) {
  const Evaluated exp("reference: [{op: Exp, in: [x], out: z}]\n", DType::kFloat32, {{1}});
  ASSERT_EQ(exp.accepted.size(), 1u);
  const double ideal = round_to(DType::kFloat32, std::exp(1.0), false);
  EXPECT_TRUE(exp.accepted[0].contains(next_up(DType::kFloat32, ideal)));
  double far = ideal;
  for (int i = 0; i < 3; ++i) far = next_up(DType::kFloat32, far);
  EXPECT_FALSE(exp.accepted[0].contains(far));
}

TEST(EvaluateBounded, ManualToleranceReplacesTheDerivedOne) {
  const Evaluated add(
      "tolerance: {value: 0.01, reason: \"a test\"}\nreference: [{op: Add, in: [x, y], out: z}]\n",
      DType::kFloat32, {{1}, {1}});
  ASSERT_EQ(add.accepted.size(), 1u);
  EXPECT_TRUE(add.accepted[0].contains(2.019));
  EXPECT_FALSE(add.accepted[0].contains(2.021));
}

std::string resized(const std::string& mode) {
  return "reference:\n  - {op: Resize, in: [x, '', '', {shape: '2 * N'}], out: r, attrs: {mode: " +
         mode + "}}\n  - {op: ReduceMax, in: [r], out: z, attrs: {keepdims: 1}}\n";
}

TEST(EvaluateBounded, NearestElementsAreExactAndBlendsAreNot) {
  const std::vector<double> x = {0.1, 0.3, 0.1};
  const Evaluated nearest(resized("nearest"), DType::kFloat32, {x});
  EXPECT_EQ(nearest.accepted[0].lo, nearest.accepted[0].hi);
  const Evaluated linear(resized("linear"), DType::kFloat32, {x});
  EXPECT_LT(linear.accepted[0].lo, linear.accepted[0].hi);
  EXPECT_NEAR(linear.accepted[0].lo, 0.25, 1e-6);
  EXPECT_NEAR(linear.accepted[0].hi, 0.25, 1e-6);
  Evaluated::expect_success = false;
  const Evaluated cubic(resized("cubic"), DType::kFloat32, {x});
  Evaluated::expect_success = true;
  EXPECT_EQ(cubic.error.code, "OPK-VERIFY-002");
}

TEST(EvaluateBounded, PlacesAreOpenWhereValuesAre) {
  const std::string top =
      "  - {op: TopK, in: [p, {const: 1, dtype: int64}], out: ['', place]}\n"
      "  - {op: Cast, in: [place], out: f, attrs: {to: float32}}\n"
      "  - {op: ReduceMax, in: [f], out: z, attrs: {keepdims: 1}}\n";
  const Evaluated certain("reference:\n  - {op: Neg, in: [x], out: p}\n" + top, DType::kFloat32,
                          {{3, 1, 2}});
  ASSERT_EQ(certain.accepted.size(), 1u);
  EXPECT_EQ(certain.accepted[0].lo, 1);
  EXPECT_EQ(certain.accepted[0].hi, 1);
  const Evaluated open("reference:\n  - {op: Exp, in: [x], out: p}\n" + top, DType::kFloat32,
                       {{3, 1, 2}});
  ASSERT_EQ(open.accepted.size(), 1u);
  EXPECT_EQ(open.accepted[0].lo, 0);
  EXPECT_EQ(open.accepted[0].hi, 2);
}

TEST(EvaluateBounded, RunningSumsAreOffByTheElementsAlongTheDim) {
  const std::string body = "reference: [{op: CumSum, in: [x, {const: 0, dtype: int64}], out: z}]\n";
  const Evaluated two(body, DType::kFloat32, {{0.1, 0.3}});
  EXPECT_LT(two.accepted[1].hi - two.accepted[1].lo, 4 * 0x1p-24);
}

Interval product_of(DType dtype, const std::vector<double>& x, const std::string& numeric = "") {
  const Evaluated product(
      numeric + "reference: [{op: ReduceProd, in: [x], out: z, attrs: {keepdims: 1}}]\n", dtype,
      {x});
  EXPECT_EQ(product.accepted.size(), 1u);
  return product.accepted.at(0);
}

TEST(EvaluateBounded, ProductsOfIntegersAreExactWhileTheyFit) {
  EXPECT_TRUE(product_of(DType::kFloat32, {3, -5, 7, 11}).is_point());
  const Interval inexact = product_of(DType::kFloat32, {0.1, 0.3, 7});
  EXPECT_LT(inexact.lo, inexact.hi);
  EXPECT_NEAR(inexact.lo, 0.21, 1e-6);
  EXPECT_NEAR(inexact.hi, 0.21, 1e-6);
}

TEST(EvaluateBounded, ProductsAreOpenWhereSomeOrderLeavesTheRange) {
  EXPECT_TRUE(product_of(DType::kFloat32, {1e30, 1e30, 1e-30}).is_anything());
  const Interval vanishing = product_of(DType::kFloat32, {1e-30, 1e-30, 1e30});
  EXPECT_TRUE(vanishing.contains(0));
  EXPECT_TRUE(vanishing.contains(static_cast<double>(1e-30f)));
  EXPECT_FALSE(vanishing.contains(1e-7));
  EXPECT_FALSE(vanishing.may_be_nan);
  const std::string wide = "numeric: {accumulate: float32}\n";
  EXPECT_TRUE(product_of(DType::kFloat16, {60000, 2, 0.25}).is_anything());
  EXPECT_FALSE(product_of(DType::kFloat16, {60000, 2, 0.25}, wide).is_anything());
}

TEST(EvaluateBounded, ProductsWithInfinitiesZerosAndNaN) {
  const Interval infinite = product_of(DType::kFloat32, {-INFINITY, 2, 3});
  EXPECT_TRUE(infinite.contains(-INFINITY));
  EXPECT_FALSE(infinite.contains(INFINITY));
  EXPECT_FALSE(infinite.contains(-6));
  EXPECT_FALSE(infinite.may_be_nan);
  EXPECT_TRUE(product_of(DType::kFloat32, {-INFINITY, 1e-30, 1e-30}).contains(NAN));
  EXPECT_TRUE(product_of(DType::kFloat32, {0, 2, 3}).is_point());
  EXPECT_TRUE(product_of(DType::kFloat32, {0, 0.1, 0.3}).is_point());
  EXPECT_TRUE(product_of(DType::kFloat32, {0, 1e30, 1e30}).contains(NAN));
  const Interval nan = product_of(DType::kFloat32, {NAN, 0, 3});
  EXPECT_TRUE(nan.contains(NAN));
  EXPECT_FALSE(nan.contains(0));
}

TEST(EvaluateBounded, RemaindersAreExactOfCertainOperandsOnly) {
  const std::string mod = "{op: Mod, in: [p, y], out: z, attrs: {fmod: 1}}]\n";
  const Evaluated certain("reference: [{op: Neg, in: [x], out: p}, " + mod, DType::kFloat32,
                          {{7.1}, {0.3}});
  ASSERT_EQ(certain.accepted.size(), 1u);
  EXPECT_TRUE(certain.accepted[0].is_point());
  const Evaluated open("reference: [{op: Exp, in: [x], out: p}, " + mod, DType::kFloat32,
                       {{7.1}, {0.3}});
  ASSERT_EQ(open.accepted.size(), 1u);
  EXPECT_TRUE(open.accepted[0].is_anything());
}

std::string scattered(const std::string& reduction) {
  return "reference: [{op: ScatterElements, in: [x, {const: [0, 0, 1], dtype: int64}, {const: "
         "[0.1, "
         "0.3, 0.7], dtype: float32}], out: z, attrs: {axis: 0, reduction: " +
         reduction + "}}]\n";
}

TEST(EvaluateBounded, ScatteredUpdatesAreExactUnlessTheyAreAdded) {
  const std::vector<double> x = {0.5, 2};
  for (const std::string exact : {"none", "max", "min"}) {
    const Evaluated moved(scattered(exact), DType::kFloat32, {x});
    ASSERT_EQ(moved.accepted.size(), 2u);
    EXPECT_EQ(moved.accepted[0].lo, moved.accepted[0].hi) << exact;
  }
  const Evaluated sum(scattered("add"), DType::kFloat32, {x});
  ASSERT_EQ(sum.accepted.size(), 2u);
  EXPECT_LT(sum.accepted[0].lo, sum.accepted[0].hi);
  EXPECT_NEAR(sum.accepted[0].lo, 0.9, 1e-6);
  EXPECT_NEAR(sum.accepted[0].hi, 0.9, 1e-6);
  Evaluated::expect_success = false;
  const Evaluated product(scattered("mul"), DType::kFloat32, {x});
  Evaluated::expect_success = true;
  EXPECT_EQ(product.error.code, "OPK-VERIFY-002");
}

TEST(EvaluateBounded, RefusesOperatorsWithoutARule) {
  Evaluated::expect_success = false;
  const Evaluated floor("reference: [{op: Tan, in: [x], out: z}]\n", DType::kFloat32, {{1}});
  Evaluated::expect_success = true;
  EXPECT_EQ(floor.error.code, "OPK-VERIFY-002");
  EXPECT_THAT(floor.error.to_string(),
              testing::HasSubstr("no error bound is known for the operator Tan"));
}

}  // namespace
}  // namespace opkit::oracle
