// Correct kernels, broken in one place at a time: what Checked sees, and what a comparison of
// results sees. docs/checked.md explains the survivors.
#include "mutation.h"

#include <cstdio>

namespace faults {
namespace {

void add(const Tally& tally, Tally* sum) {
  sum->mutants += tally.mutants;
  sum->checked += tally.checked;
  sum->results += tally.results;
  sum->either += tally.either;
}

void print(const char* name, const Tally& t) {
  std::printf("%s: %d mutants, Checked sees %.1f %%, results differ for %.1f %%, either %.1f %%\n",
              name, t.mutants, 100.0 * t.checked / t.mutants, 100.0 * t.results / t.mutants,
              100.0 * t.either / t.mutants);
}

TEST(Mutations, OfSmallKernels) {
  Tally sum;
  for (const Subject& subject : mutation_subjects()) {
    const Tally tally = mutate(subject);
    EXPECT_GE(tally.mutants, 10) << subject.name;
    EXPECT_THAT(tally.survivors, ::testing::IsEmpty()) << subject.name;
    add(tally, &sum);
  }
  print("small kernels", sum);
}

TEST(Mutations, OfShippedOps) {
  Tally sum;
  for (const Subject& subject : shipped_subjects()) {
    const Tally tally = mutate(subject);
    EXPECT_GE(tally.mutants, 12) << subject.name;
    EXPECT_THAT(tally.survivors, ::testing::IsEmpty()) << subject.name;
    add(tally, &sum);
  }
  print("shipped ops", sum);
}

}  // namespace
}  // namespace faults
