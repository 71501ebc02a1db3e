// Before and after: a fused op beside the separate ops that compute the same, on the same call,
// data and chip.
#ifndef OPKIT_FUSION_COMPARE_COMPARE_H_
#define OPKIT_FUSION_COMPARE_COMPARE_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opkit/call/execute/installed_ops.h"
#include "opkit/fusion/compare/launch.h"

namespace opkit::compare {

// Distances from the reference in double precision, as shares of the largest element, over the
// elements that are numbers on both sides.
struct Distances {
  double worst = 0, mean = 0;
  int64_t differing = 0;  // NaN or an infinity on one side only
};

struct ComparedSide {
  std::vector<ModelledLaunch> launches;
  std::vector<std::string> on_host;  // operators that no installed op takes: not modelled
  std::vector<double> seconds;       // hold times of this machine, one per sample
  Distances accuracy;

  uint64_t ns() const;
  uint64_t gm_bytes() const;
};

struct BeforeAfter {
  ComparedSide fused, separate;
  bool judged = false;         // the accuracies are known
  bool measured_chip = false;  // somebody measured figures of the chip

  // Returns the ratio of modelled times; none when a part of the separate side is not modelled.
  std::optional<double> speedup() const;
};

struct CompareOptions {
  size_t warm = 3, samples = 50;
  std::filesystem::path cost_cache;  // see compile::Costs
  double seconds = 0;                // no sample begins later, but the first one; 0: no limit
  // Told what begins now, and how long it will take where that is known.
  std::function<void(const std::string& what)> step = [](const std::string&) {};
  std::function<void(size_t done, size_t total)> sampled = [](size_t, size_t) {};
};

// `call` has its inputs; `fused` runs its op. The separate side is the cheapest cover of the
// reference, lowered for the call, with installed ops of one operator each. Both sides begin and
// end with dense tensors: a launch "TransData" stands for each tensor that is turned into a format
// or back, but for filters (FRACTAL_Z), which are turned when a model is made. The reference is
// evaluated where it takes less than 2^28 steps. Samples may be fewer than asked for: see
// CompareOptions::seconds. Errors: those of plans, runs and compilation; OPK-COMPARE-001 the
// contract has no reference to be cut into separate ops.
Result<BeforeAfter> compare(const Invocation& call, Executor& fused, const InstalledOps& ops,
                            const CompareOptions& options);

}  // namespace opkit::compare

#endif  // OPKIT_FUSION_COMPARE_COMPARE_H_
