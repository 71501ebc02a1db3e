// gert::InferShapeRangeContext: inference on ranges of shapes, for graphs with unknown dims.
//
// opkit propagates ranges by the contract's rules and does not call an author's range function; the
// class exists so that sources that register one compile.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_

#include <vector>

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

// Borrows its ends.
template <typename T>
class Range {
 public:
  Range() = default;
  Range(T* min, T* max) : min_(min), max_(max) {}
  const T* GetMin() const { return min_; }
  const T* GetMax() const { return max_; }
  T* GetMin() { return min_; }
  T* GetMax() { return max_; }
  void SetMin(T* min) { min_ = min; }
  void SetMax(T* max) { max_ = max; }

 private:
  T* min_ = nullptr;
  T* max_ = nullptr;
};

class InferShapeRangeContext : public ExtendedKernelContext {
 public:
  InferShapeRangeContext(const ComputeNodeInfo& node, std::vector<Range<Shape>> inputs,
                         std::vector<Range<Shape>>& outputs)
      : ExtendedKernelContext(node), inputs_(std::move(inputs)), outputs_(outputs) {}

  const Range<Shape>* GetInputShapeRange(size_t i) const {
    return i < inputs_.size() ? &inputs_[i] : nullptr;
  }
  const Tensor* GetInputTensor(size_t i) const { return input(i); }
  Range<Shape>* GetOutputShapeRange(size_t i) {
    return i < outputs_.size() ? &outputs_[i] : nullptr;
  }

 private:
  std::vector<Range<Shape>> inputs_;
  std::vector<Range<Shape>>& outputs_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
