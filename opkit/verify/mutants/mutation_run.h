// Grading the tests: mutants of an op's kernel and tiling are built and tested; those that pass
// show what the tests do not see.
#ifndef OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_
#define OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {

struct MutationRequest {
  std::filesystem::path project;    // the op's folder: op_contract.yaml, op_kernel, op_host
  std::filesystem::path cmake_dir;  // of the SDK: holds opkitConfig.cmake
  std::filesystem::path work;       // scratch folder; kept, so that a next run builds faster
  Tier tier = Tier::kSmoke;
  uint64_t seed = 1;
  size_t most = 0;            // mutants at most, spread evenly; 0: all
  int timeout_seconds = 120;  // of one mutant's test
};

enum class Fate {
  kKilled,     // a test failed, crashed or hung
  kSurvived,   // every test passed
  kStillborn,  // does not compile; not counted
};
std::string_view name_of(Fate fate);

struct MutantResult {
  std::string file;  // relative to the project
  int line = 0;
  std::string what, before, after;
  Fate fate = Fate::kKilled;
  std::string by;  // what killed it, or the compiler's words
};

struct MutationReport {
  std::string op;
  std::vector<MutantResult> mutants;
  int64_t killed = 0, survived = 0, stillborn = 0;
  double seconds = 0;

  // killed / (killed + survived); 1 without mutants.
  double kill_rate() const;
};

class MutationProgress {
 public:
  virtual ~MutationProgress() = default;
  virtual void finished(size_t /*done*/, size_t /*all*/, const MutantResult& /*result*/) {}
};

// Errors: OPK-VERIFY-050 no sources, -051 the unchanged op does not build, -052 it does not pass
// its own tests.
Result<MutationReport> run_mutants(const MutationRequest& request, MutationProgress& progress);

std::string mutation_text(const MutationReport& report);
std::string mutation_json(const MutationReport& report);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_MUTATION_RUN_H_
