// What a node's host functions may ask about its arguments: a view over opk_call_v1.
//
// Flat indices count the tensors that are there: an optional input that was not given has no index.
// IR indices count the op definition's inputs.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_

#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"
#include "opkit/abi/plugin.h"

namespace gert {

class CompileTimeTensorDesc {
 public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType type, const StorageFormat& format)
      : type_(type), format_(format) {}

  ge::DataType GetDataType() const { return type_; }
  const StorageFormat& GetFormat() const { return format_; }
  ge::Format GetOriginFormat() const { return format_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return format_.GetStorageFormat(); }
  bool IsExist() const { return type_ != ge::DT_UNDEFINED; }

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  StorageFormat format_;
};

// The tensors of one IR input or output: `num` of them from flat index `start`.
class AnchorInstanceInfo {
 public:
  AnchorInstanceInfo(size_t start, size_t num) : start_(start), num_(num) {}
  size_t GetInstanceStart() const { return start_; }
  size_t GetInstanceNum() const { return num_; }

 private:
  size_t start_, num_;
};

// The flat tensors of one side of a node.
class NodeSide {
 public:
  NodeSide(const opk_port_v1* const* ports, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) add_port(*ports[i]);
    for (const Tensor& tensor : tensors_) {
      descs_.emplace_back(tensor.GetDataType(), tensor.GetFormat());
    }
  }

  size_t size() const { return tensors_.size(); }
  size_t ir_size() const { return instances_.size(); }
  const Tensor* tensor(size_t i) const { return i < tensors_.size() ? &tensors_[i] : nullptr; }
  const CompileTimeTensorDesc* desc(size_t i) const {
    return i < descs_.size() ? &descs_[i] : nullptr;
  }
  const AnchorInstanceInfo* instance(size_t ir_index) const {
    return ir_index < instances_.size() ? &instances_[ir_index] : nullptr;
  }
  // Flat index of an IR index's tensor, or SIZE_MAX.
  size_t flat(size_t ir_index, size_t relative) const {
    const AnchorInstanceInfo* info = instance(ir_index);
    if (info == nullptr || relative >= info->GetInstanceNum()) return SIZE_MAX;
    return info->GetInstanceStart() + relative;
  }

 private:
  void add_port(const opk_port_v1& port) {
    const size_t start = tensors_.size();
    for (uint32_t i = 0; i < port.count; ++i) {
      if (port.tensors[i]->present) tensors_.push_back(make(*port.tensors[i]));
    }
    instances_.emplace_back(start, tensors_.size() - start);
  }

  static void fill(Shape& shape, uint32_t rank, const int64_t* dims) {
    for (uint32_t i = 0; i < rank; ++i) shape.AppendDim(dims[i]);
  }

  static Tensor make(const opk_tensor_v1& tensor) {
    StorageShape shape;
    fill(shape.MutableStorageShape(), tensor.rank, tensor.dims);
    fill(shape.MutableOriginShape(), tensor.origin_rank, tensor.origin_dims);
    const StorageFormat format(static_cast<ge::Format>(tensor.origin_format),
                               static_cast<ge::Format>(tensor.format));
    return {shape, format, opkit_host::to_ge_dtype(tensor.dtype), tensor.data};
  }

  std::vector<Tensor> tensors_;
  std::vector<CompileTimeTensorDesc> descs_;
  std::vector<AnchorInstanceInfo> instances_;
};

class ComputeNodeInfo {
 public:
  explicit ComputeNodeInfo(const opk_call_v1& call)
      : call_(call),
        inputs_(call.inputs, call.input_count),
        outputs_(call.outputs, call.output_count),
        attrs_(call) {}

  const char* GetNodeName() const { return call_.node_name; }
  const char* GetNodeType() const { return call_.op_type; }
  size_t GetInputsNum() const { return inputs_.size(); }
  size_t GetOutputsNum() const { return outputs_.size(); }
  size_t GetIrInputsNum() const { return inputs_.ir_size(); }
  size_t GetIrOutputsNum() const { return outputs_.ir_size(); }
  const AnchorInstanceInfo* GetInputInstanceInfo(size_t ir_index) const {
    return inputs_.instance(ir_index);
  }
  const AnchorInstanceInfo* GetOutputInstanceInfo(size_t ir_index) const {
    return outputs_.instance(ir_index);
  }
  const CompileTimeTensorDesc* GetInputTdInfo(size_t i) const { return inputs_.desc(i); }
  const CompileTimeTensorDesc* GetOutputTdInfo(size_t i) const { return outputs_.desc(i); }
  const RuntimeAttrs* GetAttrs() const { return &attrs_; }

  const NodeSide& inputs() const { return inputs_; }
  const NodeSide& outputs() const { return outputs_; }
  const opk_call_v1& call() const { return call_; }

 private:
  const opk_call_v1& call_;
  NodeSide inputs_;
  NodeSide outputs_;
  RuntimeAttrs attrs_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_COMPUTE_NODE_INFO_H_
