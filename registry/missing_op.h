// Why no package of an op was found: what is wrong with the places that were searched.
#ifndef OPKIT_REGISTRY_MISSING_OP_H_
#define OPKIT_REGISTRY_MISSING_OP_H_

#include <string>
#include <vector>

#include "registry/search_path.h"

namespace opkit::registry {

struct MissingOp {
  std::string reasons;  // "; entry 1 of ASCEND_CUSTOM_OPP_PATH, /x, does not exist", or empty
  std::string cure;
};

// known: the ops that the places hold.
MissingOp why_missing(const std::string& op, const SearchPath& path,
                      const std::vector<std::string>& known);

// Returns what mends a root, or the OPP, whose note says what is wrong with it: "set ...". Empty:
// nothing is wrong.
std::string cure_of(const SearchRoot& root);
std::string cure_of_opp(const SearchPath& path);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_MISSING_OP_H_
