// gert::InferDataTypeContext: what a dtype inference function reads and fills.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_

#include <vector>

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  // One type per flat output in `outputs`.
  InferDataTypeContext(const ComputeNodeInfo& node, std::vector<ge::DataType>& outputs)
      : ExtendedKernelContext(node), outputs_(outputs) {}

  ge::DataType GetInputDataType(size_t i) const { return type_of(input(i)); }
  ge::DataType GetRequiredInputDataType(size_t ir) const { return type_of(ir_input(ir, 0)); }
  ge::DataType GetOptionalInputDataType(size_t ir) const { return type_of(ir_input(ir, 0)); }
  ge::DataType GetDynamicInputDataType(size_t ir, size_t relative) const {
    return type_of(ir_input(ir, relative));
  }
  ge::DataType GetOutputDataType(size_t i) const {
    return i < outputs_.size() ? outputs_[i] : ge::DT_UNDEFINED;
  }
  ge::graphStatus SetOutputDataType(size_t i, ge::DataType type) {
    if (i >= outputs_.size()) return ge::GRAPH_FAILED;
    outputs_[i] = type;
    return ge::GRAPH_SUCCESS;
  }

 private:
  static ge::DataType type_of(const Tensor* tensor) {
    return tensor != nullptr ? tensor->GetDataType() : ge::DT_UNDEFINED;
  }

  std::vector<ge::DataType>& outputs_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_DATATYPE_CONTEXT_H_
