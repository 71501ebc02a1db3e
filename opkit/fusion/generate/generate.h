// Chains of a model that no installed op takes, made into ops while the model is compiled. The
// cover then decides by their modelled cost, as of every other op.
#ifndef OPKIT_FUSION_GENERATE_GENERATE_H_
#define OPKIT_FUSION_GENERATE_GENERATE_H_

#include <string>
#include <vector>

#include "opkit/build/project/build_events.h"
#include "opkit/fusion/generate/chain_op.h"
#include "opkit/fusion/generate/find_chains.h"

namespace opkit {
class Json;
}

namespace opkit::generate {

// One op, for all chains of the same operators, wired alike.
struct ChainReport {
  std::string operators;           // "Add, Mul"
  std::vector<std::string> nodes;  // names the nodes of each chain: "add1+mul1"
  analyze::Gain gain;              // sums up all chains together
  std::string op;                  // its name, when it was made
  bool built = false;              // and not kept from an earlier compilation
  size_t chosen = 0;               // places where the cover uses it
  std::string refused;             // why it was not made
};

// Returns what there is to gain, without making anything.
Result<std::vector<ChainReport>> worthy_chains(const compile::Compiled& compiled);

// What ops are made with.
struct Workshop {
  project::Sdk sdk;
  ChainWriter write = op_of;
};

// Makes the chains' ops, adds them to `ops` and compiles again, which replaces `compiled`. A chain
// that fails is a note and a reason; the cover without it stays. `ops` must outlive `compiled`.
// Error: of the compilation.
Result<std::vector<ChainReport>> generate_chains(compile::Compiled& compiled, InstalledOps& ops,
                                                 const compile::Options& options,
                                                 project::BuildEvents& events,
                                                 const Workshop& workshop);

// Nothing when there are no chains.
std::string chains_text(const std::vector<ChainReport>& chains);
Json chains_json(const std::vector<ChainReport>& chains);

}  // namespace opkit::generate

#endif  // OPKIT_FUSION_GENERATE_GENERATE_H_
