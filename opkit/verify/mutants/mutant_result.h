// MutantResult: what became of one mutant under the tests.
#ifndef OPKIT_VERIFY_MUTANTS_MUTANT_RESULT_H_
#define OPKIT_VERIFY_MUTANTS_MUTANT_RESULT_H_

#include <string>
#include <string_view>

namespace opkit::verify {

enum class Fate {
  kKilled,      // a test failed, crashed or hung
  kSurvived,    // every test passed
  kEquivalent,  // every test passed, and it does what the original does: no mistake, not counted
  kStillborn,   // does not compile; not counted
};
std::string_view name_of(Fate fate);

struct MutantResult {
  std::string file;  // relative to the project; "results" for a mistake made in what came out
  int line = 0;
  std::string what, before, after;
  Fate fate = Fate::kKilled;
  std::string tier;  // that killed it
  std::string by;    // what killed it, why it is equivalent, or the compiler's words
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_MUTANT_RESULT_H_
