// gert::InferShapeContext: what a shape inference function reads and fills.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_

#include <vector>

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class InferShapeContext : public ExtendedKernelContext {
 public:
  // One shape per flat output in `outputs`.
  InferShapeContext(const ComputeNodeInfo& node, std::vector<Shape>& outputs)
      : ExtendedKernelContext(node), outputs_(outputs), asked_(outputs.size()) {}

  const Shape* GetInputShape(size_t i) const { return shape_of(input(i)); }
  const Shape* GetRequiredInputShape(size_t ir) const { return shape_of(ir_input(ir, 0)); }
  const Shape* GetOptionalInputShape(size_t ir) const { return shape_of(ir_input(ir, 0)); }
  const Shape* GetDynamicInputShape(size_t ir, size_t relative) const {
    return shape_of(ir_input(ir, relative));
  }
  const Tensor* GetInputTensor(size_t i) const { return input(i); }
  const Tensor* GetRequiredInputTensor(size_t ir) const { return ir_input(ir, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir) const { return ir_input(ir, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir, size_t relative) const {
    return ir_input(ir, relative);
  }
  Shape* GetOutputShape(size_t i) {
    if (i >= outputs_.size()) return nullptr;
    asked_[i] = true;
    return &outputs_[i];
  }
  // opkit's own: a function that never asks for an output says nothing of its shape.
  bool OpkitSays(size_t i) const { return asked_[i]; }

 private:
  static const Shape* shape_of(const Tensor* tensor) {
    return tensor != nullptr ? &tensor->GetOriginShape() : nullptr;
  }

  std::vector<Shape>& outputs_;
  std::vector<bool> asked_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_CONTEXT_H_
