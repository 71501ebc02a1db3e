// Examination of survivors: does a mutant do anything else than the original, on problems that
// reach farther than the tier that it survived?
#ifndef OPKIT_VERIFY_MUTANTS_EXAMINE_H_
#define OPKIT_VERIFY_MUTANTS_EXAMINE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "opkit/abi/plugin.h"
#include "opkit/verify/problem/problem.h"

namespace opkit::verify {

// What an op did with one problem.
struct Observed {
  std::string line;
  std::string error;         // code of what stopped it, or empty
  std::string outputs;       // digest of the outputs' bytes
  std::string instructions;  // digest of what every core executed
  std::string results;       // digest of what every instruction wrote
  bool each_once = false;    // every byte of the outputs was written exactly once
};

// Problems of the nightly tier's sizes and data classes, on every chip of the contract's families.
std::vector<Problem> examination(const OpContract& contract, uint64_t seed);

Observed observe(const OpContract& contract, const opk_op_v1* op, const Problem& problem);

// Returns one line of text for each, and back.
std::string to_text(const std::vector<Observed>& observed);
std::vector<Observed> observed_from(const std::string& text);

// Tells whether the mutant gives another error, or other bits.
bool differ(const Observed& original, const Observed& mutant);

struct MutantDifference {
  std::string first;  // the first problem's line where errors or bits differ, or empty
  std::string how;    // what differs there
  size_t problems = 0, chips = 0;
  bool same_instructions = true;  // everywhere
  bool same_results = true;       // compares what every instruction gives, everywhere
  bool each_once = true;          // the mutant, everywhere
};
MutantDifference compare(const std::vector<Observed>& original,
                         const std::vector<Observed>& mutant);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_EXAMINE_H_
