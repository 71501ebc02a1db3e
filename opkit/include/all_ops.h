// A class for every operator of graph/operators.inc: op::Relu("relu").set_input_x(data).
#ifndef OPKIT_INCLUDE_ALL_OPS_H_
#define OPKIT_INCLUDE_ALL_OPS_H_

#include <string>

#include "graph/operator.h"

namespace ge {
namespace op {

#define OPKIT_GE_OP(type)                                                          \
  class type : public Operator {                                                   \
    using Self = type;                                                             \
                                                                                   \
   public:                                                                         \
    type() : Operator("", #type) {}                                                \
    explicit type(const char* name) : Operator(name, #type) {}                     \
    explicit type(const AscendString& name) : Operator(name.GetString(), #type) {} \
    explicit type(const std::string& name) : Operator(name.c_str(), #type) {}
#define OPKIT_GE_INPUT(name)                                                                \
  static std::string name_in_##name() { return #name; }                                     \
  Self& set_input_##name(const Operator& source) { return SetInput(#name, source), *this; } \
  Self& set_input_##name(const Operator& source, uint32_t output) {                         \
    return SetInput(#name, source, output), *this;                                          \
  }                                                                                         \
  Self& set_input_##name(const Operator& source, const std::string& output) {               \
    return SetInput(#name, source, output.c_str()), *this;                                  \
  }                                                                                         \
  Self& set_input_##name##_by_name(const Operator& source, const char* output) {            \
    return SetInput(#name, source, output), *this;                                          \
  }                                                                                         \
  TensorDesc get_input_desc_##name() const { return GetInputDescByName(#name); }            \
  graphStatus update_input_desc_##name(const TensorDesc& desc) {                            \
    return UpdateInputDesc(#name, desc);                                                    \
  }
#define OPKIT_GE_OPTIONAL_INPUT(name) OPKIT_GE_INPUT(name)
#define OPKIT_GE_DYNAMIC_INPUT(name)                                                            \
  static std::string name_in_##name() { return #name; }                                         \
  Self& create_dynamic_input_##name(uint32_t count) {                                           \
    return create_dynamic_input(#name, count), *this;                                           \
  }                                                                                             \
  Self& set_dynamic_input_##name(uint32_t number, const Operator& source) {                     \
    return SetInput((#name + std::to_string(number)).c_str(), source), *this;                   \
  }                                                                                             \
  Self& set_dynamic_input_##name(uint32_t number, const Operator& source, const char* output) { \
    return SetInput((#name + std::to_string(number)).c_str(), source, output), *this;           \
  }                                                                                             \
  graphStatus update_dynamic_input_desc_##name(uint32_t number, const TensorDesc& desc) {       \
    return UpdateInputDesc((#name + std::to_string(number)).c_str(), desc);                     \
  }
#define OPKIT_GE_OUTPUT(name)                                                      \
  static std::string name_out_##name() { return #name; }                           \
  TensorDesc get_output_desc_##name() const { return GetOutputDescByName(#name); } \
  graphStatus update_output_desc_##name(const TensorDesc& desc) {                  \
    return UpdateOutputDesc(#name, desc);                                          \
  }
#define OPKIT_GE_REQUIRED_ATTR(name, kind)                                                         \
  static std::string name_attr_##name() { return #name; }                                          \
  Self& set_attr_##name(const ::opkit_graph::kind& value) { return SetAttr(#name, value), *this; } \
  ::opkit_graph::kind get_attr_##name() const {                                                    \
    ::opkit_graph::kind value{};                                                                   \
    return (void)GetAttr(#name, value), value;                                                     \
  }
#define OPKIT_GE_ATTR(name, kind, ...)                                                             \
  static std::string name_attr_##name() { return #name; }                                          \
  Self& set_attr_##name(const ::opkit_graph::kind& value) { return SetAttr(#name, value), *this; } \
  ::opkit_graph::kind get_attr_##name() const {                                                    \
    ::opkit_graph::kind value = __VA_ARGS__;                                                       \
    return (void)GetAttr(#name, value), value;                                                     \
  }
#define OPKIT_GE_END \
  }                  \
  ;

#include "graph/operators.inc"

}  // namespace op
}  // namespace ge

#endif  // OPKIT_INCLUDE_ALL_OPS_H_
