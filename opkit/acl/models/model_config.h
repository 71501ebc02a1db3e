// What a model is loaded with, as a program says it option by option.
#ifndef OPKIT_ACL_MODELS_MODEL_CONFIG_H_
#define OPKIT_ACL_MODELS_MODEL_CONFIG_H_

#include <optional>
#include <string>

#include "acl/acl_mdl.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/models/model.h"

struct aclmdlConfigHandle {
  size_t type = 0;  // ACL_MDL_LOAD_FROM_...; 0: not said
  std::optional<std::string> path;
  const void* model = nullptr;
  size_t model_bytes = 0;
  opkit::acl::ProgramMemory lent;
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclmdlConfigHandle>& model_configs();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_MODEL_CONFIG_H_
