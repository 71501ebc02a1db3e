#include <gmock/gmock.h>

#include "opkit/verify/data/generate.h"
#include "opkit/verify/problem/domain.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;

constexpr const char* kLinear = R"yaml(
op: Linear
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "B.., K", format: ND}
  w: {dtype: T, shape: "K, N", format: ND}
  b: {dtype: T, shape: "N|1", format: ND, presence: optional}
outputs:
  z: {dtype: T, shape: "B.., N", format: ND}
types: {T: [float16, float32]}
attrs:
  alpha: {type: float, default: 1.0, range: "(0, 2]"}
where:
  C1: "K % 16 == 0 and K >= 16"
  C2: "N == 2 * K"
  C3: "rank(B) <= 3"
reference:
  - {op: MatMul, in: [x, w], out: m}
  - {op: Mul, in: [m, $alpha], out: p}
  - {op: Add, in: [p, b], out: z, when: "present(b)", else: p}
soc: [Ascend910B]
)yaml";

OpContract linear() {
  auto parsed = OpContract::parse(kLinear, "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

TEST(Problem, LineReadsBackToTheSameProblem) {
  const OpContract contract = linear();
  Problem problem;
  problem.soc = "Ascend910B1";
  problem.column = 1;
  problem.symbols.dims = {{"K", 32}, {"N", 64}};
  problem.symbols.lists = {{"B", {7, 13}}};
  problem.symbols.collapsed = {"b:0"};
  problem.attrs = {{"alpha", 0.1}};
  problem.data = DataClass::kCancellation;
  problem.seed = 77;
  problem.threads = 2;
  const std::string line = to_line(contract, problem);
  EXPECT_EQ(line,
            "Linear --t T=float32 --d B=7x13,K=32,N=64 --collapse b:0 --attr alpha=0.1 "
            "--data cancellation --seed 77 --soc Ascend910B1 --threads 2");
  const auto again = parse_line(contract, "opkit test " + line);
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(*again, problem);
}

TEST(Problem, EmptyListsReadBack) {
  const OpContract contract = linear();
  const auto problem = parse_line(contract, "Linear --d 'B=[],K=16,N=32' --absent b");
  ASSERT_TRUE(problem.ok()) << problem.error().to_string();
  EXPECT_TRUE(problem->symbols.lists.at("B").empty());
  EXPECT_EQ(problem->symbols.absent.count("b"), 1u);
}

TEST(Problem, LineErrorsSayWhatIsWrong) {
  const OpContract contract = linear();
  const std::pair<const char*, const char*> kWrong[] = {
      {"--t T=int8", "no column T=int8"},
      {"--d Q=1", "no symbol 'Q'"},
      {"--d K", "not name=value"},
      {"--d K=x", "not a whole number"},
      {"--attr beta=1", "no attribute 'beta'"},
      {"--attr alpha=7", "alpha"},
      {"--data unifrom", "did you mean 'uniform'"},
      {"--absent q", "no input 'q'"},
      {"--threads 0", "out of range"},
      {"--seed", "has no value"},
      {"--sed 1", "unknown option --sed"},
      {"--d K=16", "--d gives no value for B, N\n  try: --d B=2x16,K=16,N=32"},
  };
  for (const auto& [line, words] : kWrong) {
    const auto problem = parse_line(contract, line);
    ASSERT_FALSE(problem.ok()) << line;
    EXPECT_THAT(problem.error().to_string(), HasSubstr(words));
  }
  EXPECT_EQ(parse_line(contract, "--d Q=1").error().code, "OPK-VERIFY-010");
}

TEST(Problem, SaysThatThereIsOneColumn) {
  const OpContract contract = OpContract::parse(R"yaml(
op: Twice
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "N", format: ND}
outputs:
  y: {dtype: float32, shape: "N", format: ND}
reference:
  - {op: Add, in: [x, x], out: y}
soc: [Ascend910B]
)yaml",
                                                "c.yaml")
                                  .value();
  const auto problem = parse_line(contract, "--t float16 --d N=1");
  ASSERT_FALSE(problem.ok());
  EXPECT_EQ(problem.error().code, "OPK-VERIFY-010");
  EXPECT_THAT(problem.error().to_string(), HasSubstr("try: leave --t out: the contract has no"));
}

TEST(Domain, SolvesEqualitiesAndMultiples) {
  const OpContract contract = linear();
  const Domain domain(contract, 1 << 16);
  Draws draws(5, 0);
  const AttrValues attrs = *contract.complete({});
  for (int i = 0; i < 20; ++i) {
    const auto values = domain.solve({}, {}, attrs, draws);
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(values->dims.at("K") % 16, 0);
    EXPECT_EQ(values->dims.at("N"), 2 * values->dims.at("K"));
    EXPECT_LE(values->lists.at("B").size(), 3u);
    EXPECT_LE(*domain.elements(*values, attrs), 1 << 16);
  }
}

TEST(Domain, FindsNothingWhereNothingIs) {
  const OpContract contract = linear();
  const Domain domain(contract, 1 << 16);
  Draws draws(5, 0);
  EXPECT_FALSE(domain.solve({{"K", 17, std::nullopt, false}}, {}, *contract.complete({}), draws));
}

TEST(Plan, HoldsEnoughOfEverything) {
  const OpContract contract = linear();
  const auto plan = make_plan({&contract, {"Ascend910B1"}, Tier::kCi, 1, {}, -1});
  std::map<size_t, int> random;
  std::set<DataClass> classes;
  bool absent = false, collapsed = false;
  for (const PlannedProblem& planned : plan) {
    random[planned.problem.column] += planned.origin == "random" ? 1 : 0;
    classes.insert(planned.problem.data);
    absent = absent || !planned.problem.symbols.absent.empty();
    collapsed = collapsed || !planned.problem.symbols.collapsed.empty();
  }
  EXPECT_GE(random[0], 100);
  EXPECT_GE(random[1], 100);
  EXPECT_EQ(classes.size(), all_data_classes().size());
  EXPECT_TRUE(absent);
  EXPECT_TRUE(collapsed);
}

// One element less, as many, one more, and enough more to tell another part's data.
TEST(Plan, GoesRoundEveryLandmark) {
  const OpContract contract = linear();
  constexpr int64_t kLandmark = 1504;  // no corner by itself
  const auto sizes = [&](std::vector<int64_t> landmarks) {
    std::set<int64_t> seen;
    for (const PlannedProblem& planned :
         make_plan({&contract, {"Ascend910B1"}, Tier::kCi, 1, std::move(landmarks), 0})) {
      for (const auto& [symbol, dim] : planned.problem.symbols.dims) seen.insert(dim);
      for (const auto& [symbol, dims] : planned.problem.symbols.lists)
        seen.insert(dims.begin(), dims.end());
    }
    return seen;
  };
  const std::set<int64_t> without = sizes({}), with = sizes({kLandmark});
  for (const int64_t near : {kLandmark - 1, kLandmark, kLandmark + 1, kLandmark + 37}) {
    EXPECT_EQ(with.count(near), 1u) << near;
    EXPECT_EQ(without.count(near), 0u) << near;
  }
}

TEST(Plan, ATierBeginsWithTheTierBefore) {
  const OpContract contract = linear();
  const std::vector<std::string> socs{"Ascend910B1", "Ascend310B1"};
  const auto smoke = make_plan({&contract, socs, Tier::kSmoke, 3, {100, 60000}, -1});
  const auto ci = make_plan({&contract, socs, Tier::kCi, 3, {100, 60000}, -1});
  ASSERT_GT(ci.size(), smoke.size());
  for (size_t i = 0; i < smoke.size(); ++i)
    EXPECT_EQ(ci[i].problem, smoke[i].problem) << to_line(contract, smoke[i].problem);
}

TEST(Plan, IsTheSameForTheSameRequest) {
  const OpContract contract = linear();
  const PlanRequest request{&contract, {"Ascend910B1"}, Tier::kSmoke, 9, {100}, -1};
  const auto one = make_plan(request), other = make_plan(request);
  ASSERT_EQ(one.size(), other.size());
  for (size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].problem, other[i].problem);
}

TEST(Fill, KeepsTheContractsRangeInEveryClass) {
  for (const DataClass data : all_data_classes()) {
    Tensor mask(DType::kUInt8, Shape{500});
    fill(mask, {data, 3, 0, 0, std::pair<double, double>{0, 1}});
    for (int64_t i = 0; i < 500; ++i) ASSERT_LE(mask.at(i), 1) << name_of(data);
    Tensor real(DType::kFloat32, Shape{500});
    fill(real, {data, 3, 0, 0, std::pair<double, double>{0.5, 2}});
    for (int64_t i = 0; i < 500; ++i)
      ASSERT_TRUE(real.at(i) >= 0.5 && real.at(i) <= 2) << name_of(data);
  }
}

// Each row along the last axis, in every class.
TEST(Fill, ElementsDependOnEachOtherAsStated) {
  for (const Elements elements : {Elements::kSorted, Elements::kDistinct, Elements::kPermutation}) {
    for (const DataClass data : all_data_classes()) {
      Tensor tensor(DType::kInt32, Shape{3, 40});
      const FillRequest request{data, 5, 0, 0, std::pair<double, double>{0, 99}, elements};
      ASSERT_FALSE(cannot_fill(tensor.dtype(), tensor.shape(), request));
      fill(tensor, request);
      for (int64_t row = 0; row < 3; ++row) {
        std::vector<double> values;
        for (int64_t i = 0; i < 40; ++i) values.push_back(tensor.at(row * 40 + i));
        EXPECT_TRUE(satisfies(elements, values)) << name_of(elements) << " " << name_of(data);
        EXPECT_TRUE(values.front() >= 0 && values.front() <= 99);
      }
    }
  }
  Tensor shuffled(DType::kInt32, Shape{40}), other(DType::kInt32, Shape{40});
  fill(shuffled, {DataClass::kUniform, 1, 0, 0, std::nullopt, Elements::kPermutation});
  fill(other, {DataClass::kUniform, 2, 0, 0, std::nullopt, Elements::kPermutation});
  bool differs = false;
  for (int64_t i = 0; i < 40; ++i) differs = differs || shuffled.at(i) != other.at(i);
  EXPECT_TRUE(differs);
}

TEST(Fill, TooManyDistinctElementsAreTold) {
  const FillRequest request{DataClass::kUniform, 1, 0, 0, std::pair<double, double>{0, 9},
                            Elements::kDistinct};
  EXPECT_FALSE(cannot_fill(DType::kInt32, Shape{10}, request));
  const auto reason = cannot_fill(DType::kInt32, Shape{11}, request);
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, "there are no 11 distinct int32 values from 0 to 9");
  EXPECT_TRUE(cannot_fill(DType::kInt8, Shape{200},
                          {DataClass::kUniform, 1, 0, 0, std::nullopt, Elements::kPermutation}));
}

// A long tensor has the same elements, whoever fills which part.
TEST(Fill, ThreadsDoNotMatter) {
  const FillRequest request{DataClass::kNormal, 9, 2, 0, std::nullopt};
  Tensor large(DType::kFloat16, Shape{5 << 20}), small(DType::kFloat16, Shape{1000});
  fill(large, request);
  fill(small, request);
  for (int64_t i = 0; i < 1000; ++i) ASSERT_EQ(large.at(i), small.at(i));
  Tensor nibbles(DType::kInt4, Shape{(3 << 20) + 1});
  fill(nibbles, {DataClass::kConstant, 1, 0, 0, std::nullopt});
  for (int64_t i = 0; i < nibbles.elements(); ++i) ASSERT_EQ(nibbles.at(i), nibbles.at(0)) << i;
}

TEST(Fill, ClassesDoWhatTheyAreFor) {
  const auto filled = [](DataClass data) {
    Tensor tensor(DType::kFloat16, Shape{4096});
    fill(tensor, {data, 11, 0, 0, std::nullopt});
    return tensor;
  };
  const auto count = [](const Tensor& tensor, auto holds) {
    int64_t found = 0;
    for (int64_t i = 0; i < tensor.elements(); ++i) found += holds(tensor.at(i)) ? 1 : 0;
    return found;
  };
  EXPECT_EQ(count(filled(DataClass::kExactInteger), [](double x) { return x == std::rint(x); }),
            4096);
  EXPECT_EQ(count(filled(DataClass::kOneHot), [](double x) { return x == 1; }), 1);
  EXPECT_GT(count(filled(DataClass::kSpecial), [](double x) { return std::isnan(x); }), 20);
  EXPECT_GT(count(filled(DataClass::kSpecial), [](double x) { return std::isinf(x); }), 20);
  EXPECT_GT(count(filled(DataClass::kSubnormal), [](double x) { return std::abs(x) < 0x1p-14; }),
            1000);
  EXPECT_GT(count(filled(DataClass::kNearOverflow), [](double x) { return std::abs(x) > 32768; }),
            1000);
  EXPECT_GT(count(filled(DataClass::kSaturating), [](double x) { return std::abs(x) > 128; }), 500);
}

}  // namespace
}  // namespace opkit::verify
