// What to write next: chains of a model that no installed op takes as a whole, by what a fused op
// would save for the effort.
#ifndef OPKIT_FUSION_ANALYZE_ANALYSIS_H_
#define OPKIT_FUSION_ANALYZE_ANALYSIS_H_

#include <string>
#include <vector>

#include "opkit/fusion/analyze/fitness.h"
#include "opkit/fusion/analyze/gain.h"

namespace opkit {
class Json;
}

namespace opkit::analyze {

// Chains of the same operators, wired alike: one op would serve them all.
struct ChainKind {
  std::string operators;  // "Conv + Add + Relu"
  std::string op;         // a name for the op: "ConvAddRelu"
  std::vector<Chain> chains;
  Gain gain;                       // sums up all chains together
  Fitness fitness;                 // judges the chain that saves most, which stands first
  std::vector<std::string> nodes;  // names the nodes of that chain as people do

  // Saved nanoseconds for each unit of effort.
  double rank() const;
};

struct Analysis {
  std::string model, soc;
  uint64_t now_ns = 0;  // the modelled time of all kernels; steps on the host count as in Gain
  std::vector<ChainKind> patterns;  // the best first
  bool measured_chip = false;
};

// Error: rates_of's, find_soc's.
Result<Analysis> analyze(const compile::Compiled& compiled);

// Returns the text for people; commands name `file`, the model's. At most `most` patterns are
// shown.
std::string analysis_text(const Analysis& analysis, const std::string& file, size_t most);
Json analysis_json(const Analysis& analysis);

}  // namespace opkit::analyze

#endif  // OPKIT_FUSION_ANALYZE_ANALYSIS_H_
