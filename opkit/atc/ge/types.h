// Element types of the graph front end.
#ifndef OPKIT_ATC_GE_TYPES_H_
#define OPKIT_ATC_GE_TYPES_H_

#include <string>

#include "opkit/base/dtype.h"
#include "opkit/base/status.h"

namespace opkit::ge_frontend {

// Converts ge::DataType's number. `whose` stands in the error: OPK-GE-003, a type that graphs do
// not have.
Result<DType> dtype_of(int64_t number, const std::string& whose);

}  // namespace opkit::ge_frontend

#endif  // OPKIT_ATC_GE_TYPES_H_
