// aclmdlAIPP: the settings of dynamic AIPP that a program makes.
#ifndef OPKIT_ACL_AIPP_H_
#define OPKIT_ACL_AIPP_H_

#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/model/file/aipp.h"

struct aclmdlAIPP {
  // Holds the settings of each image; format, size, channels and colours are the same in all.
  std::vector<opkit::model::Aipp> images;
  bool has_format = false, has_size = false;
};

#endif  // OPKIT_ACL_AIPP_H_
