// Conversions between types: calls of the installed ops CastToFloat16 and its like.
#include <cctype>
#include <string>

#include "acl/acl_op_compiler.h"
#include "opkit/acl/base/ask.h"
#include "opkit/acl/tensors/tensor_desc.h"
#include "opkit/base/dtype.h"

namespace opkit::acl {
namespace {

// "CastToFloat16".
aclError op_to(const aclTensorDesc* desc, std::string& op) {
  return ask(tensor_descs(), desc, [&](const aclTensorDesc& found) -> aclError {
    std::string type(name_of(static_cast<DType>(found.dtype)));
    if (type.empty()) return fail(ACL_ERROR_INVALID_PARAM, "aclDataType %d", found.dtype);
    type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
    op = "CastTo" + type;
    return ACL_SUCCESS;
  });
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclopCast(const aclTensorDesc* from, const aclDataBuffer* in,
                                    const aclTensorDesc* to, aclDataBuffer* out, uint8_t,
                                    aclrtStream stream) {
  std::string op;
  if (const aclError code = op_to(to, op)) return code;
  return aclopCompileAndExecute(op.c_str(), 1, &from, &in, 1, &to, &out, nullptr, ACL_ENGINE_SYS,
                                ACL_COMPILE_SYS, nullptr, stream);
}

OPKIT_ACL_EXPORT aclError aclopCreateHandleForCast(aclTensorDesc* from, aclTensorDesc* to, uint8_t,
                                                   aclopHandle** handle) {
  std::string op;
  if (const aclError code = op_to(to, op)) return code;
  return aclopCreateHandle(op.c_str(), 1, &from, 1, &to, nullptr, handle);
}
