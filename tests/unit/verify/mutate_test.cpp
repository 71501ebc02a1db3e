#include "opkit/verify/mutants/mutate.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "opkit/verify/mutants/mutation_run.h"
#include "opkit_test_paths.h"

namespace opkit::verify {
namespace {

constexpr const char* kKernel = R"(// Add(z, x, y, count); in a comment
  __aicore__ inline void Compute(uint32_t count) {
    LocalTensor<float> x = queue_.DeQue<float>();
    Add(z, x, y, count);
    Muls(z, z, alpha_, count);
    Cast(y, z, RoundMode::CAST_RINT, count);
  }
)";

bool holds(const std::vector<Mutant>& mutants, const std::string& after) {
  return std::any_of(mutants.begin(), mutants.end(),
                     [&](const Mutant& mutant) { return mutant.after == after; });
}

TEST(MakeMutants, CoversTheUsualMistakes) {
  const auto mutants = make_mutants(kKernel, SourceKind::kKernel, {"alpha"});
  EXPECT_TRUE(holds(mutants, "Sub(z, x, y, count);"));
  EXPECT_TRUE(holds(mutants, ";"));
  EXPECT_TRUE(holds(mutants, "Add(z, x, y, count - 1);"));
  EXPECT_TRUE(holds(mutants, "Muls(z, z, 1.0f, count);"));
  EXPECT_TRUE(holds(mutants, "Cast(y, z, RoundMode::CAST_TRUNC, count);"));
  for (const Mutant& mutant : mutants) {
    EXPECT_NE(mutant.line, 1) << "comments stay";
    EXPECT_NE(mutant.text, kKernel);
    EXPECT_NE(mutant.before.rfind("LocalTensor", 0), 0u) << "declarations stay";
  }
}

TEST(MakeMutants, SaysWhichOnesOnlyDoMore) {
  const auto mutants = make_mutants(kKernel, SourceKind::kKernel, {});
  const auto adds = [&](const std::string& after) {
    return std::find_if(mutants.begin(), mutants.end(),
                        [&](const Mutant& mutant) { return mutant.after == after; })
        ->adds;
  };
  EXPECT_TRUE(adds("Add(z, x, y, count + 1);"));
  EXPECT_FALSE(adds("Add(z, x, y, count - 1);"));
  EXPECT_FALSE(adds("Cast(y, z, RoundMode::CAST_TRUNC, count);"));
}

TEST(MakeMutants, ChangesHostSources) {
  const auto mutants =
      make_mutants("  tiling->alpha = *attrs->GetFloat(0);\n  n = a > b ? shape.GetDim(0) : 3;\n",
                   SourceKind::kHost, {"alpha"});
  EXPECT_TRUE(holds(mutants, "tiling->alpha = 1;"));
  EXPECT_TRUE(holds(mutants, "n = a > b ? shape.GetDim(1) : 3;"));
  EXPECT_TRUE(holds(mutants, "n = a > b ? 3 : shape.GetDim(0);"));
}

TEST(MakeMutants, TakesAnotherAxisAndTurnsFlags) {
  const auto kernel = make_mutants(
      "  {\n    ReduceSum<float, Pattern::Reduce::AR>(y, x, tmp, shape, true);\n"
      "    mm.SetTensorB(b, false);\n",
      SourceKind::kKernel, {});
  EXPECT_TRUE(holds(kernel, "ReduceSum<float, Pattern::Reduce::RA>(y, x, tmp, shape, true);"));
  EXPECT_TRUE(holds(kernel, "ReduceSum<float, Pattern::Reduce::AR>(y, x, tmp, shape, false);"));
  EXPECT_TRUE(holds(kernel, "mm.SetTensorB(b, true);"));
  const auto host =
      make_mutants("  k = shape.GetDim(shape.GetDimNum() - 1);\n  m = s.GetDim(r - 2);\n",
                   SourceKind::kHost, {});
  EXPECT_TRUE(holds(host, "k = shape.GetDim(shape.GetDimNum() - 2);"));
  EXPECT_TRUE(holds(host, "m = s.GetDim(r - 1);"));
}

TEST(MakeMutants, TurnsAChoiceInsideACall) {
  const auto mutants =
      make_mutants("  t->n = AlignUp(a > kLeast ? a : kLeast, kStep);\n", SourceKind::kHost, {});
  EXPECT_TRUE(holds(mutants, "t->n = AlignUp(a > kLeast ? kLeast : a, kStep);"));
}

TEST(MakeMutants, DropsSynchronisationAndJoinsStatements) {
  const auto mutants = make_mutants(R"(  {
    PipeBarrier<PIPE_V>();
    DataCopyPad(z_[offset], z,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    Add(z, x, y, count);
  }
)",
                                    SourceKind::kKernel, {});
  const auto named = [&](const std::string& what) {
    return std::find_if(mutants.begin(), mutants.end(),
                        [&](const Mutant& mutant) { return mutant.what == what; });
  };
  ASSERT_NE(named("synchronisation left out"), mutants.end());
  EXPECT_EQ(named("synchronisation left out")->line, 2);
  ASSERT_NE(named("copy left out"), mutants.end());
  EXPECT_EQ(named("copy left out")->line, 3);
  EXPECT_TRUE(holds(mutants, "Add(z, x, x, count);"));
  for (const Mutant& mutant : mutants)
    EXPECT_EQ(std::count(mutant.text.begin(), mutant.text.end(), '\n'), 6) << mutant.what;
}

// A comment at the end of a joined line would hide the rest of the statement and what follows it.
TEST(MakeMutants, JoinsNoCommentIntoAStatement) {
  const auto mutants = make_mutants(R"(constexpr uint64_t kLeast =
    1024;                            // elements; below this nothing is gained
constexpr uint64_t kPercent = 80;  // is a share of UB
constexpr uint64_t kUrl = Length("http://x",  // a string
                                 7);
void Tiling() {
  tiling->total = total;
}
)",
                                    SourceKind::kHost, {});
  ASSERT_FALSE(mutants.empty());
  for (const Mutant& mutant : mutants) {
    EXPECT_EQ(mutant.line, 7);
    EXPECT_THAT(mutant.text, testing::HasSubstr("constexpr uint64_t kLeast = 1024;\n"));
    EXPECT_THAT(mutant.text, testing::HasSubstr("\nconstexpr uint64_t kPercent = 80;"));
    EXPECT_THAT(mutant.text, testing::HasSubstr(R"(Length("http://x", 7);)"));
  }
}

TEST(RunMutants, RefusesOpsOfTheAicpu) {
  MutationRequest request;
  request.contract = std::string(OPKIT_SOURCE_DIR) + "/ops/host/reverse_sequence/op_contract.yaml";
  request.cmake_dir = "/nowhere";
  request.work = testing::TempDir() + "/opkit_mutants_test_aicpu";
  MutationProgress progress;
  const auto report = run_mutants(request, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-VERIFY-050");
  EXPECT_THAT(report.error().to_string(), testing::HasSubstr("runs on the AICPU"));
}

// CMake looks for SDKs beside the folders of PATH, too, and remembers what it has found.
TEST(RunMutants, RefusesWhatDoesNotBuild) {
  ::setenv("PATH", "/usr/bin:/bin", 1);
  MutationRequest request;
  request.contract = std::string(OPKIT_SOURCE_DIR) + "/ops/fused/add_relu/op_contract.yaml";
  request.cmake_dir = "/nowhere";
  request.work = testing::TempDir() + "/opkit_mutants_test";
  std::filesystem::remove_all(request.work);
  MutationProgress progress;
  const auto report = run_mutants(request, progress);
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-VERIFY-051");
  EXPECT_THAT(report.error().to_string(), testing::HasSubstr("the unchanged op does not build"));
}

}  // namespace
}  // namespace opkit::verify
