#include "opkit/build/project/op_proto.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace opkit::project {
namespace {

// Returns the operators that have a class.
const std::set<std::string>& known_types() {
  static const std::set<std::string> kTypes = {
#define OPKIT_GE_OP(type) #type,
#define OPKIT_GE_INPUT(name)
#define OPKIT_GE_OPTIONAL_INPUT(name)
#define OPKIT_GE_DYNAMIC_INPUT(name)
#define OPKIT_GE_OUTPUT(name)
#define OPKIT_GE_DYNAMIC_OUTPUT(name)
#define OPKIT_GE_REQUIRED_ATTR(name, kind)
#define OPKIT_GE_ATTR(name, kind, ...)
#define OPKIT_GE_END
#include "opkit/include/graph/operators.inc"
  };
  return kTypes;
}

std::string kind_of(AttrType type) {
  switch (type) {
    case AttrType::kBool: return "Bool";
    case AttrType::kInt: return "Int";
    case AttrType::kFloat: return "Float";
    case AttrType::kString: return "String";
    case AttrType::kListBool: return "ListBool";
    case AttrType::kListInt: return "ListInt";
    case AttrType::kListFloat: return "ListFloat";
    default: return "ListString";
  }
}

// A value as C++ writes it.
struct Literal {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  // The smallest one has no literal of its own.
  std::string operator()(int64_t value) const {
    return value == INT64_MIN ? "INT64_MIN" : fmt::format("{}", value);
  }
  std::string operator()(double value) const {
    if (std::isnan(value)) return "__builtin_nanf(\"\")";
    if (std::isinf(value)) return value < 0 ? "-__builtin_inff()" : "__builtin_inff()";
    return fmt::format("static_cast<float>({})", value);
  }
  std::string operator()(const std::string& value) const {
    std::string text;
    for (const char c : value) {
      const bool plain = c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '?';
      text += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
    return "\"" + text + "\"";
  }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text;
    for (const T& value : values) text += (text.empty() ? "" : ", ") + (*this)(value);
    return "{" + text + "}";
  }
};

std::string input_line(const Port& port) {
  const char* word = port.presence == Presence::kRequired   ? "INPUT"
                     : port.presence == Presence::kOptional ? "OPTIONAL_INPUT"
                                                            : "DYNAMIC_INPUT";
  return fmt::format("  OPKIT_GE_{}({})\n", word, port.name);
}

std::string attr_line(const Attr& attr) {
  const std::string kind = kind_of(attr.type);
  if (!attr.default_value)
    return fmt::format("  OPKIT_GE_REQUIRED_ATTR({}, {})\n", attr.name, kind);
  return fmt::format("  OPKIT_GE_ATTR({}, {}, {})\n", attr.name, kind,
                     std::visit(Literal(), *attr.default_value));
}

std::string class_of(const OpContract& contract) {
  std::string text =
      fmt::format("// {} {}\nOPKIT_GE_OP({})\n", contract.op, contract.version, contract.op);
  for (const Port& port : contract.inputs) text += input_line(port);
  for (const Port& port : contract.outputs)
    text += fmt::format("  OPKIT_GE_OUTPUT({})\n", port.name);
  for (const Attr& attr : contract.attrs) text += attr_line(attr);
  return text + "OPKIT_GE_END\n\n";
}

}  // namespace

std::string op_proto_header(const std::vector<OpContract>& contracts) {
  std::string classes;
  std::set<std::string> seen = known_types();
  for (const OpContract& contract : contracts) {
    if (seen.insert(contract.op).second) classes += class_of(contract);
  }
  return "// Made by opkit from the contracts of installed ops: classes for graphs of programs.\n"
         "#ifndef OPKIT_OP_PROTO_H_\n#define OPKIT_OP_PROTO_H_\n\n#include <cstdint>\n\n"
         "#include \"all_ops.h\"\n\nnamespace ge {\nnamespace op {\n\n"
         "#include \"graph/operator_classes.inc\"\n\n" +
         classes +
         "#include \"graph/operators_end.inc\"\n\n}  // namespace op\n}  // namespace "
         "ge\n\n#endif\n";
}

}  // namespace opkit::project
