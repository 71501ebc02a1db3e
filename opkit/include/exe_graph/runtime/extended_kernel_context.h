// The questions that every context of a node answers.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_

#include "exe_graph/runtime/compute_node_info.h"
#include "graph/ge_error_codes.h"

namespace gert {

// Pointers are nullptr for what does not exist; they live as long as the context.
class ExtendedKernelContext {
 public:
  explicit ExtendedKernelContext(const ComputeNodeInfo& node) : node_(node) {}
  ExtendedKernelContext(const ExtendedKernelContext&) = delete;
  ExtendedKernelContext& operator=(const ExtendedKernelContext&) = delete;

  const char* GetNodeName() const { return node_.GetNodeName(); }
  const char* GetNodeType() const { return node_.GetNodeType(); }
  // Names the function that runs: a node has one of each kind, which is called like the node.
  const char* GetKernelName() const { return GetNodeName(); }
  const char* GetKernelType() const { return GetNodeType(); }
  const ComputeNodeInfo* GetComputeNodeInfo() const { return &node_; }
  size_t GetComputeNodeInputNum() const { return node_.GetInputsNum(); }
  size_t GetComputeNodeOutputNum() const { return node_.GetOutputsNum(); }
  const RuntimeAttrs* GetAttrs() const { return node_.GetAttrs(); }

  const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir_index) const {
    return node_.GetInputInstanceInfo(ir_index);
  }
  const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir_index) const {
    return node_.GetOutputInstanceInfo(ir_index);
  }

  const CompileTimeTensorDesc* GetInputDesc(size_t i) const { return node_.GetInputTdInfo(i); }
  const CompileTimeTensorDesc* GetOutputDesc(size_t i) const { return node_.GetOutputTdInfo(i); }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const {
    return GetDynamicInputDesc(ir_index, 0);
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const {
    return GetDynamicInputDesc(ir_index, 0);
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative) const {
    return node_.inputs().desc(node_.inputs().flat(ir_index, relative));
  }

 protected:
  const Tensor* input(size_t i) const { return node_.inputs().tensor(i); }
  const Tensor* ir_input(size_t ir_index, size_t relative) const {
    return input(node_.inputs().flat(ir_index, relative));
  }
  const Tensor* output(size_t i) const { return node_.outputs().tensor(i); }

  const ComputeNodeInfo& node_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_EXTENDED_KERNEL_CONTEXT_H_
