// The sources of an op in the vendor's layout that its author begins with: they compile, and the
// parts to complete are marked.
#ifndef OPKIT_BUILD_PROJECT_VENDOR_OP_TEXT_H_
#define OPKIT_BUILD_PROJECT_VENDOR_OP_TEXT_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/contract/op_contract.h"

namespace opkit::project {

// Returns the text of each file by its path in the project: op_host/<op>.cpp, op_kernel/<op>.cpp,
// op_kernel/<op>_tiling.h. `units` are chips as OpDefs name them: "ascend910b". OPK-MSOPGEN-003: an
// attribute that no OpDef has.
Result<std::map<std::string, std::string>> vendor_op_files(const OpContract& contract,
                                                           const std::vector<std::string>& units);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_VENDOR_OP_TEXT_H_
