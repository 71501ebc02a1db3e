// A chain's op, ready to be used: kept from an earlier compilation, or built and proved now.
#ifndef OPKIT_FUSION_GENERATE_MAKE_OP_H_
#define OPKIT_FUSION_GENERATE_MAKE_OP_H_

#include "opkit/atc/compile/compile.h"
#include "opkit/build/project/build_events.h"
#include "opkit/fusion/generate/chain_op.h"

namespace opkit::generate {

// What all chains of a compilation share.
struct Maker {
  project::Sdk sdk;
  std::string kit;  // digest_of_kit
  std::string soc;
  project::BuildEvents& events;
};

// Adds the op to `ops`. When the cache does not have it, it is built in a temporary folder, and
// proved at every distinct call that `graph` has for it, on integers and fractions; then it is
// installed in the cache, by one rename. A failure leaves nothing. `built`: not kept before.
// Errors: of the build, the installation; OPK-ATC-004 formulas for other chips, no place where the
// op fits, a result that is wrong.
Status make_op(const ChainOp& op, const graph::Graph& graph, const Maker& maker, InstalledOps& ops,
               bool& built);

}  // namespace opkit::generate

#endif  // OPKIT_FUSION_GENERATE_MAKE_OP_H_
