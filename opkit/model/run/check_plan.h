// What a plugin plans today beside what the model was made with. Private to this folder.
#ifndef OPKIT_MODEL_RUN_CHECK_PLAN_H_
#define OPKIT_MODEL_RUN_CHECK_PLAN_H_

#include "opkit/call/plan/placed_call.h"
#include "opkit/model/file/offline_model.h"

namespace opkit::model_run {

// Error: OPK-OM-004, the step is planned otherwise than the model says.
Status check_plan(const model::Plan& model, const model::Step& step, const CallPlan& plan);

}  // namespace opkit::model_run

#endif  // OPKIT_MODEL_RUN_CHECK_PLAN_H_
