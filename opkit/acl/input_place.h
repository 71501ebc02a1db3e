// Where a dataset has the memory of an input that the runtime itself writes: gears, AIPP settings.
#ifndef OPKIT_ACL_INPUT_PLACE_H_
#define OPKIT_ACL_INPUT_PLACE_H_

#include "opkit/acl/model_dataset.h"
#include "opkit/acl/model_desc.h"
#include "opkit/acl/runtime.h"

namespace opkit::acl {

// Device memory with room for the input. REQUIRES: the lock is held.
aclError place_of(Runtime& runtime, const ModelEnds& ends, const aclmdlDataset& dataset,
                  size_t index, std::byte*& at);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_INPUT_PLACE_H_
