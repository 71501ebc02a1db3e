// What a program can ask of a model: its inputs and outputs.
#ifndef OPKIT_ACL_MODELS_MODEL_DESC_H_
#define OPKIT_ACL_MODELS_MODEL_DESC_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl_mdl.h"
#include "opkit/acl/base/handle_table.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::acl {

// The aclmdlDesc has not been given to aclmdlGetDesc yet.
aclError told_of_none();

// An input or output.
struct ModelEnd {
  std::string name;
  std::string shown;             // the name where only 127 bytes have room
  TensorDesc tensor;             // -1: dims in which gears differ
  uint64_t bytes = 0;            // counts the bytes in the gear that has most
  std::vector<Shape> shapes;     // holds one shape for each gear
  std::vector<uint64_t> needed;  // bytes of each gear
};

struct ModelEnds {
  // Behind the model's own inputs one more for the gear, where the vendor's models have one.
  std::vector<ModelEnd> inputs, outputs;
  model::GearKind gear_kind = model::GearKind::kNone;
  std::vector<std::vector<int64_t>> gears;
  std::vector<model::AippInput> aipp;
  // What the last aclmdlSet... chose, of ranges what was executed last; at first the largest gear.
  mutable std::atomic<size_t> current;

  explicit ModelEnds(const model::OfflineModel& model);
  bool has_gear_input() const {
    return gear_kind != model::GearKind::kNone && gear_kind != model::GearKind::kShapes;
  }
  size_t gear_input() const { return inputs.size() - 1; }  // REQUIRES: there is one
  size_t data_inputs() const { return inputs.size() - has_gear_input(); }
  // Returns the AIPP of an input that takes images; nullptr: it has none.
  const model::AippInput* aipp_of(size_t input) const;
};

}  // namespace opkit::acl

struct aclmdlDesc {
  std::shared_ptr<const opkit::acl::ModelEnds> ends;  // null: not told of a model yet
};

namespace opkit::acl {

// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
HandleTable<aclmdlDesc>& model_descs();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MODELS_MODEL_DESC_H_
