// Element types as attributes name them.
#ifndef OPKIT_REFERENCE_TYPES_H_
#define OPKIT_REFERENCE_TYPES_H_

#include "opkit/reference/call.h"

namespace opkit::reference {

// ONNX's number for an element type (TensorProto.DataType); nothing for types opkit has not
// (strings, complex, float8).
std::optional<DType> dtype_from_onnx(int64_t number);

// Returns a kType attribute: ONNX's number or opkit's name. `otherwise` when it is absent.
Result<DType> type_attribute(const OperatorCall& call, std::string_view name, DType otherwise);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_TYPES_H_
