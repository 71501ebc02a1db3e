// KeptMutants: what became of mutants in earlier runs and in other shards, by all that decides it.
#ifndef OPKIT_VERIFY_MUTANTS_KEPT_MUTANTS_H_
#define OPKIT_VERIFY_MUTANTS_KEPT_MUTANTS_H_

#include <filesystem>
#include <optional>
#include <string>

#include "opkit/base/json.h"
#include "opkit/verify/mutants/mutant_result.h"
#include "opkit/verify/results_store.h"

namespace opkit::verify {

class KeptMutants {
 public:
  // `everything` is the text of all that mutants of the op are made from and judged by. Error:
  // OPK-VERIFY-040.
  static Result<KeptMutants> open(const std::filesystem::path& folder, const std::string& op,
                                  const std::string& everything);

  // `what` tells the mutant from every other one of the op.
  std::optional<MutantResult> find(const std::string& what) const;
  void keep(const std::string& what, const MutantResult& result);

 private:
  KeptMutants(ResultsStore store, std::string op, std::string digest);
  std::string key(const std::string& what) const;

  ResultsStore store_;
  std::string op_, digest_;
};

// Returns the mutant as reports and stores have it.
Json mutant_json(const MutantResult& mutant);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_KEPT_MUTANTS_H_
