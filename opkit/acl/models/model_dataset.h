// The buffers of a model's inputs or outputs.
#ifndef OPKIT_ACL_MODELS_MODEL_DATASET_H_
#define OPKIT_ACL_MODELS_MODEL_DATASET_H_

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/acl/tensors/tensor_desc.h"

struct aclmdlDataset {
  std::vector<aclDataBuffer*> buffers;  // the program's
  // Holds descriptions by the number of the buffer.
  std::map<size_t, std::unique_ptr<aclTensorDesc>> described;
  // The values of the gear that aclmdlSetDynamicBatchSize and its like chose; empty: none.
  std::vector<int64_t> gear;
  std::set<size_t> with_aipp;  // inputs for the settings of dynamic AIPP that were set
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclmdlDataset>& datasets();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_MODEL_DATASET_H_
