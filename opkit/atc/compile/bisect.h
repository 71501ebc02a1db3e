// Finding the fusion that moves a model's output.
#ifndef OPKIT_ATC_COMPILE_BISECT_H_
#define OPKIT_ATC_COMPILE_BISECT_H_

#include <string>
#include <vector>

#include "opkit/atc/compile/proof.h"

namespace opkit::compile {

struct DroppedFusion {
  FusionId id;
  std::string nodes, why;
};

struct Bisection {
  Compiled compiled;  // without the fusions that were dropped
  Proof proof;        // that it holds
  std::vector<DroppedFusion> dropped;
};

// Proves, and while that fails compiles without the fusion that fails: the one whose kernel is
// wrong, or the one that halving the chosen fusions leaves. Fusions that move the output together
// and not alone are dropped together. Errors: those of prove that no fusion is the cause of; those
// of compile.
Result<Bisection> bisect(Compiled compiled, const InstalledOps& ops, Options options);

std::string bisection_text(const Bisection& bisection);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_BISECT_H_
