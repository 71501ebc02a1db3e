// aclmdlAIPP: the settings of dynamic AIPP that a program makes.
#ifndef OPKIT_ACL_MODELS_AIPP_H_
#define OPKIT_ACL_MODELS_AIPP_H_

#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/model/file/aipp.h"

struct aclmdlAIPP {
  // Holds the settings of each image; format, size, channels and colours are the same in all.
  std::vector<opkit::model::Aipp> images;
  bool has_format = false, has_size = false;
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclmdlAIPP>& aipps();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_AIPP_H_
