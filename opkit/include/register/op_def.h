// ops::OpDef: an op declared in C++ (inputs, outputs, attributes, SoCs, functions), registered by
// OP_ADD. Objects only remember what was said; opkit_host/declared.h checks and flattens it.
#ifndef OPKIT_INCLUDE_REGISTER_OP_DEF_H_
#define OPKIT_INCLUDE_REGISTER_OP_DEF_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"
#include "opkit_host/registry.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FormatCheckOption { DEFAULT = 0, STRICT = 1 };
enum class DependScope { ALL = 0, TILING = 1, INVALID_SCOPE };
enum class FollowType { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
enum class InitValueType { INIT_VALUE_UINT64_T = 0, INIT_VALUE_DEFAULT };
enum class ScalarType {
  UINT64 = 0,
  INT64,
  UINT32,
  INT32,
  UINT16,
  INT16,
  UINT8,
  INT8,
  FLOAT32,
  FLOAT16,
  INVALID_DTYPE
};
enum class CommentSection {
  CATEGORY = 0,
  BRIEF,
  CONSTRAINTS,
  RESTRICTIONS,
  EXPERIMENTAL,
  THIRDPARTYFWKCOMPAT,
  SEE
};

// The value an output starts with.
struct ScalarVar {
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  double value = 0;
  ScalarVar() = default;
  template <typename T>
  ScalarVar(ScalarType type, T number) : scalar_type(type), value(static_cast<double>(number)) {}
};

class OpParamDef {
 public:
  explicit OpParamDef(const char* name) : name_(name) {}

  OpParamDef& ParamType(Option type) { return param_type_ = type, *this; }
  // Columns: entry i of every input and output is one supported combination.
  OpParamDef& DataType(std::vector<ge::DataType> types) {
    return dtypes_ = std::move(types), dtype_list_ = false, *this;
  }
  // A free choice, combined with every column of the others.
  OpParamDef& DataTypeList(std::vector<ge::DataType> types) {
    return dtypes_ = std::move(types), dtype_list_ = true, *this;
  }
  OpParamDef& Format(std::vector<ge::Format> formats) {
    return formats_ = std::move(formats), format_list_ = false, *this;
  }
  OpParamDef& FormatList(std::vector<ge::Format> formats) {
    return formats_ = std::move(formats), format_list_ = true, *this;
  }
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format> formats) {
    return unknown_shape_formats_ = std::move(formats), *this;
  }
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType> types) {
    return bin_query_dtypes_ = std::move(types), *this;
  }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format> formats) {
    return bin_query_formats_ = std::move(formats), *this;
  }
  OpParamDef& ValueDepend(Option depend, DependScope scope = DependScope::ALL) {
    return value_depend_ = depend, depend_scope_ = scope, *this;
  }
  // Takes the columns of another input or output.
  OpParamDef& Follow(const char* name, FollowType type = FollowType::ALL) {
    return follow_ = name, follow_type_ = type, *this;
  }
  OpParamDef& AutoContiguous() { return contiguous_ = true, *this; }
  OpParamDef& IgnoreContiguous() { return ignore_contiguous_ = true, *this; }
  OpParamDef& Scalar() { return scalar_ = true, *this; }
  OpParamDef& ScalarList() { return scalar_list_ = true, *this; }
  OpParamDef& OutputShapeDependOnCompute() { return computed_shape_ = true, *this; }
  OpParamDef& To(ge::DataType type) { return to_ = type, *this; }
  OpParamDef& To(const char* name) { return to_name_ = name, *this; }
  // "Only input 0 is supported" (page "InitValue").
  OpParamDef& InitValue(uint64_t value) {
    return init_values_ = {static_cast<double>(value)}, untyped_init_ = true, *this;
  }
  OpParamDef& InitValue(const ScalarVar& value) {
    return init_values_ = {value.value}, untyped_init_ = false, *this;
  }
  // One for each entry of DataType or DataTypeList.
  OpParamDef& InitValue(const std::vector<ScalarVar>& values) {
    init_values_.clear();
    for (const ScalarVar& value : values) init_values_.push_back(value.value);
    return untyped_init_ = false, *this;
  }
  OpParamDef& Version(uint32_t version) { return version_ = version, *this; }
  OpParamDef& Comment(const char* text) { return comment_ = text, *this; }

  const std::string& name() const { return name_; }
  Option param_type() const { return param_type_; }
  const std::vector<ge::DataType>& dtypes() const { return dtypes_; }
  const std::vector<ge::Format>& formats() const { return formats_; }
  bool dtype_list() const { return dtype_list_; }
  bool format_list() const { return format_list_; }
  const std::string& follow() const { return follow_; }
  FollowType follow_type() const { return follow_type_; }
  Option value_depend() const { return value_depend_; }
  // One, or one for each of dtypes(); empty: no InitValue.
  const std::vector<double>& init_values() const { return init_values_; }
  bool untyped_init_value() const { return untyped_init_; }

 private:
  std::string name_;
  Option param_type_ = REQUIRED;
  std::vector<ge::DataType> dtypes_, bin_query_dtypes_;
  std::vector<ge::Format> formats_, unknown_shape_formats_, bin_query_formats_;
  bool dtype_list_ = false, format_list_ = false;
  std::string follow_, to_name_, comment_;
  FollowType follow_type_ = FollowType::ALL;
  Option value_depend_ = IGNORE;
  DependScope depend_scope_ = DependScope::ALL;
  bool contiguous_ = false, ignore_contiguous_ = false, scalar_ = false, scalar_list_ = false;
  bool computed_shape_ = false, untyped_init_ = false;
  std::vector<double> init_values_;
  ge::DataType to_ = ge::DT_UNDEFINED;
  uint32_t version_ = 0;
};

class OpAttrDef {
 public:
  enum class Kind {
    kNone,
    kBool,
    kInt,
    kFloat,
    kString,
    kListBool,
    kListInt,
    kListFloat,
    kListListInt
  };

  explicit OpAttrDef(const char* name) : name_(name), label_(name) {}

  OpAttrDef& AttrType(Option type) { return required_ = type == REQUIRED, *this; }
  OpAttrDef& Bool() { return set(Kind::kBool); }
  OpAttrDef& Bool(bool value) { return ints_ = {value}, with_default(Kind::kBool); }
  OpAttrDef& Int() { return set(Kind::kInt); }
  OpAttrDef& Int(int64_t value) { return ints_ = {value}, with_default(Kind::kInt); }
  OpAttrDef& Float() { return set(Kind::kFloat); }
  OpAttrDef& Float(float value) { return floats_ = {value}, with_default(Kind::kFloat); }
  OpAttrDef& String() { return set(Kind::kString); }
  OpAttrDef& String(const char* value) { return text_ = value, with_default(Kind::kString); }
  OpAttrDef& ListBool() { return set(Kind::kListBool); }
  OpAttrDef& ListBool(std::vector<bool> value) {
    return ints_.assign(value.begin(), value.end()), with_default(Kind::kListBool);
  }
  OpAttrDef& ListInt() { return set(Kind::kListInt); }
  OpAttrDef& ListInt(std::vector<int64_t> value) {
    return ints_ = std::move(value), with_default(Kind::kListInt);
  }
  OpAttrDef& ListFloat() { return set(Kind::kListFloat); }
  OpAttrDef& ListFloat(std::vector<float> value) {
    return floats_ = std::move(value), with_default(Kind::kListFloat);
  }
  OpAttrDef& ListListInt() { return set(Kind::kListListInt); }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>>) {
    return with_default(Kind::kListListInt);
  }
  OpAttrDef& Version(uint32_t version) { return version_ = version, *this; }
  const ge::AscendString& GetName() const { return label_; }
  bool IsRequired() const { return required_; }
  OpAttrDef& Comment(const char* text) { return comment_ = text, *this; }

  const std::string& name() const { return name_; }
  bool required() const { return required_; }
  bool has_default() const { return has_default_; }
  Kind kind() const { return kind_; }
  const std::vector<int64_t>& ints() const { return ints_; }
  const std::vector<float>& floats() const { return floats_; }
  const std::string& text() const { return text_; }

 private:
  OpAttrDef& set(Kind kind) { return kind_ = kind, *this; }
  OpAttrDef& with_default(Kind kind) { return kind_ = kind, has_default_ = true, *this; }

  std::string name_, text_, comment_;
  ge::AscendString label_;
  bool required_ = true, has_default_ = false;
  Kind kind_ = Kind::kNone;
  std::vector<int64_t> ints_;
  std::vector<float> floats_;
  uint32_t version_ = 0;
};

// Keeps an OpDef's inputs, or its outputs, in the order in which they were first named. References
// stay valid.
class OpParamList {
 public:
  OpParamDef& get(const char* name) {
    for (OpParamDef& param : params_) {
      if (param.name() == name) return param;
    }
    return params_.emplace_back(name);
  }
  const std::deque<OpParamDef>& all() const { return params_; }

 private:
  std::deque<OpParamDef> params_;
};

// What differs on one SoC: its own inputs and outputs replace those of the same name.
class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char* soc) : soc_(soc) {}

  OpParamDef& Input(const char* name) { return inputs_.get(name); }
  OpParamDef& Output(const char* name) { return outputs_.get(name); }
  OpAICoreConfig& DynamicCompileStaticFlag(bool on) {
    return flag("dynamicCompileStatic.flag", on);
  }
  OpAICoreConfig& DynamicFormatFlag(bool on) { return flag("dynamicFormat.flag", on); }
  OpAICoreConfig& DynamicRankSupportFlag(bool on) { return flag("dynamicRankSupport.flag", on); }
  OpAICoreConfig& DynamicShapeSupportFlag(bool on) { return flag("dynamicShapeSupport.flag", on); }
  OpAICoreConfig& NeedCheckSupportFlag(bool on) { return flag("needCheckSupport.flag", on); }
  OpAICoreConfig& PrecisionReduceFlag(bool on) { return flag("precision_reduce.flag", on); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    return info_[key] = value, *this;
  }

  const OpParamList& inputs() const { return inputs_; }
  const OpParamList& outputs() const { return outputs_; }
  const std::map<std::string, std::string>& info() const { return info_; }

 private:
  OpAICoreConfig& flag(const char* key, bool on) {
    return info_[key] = on ? "true" : "false", *this;
  }

  std::string soc_;
  OpParamList inputs_, outputs_;
  std::map<std::string, std::string> info_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(opkit_host::OpFunctions::Tiling function) {
    return tiling_ = function, *this;
  }
  // A launch without output elements runs here in any case.
  OpAICoreDef& LaunchWithZeroEleOutputTensors(bool) { return *this; }
  OpAICoreDef& AddConfig(const char* soc) { return AddConfig(soc, OpAICoreConfig(soc)); }
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
    configs_.emplace_back(soc, config);
    return *this;
  }

  opkit_host::OpFunctions::Tiling tiling() const { return tiling_; }
  const std::vector<std::pair<std::string, OpAICoreConfig>>& configs() const { return configs_; }

 private:
  opkit_host::OpFunctions::Tiling tiling_ = nullptr;
  std::vector<std::pair<std::string, OpAICoreConfig>> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() = default;

  OpParamDef& Input(const char* name) { return inputs_.get(name); }
  OpParamDef& Output(const char* name) { return outputs_.get(name); }
  OpAttrDef& Attr(const char* name) {
    for (OpAttrDef& attr : attrs_) {
      if (attr.name() == name) return attr;
    }
    return attrs_.emplace_back(name);
  }
  OpAICoreDef& AICore() { return ai_core_; }
  OpDef& SetInferShape(opkit_host::OpFunctions::InferShape function) {
    return infer_shape_ = function, *this;
  }
  OpDef& SetInferShapeRange(opkit_host::OpFunctions::InferShapeRange) { return *this; }
  OpDef& SetInferDataType(opkit_host::OpFunctions::InferDataType function) {
    return infer_data_type_ = function, *this;
  }
  OpDef& EnableFallBack() { return *this; }
  OpDef& FormatMatchMode(FormatCheckOption) { return *this; }
  OpDef& Comment(CommentSection, const char*) { return *this; }

  const std::string& type() const { return type_; }
  const OpParamList& inputs() const { return inputs_; }
  const OpParamList& outputs() const { return outputs_; }
  const std::deque<OpAttrDef>& attrs() const { return attrs_; }
  const OpAICoreDef& ai_core() const { return ai_core_; }
  opkit_host::OpFunctions::InferShape infer_shape() const { return infer_shape_; }
  opkit_host::OpFunctions::InferDataType infer_data_type() const { return infer_data_type_; }

 private:
  std::string type_;
  OpParamList inputs_, outputs_;
  std::deque<OpAttrDef> attrs_;
  OpAICoreDef ai_core_;
  opkit_host::OpFunctions::InferShape infer_shape_ = nullptr;
  opkit_host::OpFunctions::InferDataType infer_data_type_ = nullptr;
};

}  // namespace ops

// Objects are made when the plugin is asked, not while it is loaded. What follows the type, a
// struct of compile info, matters to TilingParse alone, which names its own.
#define OP_ADD(...) OPKIT_OP_ADD(__VA_ARGS__, )
#define OPKIT_OP_ADD(type, ...)                                     \
  [[maybe_unused]] static const bool opkit_definition_of_##type = ( \
      ::opkit_host::registry().definitions[#type] =                 \
          [](const char* name) -> std::unique_ptr<::ops::OpDef> {   \
        return std::unique_ptr<::ops::OpDef>(new type(name));       \
      },                                                            \
      true)

#endif  // OPKIT_INCLUDE_REGISTER_OP_DEF_H_
