// Ops beside the separate ones that compute the same: one at a call of its own, or every fused op
// that is installed at its contract's first bench shape.
#ifndef OPKIT_CLI_MODELS_COMPARISON_H_
#define OPKIT_CLI_MODELS_COMPARISON_H_

#include <string>
#include <vector>

#include "opkit/base/json.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/fusion/compare/compare.h"

namespace opkit::cli {

struct Compared {
  std::string op, soc;
  std::string name;  // names the call: "S=[1048576]"
  compare::BeforeAfter all;
  // The call at which the accuracies were taken; empty: they are not known.
  std::string judged_at;
};

struct NotCompared {
  std::string op;
  Error why;
};

struct ComparedOps {
  std::string soc;
  std::vector<Compared> ops;
  std::vector<NotCompared> failed;
};

// Returns the op that `word` names. Where the reference takes too long for the call, the last of
// the contract's test shapes that it does not judges both sides.
Result<Compared> compare_op(const std::string& word, const Arguments& arguments, Console& console);
// Returns every installed op whose reference is several operators, but those that the chip does not
// have or that have no bench shapes. What fails is told of the op.
Result<ComparedOps> compare_all(const Arguments& arguments, Console& console);

Json json_of(const Compared& compared);
Json json_of(const ComparedOps& compared);
std::string text_of(const Compared& compared, const Palette& palette);
std::string text_of(const ComparedOps& compared, const Palette& palette);

}  // namespace opkit::cli

#endif  // OPKIT_CLI_MODELS_COMPARISON_H_
