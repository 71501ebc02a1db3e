// Whether an operator is one of the table and has what the table asks for. Private to this folder.
#ifndef OPKIT_ATC_GE_CHECK_OPERATOR_H_
#define OPKIT_ATC_GE_CHECK_OPERATOR_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/atc/ge/prototypes.h"
#include "opkit/base/status.h"

namespace opkit::ge_frontend {

// Links of each port in order; of an absent optional one none.
using Sources = std::map<std::string, std::vector<opkit_graph::Link>>;

// Error: OPK-GE-002 with the nearest type.
Result<const Prototype*> prototype_of(const opkit_graph::OperatorData& op, const std::string& name);

// Errors: OPK-GE-003 an input that the type does not have, or that is missing; an attribute that it
// does not have, that is missing or of another kind; a link to nobody.
Result<Sources> check_operator(const opkit_graph::OperatorData& op, const Prototype& prototype,
                               const std::string& name);

// Returns the number of the output that the link reads. `results`: tensors of a dynamic output.
// Error: OPK-GE-003.
Result<size_t> output_of(const opkit_graph::Link& link, const Prototype& source, size_t results,
                         const std::string& name);

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_CHECK_OPERATOR_H_
