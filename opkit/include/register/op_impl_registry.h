// IMPL_OP_OPTILING(Op).Tiling(f)..., IMPL_OP_INFERSHAPE(Op).InferShape(f)..., IMPL_OP(Op).
#ifndef OPKIT_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_
#define OPKIT_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "opkit_host/log.h"
#include "opkit_host/registry.h"
#include "securec.h"

namespace gert {

enum class TilingPlacement { TILING_ON_HOST = 0, TILING_ON_AICPU = 1 };

// Adds to the functions of one op type.
class OpImplRegisterV2 {
 public:
  using Functions = opkit_host::OpFunctions;

  explicit OpImplRegisterV2(const char* type)
      : functions_(&opkit_host::registry().functions[type]) {}

  // The page "Tiling" gives max_tiling_bytes the default 2048; published ops fill longer structs
  // without it.
  OpImplRegisterV2& Tiling(Functions::Tiling function,
                           size_t max_tiling_bytes = opkit_host::kUnlimitedTiling) {
    functions_->tiling = function;
    functions_->max_tiling_bytes = max_tiling_bytes;
    return *this;
  }
  template <typename CompileInfo>
  OpImplRegisterV2& TilingParse(Functions::TilingParse function) {
    functions_->tiling_parse = function;
    functions_->make_compile_info = [] {
      return std::shared_ptr<void>(std::make_shared<CompileInfo>());
    };
    return *this;
  }
  OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs) {
    functions_->tiling_value_inputs.assign(inputs.begin(), inputs.end());
    return *this;
  }
  // Tiling runs on the host whatever the placements allow.
  OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> inputs,
                                               std::initializer_list<TilingPlacement>) {
    return TilingInputsDataDependency(inputs);
  }
  OpImplRegisterV2& InferShape(Functions::InferShape function) {
    return functions_->infer_shape = function, *this;
  }
  OpImplRegisterV2& InferDataType(Functions::InferDataType function) {
    functions_->output_type_of_first_input = false;
    return functions_->infer_data_type = function, *this;
  }
  // Kept, not called: ranges follow the contract's rules.
  OpImplRegisterV2& InferShapeRange(Functions::InferShapeRange function) {
    return functions_->infer_shape_range = function, *this;
  }
  // Replaces an InferDataType given earlier: the last one counts.
  OpImplRegisterV2& InferOutDataTypeSameWithFirstInput() {
    functions_->infer_data_type = nullptr;
    return functions_->output_type_of_first_input = true, *this;
  }
  OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> inputs) {
    functions_->infer_value_inputs.assign(inputs.begin(), inputs.end());
    return *this;
  }
  OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t> outputs) {
    functions_->computed_shapes.assign(outputs.begin(), outputs.end());
    return *this;
  }

 private:
  Functions* functions_;
};

using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define OPKIT_HOST_JOIN_(a, b) a##b
#define OPKIT_HOST_JOIN(a, b) OPKIT_HOST_JOIN_(a, b)
#define OPKIT_HOST_IMPL_OP(type)                                    \
  [[maybe_unused]] static ::gert::OpImplRegisterV2 OPKIT_HOST_JOIN( \
      opkit_impl_of_##type##_, __COUNTER__) = ::gert::OpImplRegisterV2(#type)

#define IMPL_OP(type) OPKIT_HOST_IMPL_OP(type)
#define IMPL_OP_OPTILING(type) OPKIT_HOST_IMPL_OP(type)
#define IMPL_OP_INFERSHAPE(type) OPKIT_HOST_IMPL_OP(type)

#endif  // OPKIT_INCLUDE_REGISTER_OP_IMPL_REGISTRY_H_
