// Grading the tests: mutants of an op's kernel, tiling and results are tested; those that pass show
// what the tests do not see.
#ifndef OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_
#define OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/verify/mutants/mutant_result.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

struct MutationRequest {
  // The op's, in its project's folder, beside op_kernel and op_host: op_contract.yaml, or that of
  // one op of a family.
  std::filesystem::path contract;
  std::filesystem::path cmake_dir;  // is the SDK's: holds opkitConfig.cmake
  std::filesystem::path shared;  // holds the SDK's parts that ops share, mutated like own sources
  std::filesystem::path work;    // scratch folder; kept, so that a next run builds faster
  Tier tier = Tier::kSmoke;      // the tests that are graded: quicker tiers first
  uint64_t seed = 1;
  size_t most = 0;                // mutants at most, spread evenly; 0: all
  std::string only;               // mutants whose description holds this text; empty: all
  size_t shard = 0, shards = 1;   // this run takes every shards-th of these
  std::filesystem::path results;  // where fates are kept (see results_store.h); empty: nowhere
  bool resume = false;            // take over what was found with the same sources
};

struct MutationReport {
  std::string op;
  Tier tier = Tier::kSmoke;
  std::vector<MutantResult> mutants;
  int64_t killed = 0, survived = 0, equivalent = 0, stillborn = 0;
  int64_t resumed = 0;  // mutants of which an earlier run told
  double seconds = 0;

  // killed / (killed + survived); nothing when none counts.
  std::optional<double> kill_rate() const;
};

class MutationProgress {
 public:
  virtual ~MutationProgress() = default;
  virtual void step(const std::string& /*what*/) {}
  virtual void finished(size_t /*done*/, size_t /*all*/, const MutantResult& /*result*/) {}
  // True ends the run after the mutant at hand.
  virtual bool cancelled() { return false; }
};

// A survivor is equivalent when, on problems of the nightly tier's size and on every chip of the
// contract's families, its outputs have the original's bits, and either its compiled code is the
// original's, or every core executes the original's instructions, or every instruction writes the
// original's bits, or (of the tiling, and of mutants that only do more than the original) every
// byte of the outputs is written exactly once: the work is cut differently, or some of it is in
// vain.
//
// Errors: OPK-VERIFY-050 no sources, -051 the unchanged op does not build, -052 it does not pass
// its own tests, -012 a shard that does not exist, -040 fates cannot be kept.
Result<MutationReport> run_mutants(const MutationRequest& request, MutationProgress& progress);

std::string mutation_text(const MutationReport& report);
std::string mutation_json(const MutationReport& report);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_
