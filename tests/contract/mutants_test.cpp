// The tests' own test: mutants of a sample op must be found out. OPKIT_SDK names an installed SDK
// (`make test` sets it); OPKIT_MUTANTS is the number of mutants per op (0: all; default 6).
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "opkit/verify/mutants/mutation_run.h"
#include "opkit_test_paths.h"

namespace opkit::verify {
namespace {

class Telling : public MutationProgress {
 public:
  void finished(size_t done, size_t all, const MutantResult& result) override {
    std::printf("%zu/%zu %s:%d %s: %s %s\n", done, all, result.file.c_str(), result.line,
                result.what.c_str(), std::string(name_of(result.fate)).c_str(),
                result.by.substr(0, 160).c_str());
  }
};

class SampleMutants : public testing::TestWithParam<const char*> {};

// In a folder of the running test's own, as tests run side by side.
MutationRequest request_for(const std::string& op, const char* sdk) {
  MutationRequest request;
  request.contract =
      std::filesystem::path(OPKIT_SOURCE_DIR) / "ops/fused" / op / "op_contract.yaml";
  request.cmake_dir = std::filesystem::path(sdk) / "lib/cmake/opkit";
  request.shared = std::filesystem::path(sdk) / "share/opkit/shared";
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  request.work = std::filesystem::path(OPKIT_BINARY_DIR) / "mutants" / test;
  return request;
}

TEST_P(SampleMutants, DoNotGetThrough) {
  const char* sdk = std::getenv("OPKIT_SDK");
  if (sdk == nullptr) GTEST_SKIP() << "OPKIT_SDK names no SDK";
  const char* most = std::getenv("OPKIT_MUTANTS");
  MutationRequest request = request_for(GetParam(), sdk);
  request.most = most != nullptr ? std::strtoul(most, nullptr, 10) : 6;
  Telling progress;
  const auto report = run_mutants(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  std::puts(mutation_text(*report).c_str());
  EXPECT_GT(report->killed, 0);
  EXPECT_GT(report->killed, report->survived);
  if (request.most != 0) return;  // a few mutants make no rate
  EXPECT_GE(report->kill_rate(), 0.95) << mutation_text(*report);
}

// What the op has from the shared parts is its own in this: loops, tails, tiling.
TEST_P(SampleMutants, HaveTheSharedPartsAsWell) {
  const char* sdk = std::getenv("OPKIT_SDK");
  if (sdk == nullptr) GTEST_SKIP() << "OPKIT_SDK names no SDK";
  MutationRequest request = request_for(GetParam(), sdk);
  request.only = "every block is the first";
  Telling progress;
  const auto report = run_mutants(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  EXPECT_GT(report->killed, 0);
  EXPECT_EQ(report->survived, 0);
  for (const MutantResult& mutant : report->mutants)
    EXPECT_EQ(mutant.file, "op_kernel/elementwise.h");
}

// The derived bound is not loose: a store that truncates where the contract rounds to nearest is
// found in the quickest tier, and so is one that rounds up.
TEST_P(SampleMutants, OtherRoundingsAreFound) {
  const char* sdk = std::getenv("OPKIT_SDK");
  if (sdk == nullptr) GTEST_SKIP() << "OPKIT_SDK names no SDK";
  MutationRequest request = request_for(GetParam(), sdk);
  request.only = "rounded";
  Telling progress;
  const auto report = run_mutants(request, progress);
  ASSERT_TRUE(report.ok()) << report.error().to_string();
  std::set<std::string> seen;
  for (const MutantResult& mutant : report->mutants) {
    if (mutant.before.find("CAST_RINT") == std::string::npos) continue;
    if (mutant.fate == Fate::kEquivalent) continue;  // a default of a shared part that nobody takes
    EXPECT_EQ(mutant.fate, Fate::kKilled) << mutant.file << ":" << mutant.line << mutant.what;
    EXPECT_NE(mutant.by.find("ulps off"), std::string::npos) << mutant.by;
    seen.insert(mutant.what);
  }
  EXPECT_EQ(seen.size(), 2u) << "truncated and rounded up";
}

INSTANTIATE_TEST_SUITE_P(Each, SampleMutants, testing::Values("add_relu", "scale_relu_dropout"),
                         [](const auto& info) { return std::string(info.param); });

// Returns the only mutant of a mistake in an op of a family.
MutantResult only_mutant(const std::string& contract, const std::string& mistake) {
  MutationRequest request = request_for("", std::getenv("OPKIT_SDK"));
  request.contract = std::filesystem::path(OPKIT_SOURCE_DIR) / "ops/builtin" / contract;
  request.work /= request.contract.parent_path().filename();
  request.only = mistake;
  request.most = 1;
  Telling progress;
  auto report = run_mutants(request, progress);
  EXPECT_TRUE(report.ok()) << report.error().to_string();
  return report.ok() ? report->mutants.at(0) : MutantResult();
}

// The larger of two numbers needs no rounding.
TEST(FamilyMutants, WhatMakesNoDifferenceIsEquivalent) {
  if (std::getenv("OPKIT_SDK") == nullptr) GTEST_SKIP() << "OPKIT_SDK names no SDK";
  const MutantResult rounded = only_mutant("elementwise_binary/maximum_contract.yaml", "truncated");
  EXPECT_EQ(rounded.fate, Fate::kEquivalent) << rounded.by;
  EXPECT_EQ(rounded.by.find("every instruction writes the same bits"), 0u) << rounded.by;
}

// Most tiles have room behind their last element; some problem fills one to its end.
TEST(FamilyMutants, AnElementBehindAFullTileIsFound) {
  if (std::getenv("OPKIT_SDK") == nullptr) GTEST_SKIP() << "OPKIT_SDK names no SDK";
  const MutantResult far =
      only_mutant("elementwise_unary/tanh_contract.yaml", "one element too far");
  EXPECT_EQ(far.fate, Fate::kKilled) << far.by;
  EXPECT_NE(far.by.find("destination needs"), std::string::npos) << far.by;
}

}  // namespace
}  // namespace opkit::verify
