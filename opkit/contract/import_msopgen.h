// A prototype JSON as msOpGen reads it, turned into contracts.
#ifndef OPKIT_CONTRACT_IMPORT_MSOPGEN_H_
#define OPKIT_CONTRACT_IMPORT_MSOPGEN_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"

namespace opkit {

struct ImportedContract {
  std::string op;
  std::string yaml;                // parses as an OpContract
  std::vector<std::string> notes;  // what the prototype does not say and the author must add
  bool has_tiling = true;          // says whether the OpDef has a tiling function
};

// Returns one contract per operator of the file. A prototype states neither shapes nor what is
// computed: the contracts take any input shape, leave output shapes opaque and have no reference.
// What a contract cannot express (types and formats that opkit does not have, tensor attributes) is
// an error.
//
// Beyond msOpGen's fields: value_depend of an input; of an operator `soc`, and what the build says
// of an OpDef: problem (OPK-IMPORT-012), left_out, infer_shape, tiling.
Result<std::vector<ImportedContract>> import_msopgen(std::string_view text, std::string name);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_IMPORT_MSOPGEN_H_
