// What the op_host sources of one plugin registered. It belongs to the plugin: the symbol is
// hidden, so that two plugins in one process never see each other's ops.
#ifndef OPKIT_HOST_REGISTRY_H_
#define OPKIT_HOST_REGISTRY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/ge_error_codes.h"
#include "opkit_host/report.h"

namespace gert {
class InferDataTypeContext;
class InferShapeContext;
class InferShapeRangeContext;
class TilingContext;
class TilingParseContext;
}  // namespace gert

namespace ops {
class OpDef;
}

namespace optiling {
class TilingDef;
}

namespace opkit_host {

constexpr size_t kUnlimitedTiling = ~size_t{0};  // until .Tiling(f, max_bytes) names a limit

// The functions of one op type.
struct OpFunctions {
  using Tiling = ge::graphStatus (*)(gert::TilingContext*);
  using TilingParse = ge::graphStatus (*)(gert::TilingParseContext*);
  using InferShape = ge::graphStatus (*)(gert::InferShapeContext*);
  using InferDataType = ge::graphStatus (*)(gert::InferDataTypeContext*);
  using InferShapeRange = ge::graphStatus (*)(gert::InferShapeRangeContext*);

  Tiling tiling = nullptr;
  size_t max_tiling_bytes = kUnlimitedTiling;
  TilingParse tiling_parse = nullptr;
  std::shared_ptr<void> (*make_compile_info)() = nullptr;
  InferShape infer_shape = nullptr;
  InferDataType infer_data_type = nullptr;
  InferShapeRange infer_shape_range = nullptr;
  bool output_type_of_first_input = false;
  // For each IR output: the IR input whose shape (type) an OpDef lets it follow, or -1.
  std::vector<int32_t> followed_shapes, followed_types;

  bool infers_shape() const { return infer_shape || !followed_shapes.empty(); }
  bool infers_type() const {
    return infer_data_type || output_type_of_first_input || !followed_types.empty();
  }
  std::vector<size_t> tiling_value_inputs;  // IR indices whose values tiling reads
  std::vector<size_t> infer_value_inputs;
  std::vector<size_t> computed_shapes;  // IR outputs whose shape only the kernel knows
};

using OpDefFactory = std::unique_ptr<ops::OpDef> (*)(const char* type);
using TilingDefFactory = std::unique_ptr<optiling::TilingDef> (*)();

struct PlainTiling;

struct Registry {
  std::map<std::string, OpFunctions> functions;
  std::map<std::string, OpDefFactory> definitions;
  std::map<std::string, TilingDefFactory> tiling_classes;  // is keyed by REGISTER_TILING_DATA_CLASS
  // Holds the structs of the sources by op type.
  std::map<std::string, const PlainTiling*> plain_tilings;
};

OPKIT_HOST_LOCAL inline Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_REGISTRY_H_
