#include "opkit/model/run/check_plan.h"

#include <fmt/format.h>

#include "opkit/call/plan/aicpu.h"

namespace opkit::model_run {

using model::ModelTensor;
using model::Step;
using model::StepKind;

// Where the plan's tensors lie is what the model says.
Status check_plan(const model::Plan& model, const Step& step, const CallPlan& plan) {
  const auto same = [&](const std::vector<PortLayouts>& ports,
                        const std::vector<std::vector<uint32_t>>& tensors) {
    for (size_t p = 0; p < ports.size(); ++p) {
      if (ports[p].size() != tensors[p].size()) return false;
      for (size_t i = 0; i < ports[p].size(); ++i) {
        const ModelTensor& tensor = model.tensors[tensors[p][i]];
        if (stored_bytes(ports[p][i]) != tensor.bytes ||
            ports[p][i].origin() != tensor.desc.shape || ports[p][i].dtype() != tensor.desc.dtype)
          return false;
      }
    }
    return true;
  };
  const bool fits = same(plan.input_layouts, step.in) && same(plan.output_layouts, step.out) &&
                    plan.tiling.workspace_bytes() == step.workspace_bytes &&
                    plan.tiling.key == step.tiling_key && plan.binding.column == step.column &&
                    is_aicpu(plan) == (step.kind == StepKind::kAicpu);
  if (fits) return {};
  return Error(
      model::kWrongOm,
      fmt::format("step '{}' is planned otherwise than when the model was made", step.name),
      "make the model again with atc");
}

}  // namespace opkit::model_run
