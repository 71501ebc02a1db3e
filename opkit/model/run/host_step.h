// Steps that run on the host. Private to this folder.
#ifndef OPKIT_MODEL_RUN_HOST_STEP_H_
#define OPKIT_MODEL_RUN_HOST_STEP_H_

#include "opkit/model/file/offline_model.h"

namespace opkit::model_run {

// A tensor of the model and where its bytes lie.
struct Located {
  const model::ModelTensor* tensor = nullptr;  // null: an absent operand
  std::byte* at = nullptr;
};

// The operator by the reference interpreter, rounded to the dtypes; its results must have the dtype
// and dims that the model says (OPK-OM-004).
Status run_operator(const model::Step& step, int opset, const std::vector<Located>& in,
                    const std::vector<Located>& out);

// kStore, kDense and kCopy.
Status turn(const model::Step& step, const Located& from, const Located& to);

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_HOST_STEP_H_
