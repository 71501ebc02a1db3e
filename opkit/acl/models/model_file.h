// Offline models as the C API is given them.
#ifndef OPKIT_ACL_MODELS_MODEL_FILE_H_
#define OPKIT_ACL_MODELS_MODEL_FILE_H_

#include "opkit/acl/base/error.h"
#include "opkit/model/file/om_file.h"

namespace opkit::acl {

// Tells which of the vendor's codes an error of reading or loading a model is.
aclError code_of(const Error& error);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_MODEL_FILE_H_
