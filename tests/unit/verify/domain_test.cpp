// How the search for legal calls goes about it: what it finds, and what that costs.
#include "opkit/verify/problem/domain.h"

#include <gmock/gmock.h>

#include "opkit/contract/scope.h"
#include "opkit/verify/problem/least_elements.h"

namespace opkit::verify {
namespace {

// Eight symbols, a product of them in every tensor, and a constraint of one symbol with an
// attribute.
constexpr const char* kConvolution = R"yaml(
op: Convolution
version: "1.0.0"
inputs:
  x: {dtype: float16, shape: "N, G * group, H, W"}
  w: {dtype: float16, shape: "O, G, KH, KW"}
  b: {dtype: float16, shape: "O", presence: optional}
outputs:
  y: {dtype: float16, shape: "N, O, (H + pad - KH) // stride + 1, (W + pad - KW) // stride + 1"}
attrs:
  stride: {type: int, default: 1, range: [1, 255]}
  pad:    {type: int, default: 0, range: [0, 255]}
  group:  {type: int, default: 1, range: [1, 65536]}
where:
  C1: "1 <= N and 1 <= G and 1 <= O <= 65536 and O % group == 0"
  C2: "1 <= H <= 16384 and 1 <= W <= 16384"
  C3: "KH <= H + pad and KW <= W + pad"
  C4: "1 <= KH <= 255 and 1 <= KW <= 255"
reference:
  - {op: Conv, in: [x, w, b], out: y, attrs: {group: $group}}
)yaml";

constexpr int64_t kBudget = 1 << 15;

OpContract convolution() {
  auto parsed = OpContract::parse(kConvolution, "c.yaml");
  EXPECT_TRUE(parsed.ok()) << parsed.error().to_string();
  return std::move(parsed).value();
}

AttrValues attrs_of(const OpContract& contract, const AttrValues& given = {}) {
  return *contract.complete(given);
}

Pin pin(const char* symbol, int64_t size) { return {symbol, size, std::nullopt, false}; }

TEST(DomainSearch, FindsCallsThatLeaveLittleRoom) {
  const OpContract contract = convolution();
  const Domain domain(contract, kBudget);
  Draws draws(1, 0);
  const AttrValues attrs = attrs_of(contract);
  for (const char* symbol : {"N", "H", "W", "O", "G"}) {
    for (const int64_t size : {1000, 5000, 8192}) {
      const auto found = domain.solve({pin(symbol, size)}, {}, attrs, draws);
      ASSERT_TRUE(found) << symbol << "=" << size;
      EXPECT_EQ(found->dims.at(symbol), size);
      EXPECT_TRUE(domain.accepts(*found, attrs));
    }
  }
}

// O is tried last but two; whatever stands before it has no part in its failure.
TEST(DomainSearch, SymbolsWithoutPartInAFailureAreNotTriedAgain) {
  const OpContract contract = convolution();
  const Domain domain(contract, kBudget);
  Draws draws(1, 0);
  const auto attrs = attrs_of(contract, {{"group", int64_t{7}}});
  EXPECT_FALSE(domain.solve({pin("O", 8)}, {}, attrs, draws));
  EXPECT_EQ(domain.cost().searches, 1);
  EXPECT_LE(domain.cost().steps, 8);
  EXPECT_LE(domain.cost().evaluations, 60);
}

TEST(DomainSearch, AttributesThatAllowNothingEndItAtOnce) {
  const OpContract contract = convolution();
  const Domain domain(contract, kBudget);
  Draws draws(1, 0);
  const auto attrs = attrs_of(contract, {{"pad", int64_t{255}}});
  AttrValues none = attrs;
  none["pad"] = int64_t{-20000};  // no image is that large
  EXPECT_FALSE(domain.solve({}, {}, none, draws));
  EXPECT_EQ(domain.cost().steps, 0);
  EXPECT_TRUE(domain.solve({}, {}, attrs, draws));
}

// Nothing fits: the search ends, and tells what it tried.
TEST(DomainSearch, GivesUpWithinItsSteps) {
  const OpContract contract = convolution();
  const Domain domain(contract, 64);
  Draws draws(1, 0);
  EXPECT_FALSE(domain.solve({pin("KH", 63)}, {}, attrs_of(contract), draws));
  EXPECT_GT(domain.cost().steps, 0);
  EXPECT_LE(domain.cost().steps, 1203);  // three efforts, each with the step that was too much
}

TEST(DomainSearch, BesideAPinOfManySymbolsTheOthersAreSmall) {
  const OpContract contract = convolution();
  const Domain domain(contract, int64_t{1} << 30);
  Draws draws(1, 0);
  for (int i = 0; i < 20; ++i) {
    const auto found = domain.solve({pin("N", 100)}, {}, attrs_of(contract), draws);
    ASSERT_TRUE(found);
    for (const auto& [symbol, size] : found->dims) {
      if (symbol != "N") {
        EXPECT_LE(size, 24) << symbol;
      }
    }
  }
}

TEST(ProblemRules, JudgeASymbolByItsOwnConstraints) {
  const OpContract contract = convolution();
  const ProblemRules rules(contract);
  Scope scope = open_scope(contract);
  add_attrs(attrs_of(contract), scope);
  const auto place = [&](const char* name) {
    size_t i = 0;
    while (contract.symbols[i].name != name) ++i;
    return i;
  };
  EXPECT_FALSE(rules.broken(place("KH"), scope));
  EXPECT_EQ(rules.evaluated(), 3);  // KH <= H + pad, 1 <= KH, KH <= 255
  scope.numbers["H"] = Range::of(3);
  scope.numbers["KH"] = Range::of(4);
  const auto reasons = rules.broken(place("KH"), scope);
  ASSERT_TRUE(reasons);
  EXPECT_EQ(*reasons, set_of(place("KH")) | set_of(place("H")));
  EXPECT_EQ(rules.narrowed(place("KH"), scope, Range::any_dim()), (Range{1, 3}));
}

TEST(LeastElements, CountWhatIsKnown) {
  const OpContract contract = convolution();
  Scope scope = open_scope(contract);
  add_attrs(attrs_of(contract), scope);
  scope.counts["b"] = Range::of(0);
  EXPECT_EQ(least_elements(contract, scope), 2);  // x and w of one element; y may have none
  scope.numbers["N"] = Range::of(10);
  scope.numbers["H"] = Range::of(5);
  scope.numbers["W"] = Range::of(4);
  EXPECT_EQ(least_elements(contract, scope), 200 + 1);
  scope.numbers["KH"] = scope.numbers["KW"] = Range::of(2);
  EXPECT_EQ(least_elements(contract, scope), 200 + 4 + 10 * 4 * 3);
  scope.numbers["O"] = Range::of(6);
  scope.counts["b"] = Range::of(1);
  EXPECT_EQ(least_elements(contract, scope), 200 + 6 * 4 + 6 + 10 * 6 * 4 * 3);
  for (const char* symbol : {"N", "G", "H", "W"}) scope.numbers[symbol] = Range::of(1 << 30);
  EXPECT_EQ(least_elements(contract, scope), kManyElements);
}

// What a kernel multiplies is in no tensor.
TEST(DomainSearch, CallsOfManySymbolsHaveABudgetOfProducts) {
  const OpContract contract = convolution();
  const Domain domain(contract, kBudget);
  Draws draws(3, 0);
  const AttrValues attrs = attrs_of(contract, {{"pad", int64_t{255}}});
  for (int i = 0; i < 100; ++i) {
    const auto found = domain.solve({}, {}, attrs, draws);
    ASSERT_TRUE(found);
    const Scope scope = scope_of(contract, *found, attrs);
    EXPECT_LE(least_products(contract, scope), 8 * (kBudget + 1));
  }
}

// A shape that cannot broadcast with those before it is left at once: not with every third one.
TEST(DomainSearch, DimsThatDoNotBroadcastAreLeftEarly) {
  const auto parsed = OpContract::parse(R"yaml(
op: Choose
version: "1.0.0"
inputs:
  a: {dtype: float16, shape: "A.."}
  b: {dtype: float16, shape: "B.."}
  c: {dtype: float16, shape: "C.."}
outputs:
  y: {dtype: float16, shape: "broadcast(A, B, C)"}
reference: [{op: Sum, in: [a, b, c], out: y}]
)yaml",
                                        "c.yaml");
  ASSERT_TRUE(parsed.ok()) << parsed.error().to_string();
  const Domain domain(*parsed, kBudget);
  Draws draws(3, 1);
  int found = 0;
  for (int i = 0; i < 40; ++i) found += domain.solve({}, {}, {}, draws).has_value() ? 1 : 0;
  EXPECT_GE(found, 30);
  EXPECT_LE(domain.cost().steps, 600);
}

}  // namespace
}  // namespace opkit::verify
