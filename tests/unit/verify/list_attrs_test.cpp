// List attributes are varied: in length, in every element, together with each other.
#include <gmock/gmock.h>

#include "fake_executor.h"
#include "opkit/verify/problem/attr_values.h"
#include "opkit/verify/problem/plan.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

using testing::HasSubstr;
using Ints = std::vector<int64_t>;

constexpr const char* kPool = R"yaml(
op: Pick
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "N, C, H, W"}
outputs:
  y: {dtype: float32, shape: "N, C, (H - 1) // strides[0] + 1, (W - 1) // strides[1] + 1"}
attrs:
  strides: {type: list_int, DECLARED}
where:
  C1: "N >= 1 and C >= 1 and H >= 1 and W >= 1"
  C2: "rank(strides) == 2 and min_of(strides) >= 1 and max_of(strides) <= 3"
reference:
  - {op: MaxPool, in: [x], out: y, attrs: {kernel_shape: [1, 1], strides: $strides}}
soc: [Ascend910B]
)yaml";

OpContract contract_with_list(std::string text, const std::string& declared) {
  text.replace(text.find("DECLARED"), 8, declared);
  auto parsed = OpContract::parse(text, "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

// Takes the strides as `chosen` makes them of the attribute's.
FakeExecutor::Kernel pool_with(std::function<Ints(Ints)> chosen) {
  return [chosen](FakeCall& call) {
    const Ints strides = chosen(std::get<Ints>(call.attrs.at("strides")));
    const Shape from = call.in(0).shape(), to = call.out().shape();
    for (int64_t i = 0; i < call.out().elements(); ++i) {
      const int64_t w = i % to[3], h = i / to[3] % to[2], plane = i / (to[3] * to[2]);
      const int64_t row = std::min(h * strides[0], from[2] - 1);
      const int64_t column = std::min(w * strides[1], from[3] - 1);
      call.out().set(i, call.in(0).at((plane * from[2] + row) * from[3] + column));
    }
  };
}

TestReport tested(const OpContract& contract, const FakeExecutor::Kernel& kernel,
                  Tier tier = Tier::kSmoke) {
  FakeExecutor executor(kernel);
  Progress silent;
  TestRequest request;
  request.contract = &contract;
  request.executor = &executor;
  request.tier = tier;
  auto report = run_tests(request, silent);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return std::move(report).value();
}

constexpr const char* kDeclarations[] = {"default: [1, 1]", "length: 2", "length: 2, range: [1, 3]",
                                         "default: [1, 1], length: [2, 2]"};

TEST(ListAttrs, AnAttributeThatIsIgnoredFails) {
  for (const char* declared : kDeclarations) {
    const OpContract contract = contract_with_list(kPool, declared);
    const TestReport right = tested(contract, pool_with([](Ints strides) { return strides; }));
    EXPECT_EQ(right.verdict, Verdict::kPassed) << declared << ": " << right.reason;
    const TestReport ignored = tested(contract, pool_with([](Ints) { return Ints{1, 1}; }));
    EXPECT_EQ(ignored.verdict, Verdict::kFailed) << declared;
    const TestReport exchanged = tested(contract, pool_with([](Ints s) {
                                          return Ints{s[1], s[0]};
                                        }));
    EXPECT_EQ(exchanged.verdict, Verdict::kFailed) << declared;
    const TestReport square = tested(contract, pool_with([](Ints s) { return Ints{s[0], s[0]}; }));
    EXPECT_EQ(square.verdict, Verdict::kFailed) << declared;
  }
}

// Without a default the plan is as long as with one.
TEST(ListAttrs, ARequiredListLeavesNoHole) {
  const auto problems = [](const OpContract& contract) {
    return make_plan({&contract, {"Ascend910B1"}, Tier::kCi, 1, {}, -1}).size();
  };
  const size_t optional = problems(contract_with_list(kPool, "default: [1, 1]"));
  EXPECT_GT(problems(contract_with_list(kPool, "length: 2")), optional * 9 / 10);
  EXPECT_GT(problems(contract_with_list(kPool, "doc: \"of any length\"")), optional * 9 / 10);
}

TEST(ListAttrs, EveryLengthAndClassIsOffered) {
  Attr attr;
  attr.name = "axes";
  attr.type = AttrType::kListInt;
  attr.length = {0, 3};
  std::set<size_t> lengths;
  std::set<std::string> labels;
  for (const AttrChoice& choice : attr_choices(attr)) {
    EXPECT_TRUE(attr.check(choice.value).ok()) << choice.label;
    lengths.insert(length_of(choice.value));
    labels.insert(choice.label);
  }
  EXPECT_EQ(lengths, (std::set<size_t>{0, 1, 2, 3}));
  attr.elements = Elements::kPermutation;
  attr.length = {3, 3};
  std::vector<Ints> found;
  for (const AttrChoice& choice : attr_choices(attr)) found.push_back(std::get<Ints>(choice.value));
  EXPECT_THAT(found, testing::UnorderedElementsAre(Ints{0, 1, 2}, Ints{2, 1, 0}, Ints{1, 2, 0},
                                                   Ints{0, 2, 1}));
}

TEST(ListAttrs, OtherTypesVaryToo) {
  Attr flags;
  flags.type = AttrType::kListBool;
  flags.length = {2, 2};
  std::set<std::vector<bool>> seen;
  for (const AttrChoice& choice : attr_choices(flags))
    seen.insert(std::get<std::vector<bool>>(choice.value));
  EXPECT_EQ(seen.size(), 4u);
  Attr names;
  names.type = AttrType::kListString;
  names.length = {1, 2};
  names.allowed = {std::string("a"), std::string("b")};
  std::set<std::vector<std::string>> lists;
  for (const AttrChoice& choice : attr_choices(names))
    lists.insert(std::get<std::vector<std::string>>(choice.value));
  EXPECT_EQ(lists.count({"a", "b"}), 1u);
  EXPECT_EQ(lists.count({"b"}), 1u);
}

TEST(ListAttrs, TheContractBoundsLengthAndElements) {
  const OpContract contract = contract_with_list(kPool, "length: 2, elements: distinct");
  const auto complete = [&](Ints strides) { return contract.complete({{"strides", strides}}); };
  EXPECT_TRUE(complete({1, 2}).ok());
  const auto longer = complete({1, 2, 3});
  ASSERT_FALSE(longer.ok());
  EXPECT_EQ(longer.error().code, "OPK-ATTR-007");
  EXPECT_THAT(longer.error().message, HasSubstr("has 3 elements, not 2"));
  const auto equal = complete({2, 2});
  ASSERT_FALSE(equal.ok());
  EXPECT_EQ(equal.error().code, "OPK-ATTR-008");
}

}  // namespace
}  // namespace opkit::verify
