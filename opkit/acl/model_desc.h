// What a program can ask of a model: its inputs and outputs.
#ifndef OPKIT_ACL_MODEL_DESC_H_
#define OPKIT_ACL_MODEL_DESC_H_

#include <memory>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/model/offline_model.h"

namespace opkit::acl {

// An input or output.
struct ModelEnd {
  std::string name;
  std::string shown;  // the name where only 127 bytes have room
  TensorDesc tensor;
  uint64_t bytes = 0;
};

struct ModelEnds {
  std::vector<ModelEnd> inputs, outputs;

  explicit ModelEnds(const model::OfflineModel& model);
};

}  // namespace opkit::acl

struct aclmdlDesc {
  std::shared_ptr<const opkit::acl::ModelEnds> ends;  // null: not told of a model yet
};

#endif  // OPKIT_ACL_MODEL_DESC_H_
