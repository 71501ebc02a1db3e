#include "opkit/build/project/vendor_op_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "opkit/contract/names.h"

namespace opkit::project {
namespace {

std::string upper_text(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string ge_type(DType type) { return fmt::format("ge::{}", graph_name_of(type)); }

std::string ge_format(Format format) {
  return "ge::FORMAT_" + upper_text(std::string(name_of(format)));
}

// Returns the name that the OpDef gives an output: that of the input in whose place it is, if any.
const std::string& name_in_definition(const Port& port) {
  return port.inplace.empty() ? port.name : port.inplace;
}

template <typename List, typename Write>
std::string joined(const List& items, Write write) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + write(item);
  return text;
}

std::string quoted_text(const std::string& text) { return Json(text).dump(0); }

std::string float_text(double value) {
  std::string text = fmt::format("{}", static_cast<float>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text + "f";
}

// "Int(3)": a call of OpAttrDef. Nothing for lists of texts, which it does not have.
struct AttrCall {
  bool required;
  std::string with(const char* type, const std::string& value) const {
    return fmt::format("{}({})", type, required ? "" : value);
  }
  std::string operator()(bool v) const { return with("Bool", v ? "true" : "false"); }
  std::string operator()(int64_t v) const { return with("Int", std::to_string(v)); }
  std::string operator()(double v) const { return with("Float", float_text(v)); }
  std::string operator()(const std::string& v) const { return with("String", quoted_text(v)); }
  std::string operator()(const std::vector<bool>& v) const {
    return with("ListBool",
                "{" + joined(v, [](bool b) { return std::string(b ? "true" : "false"); }) + "}");
  }
  std::string operator()(const std::vector<int64_t>& v) const {
    return with("ListInt", "{" + joined(v, [](int64_t i) { return std::to_string(i); }) + "}");
  }
  std::string operator()(const std::vector<double>& v) const {
    return with("ListFloat", "{" + joined(v, float_text) + "}");
  }
  std::string operator()(const std::vector<std::string>&) const { return {}; }
};

AttrValue empty_value(AttrType type) {
  switch (type) {
    case AttrType::kBool: return false;
    case AttrType::kInt: return int64_t{0};
    case AttrType::kFloat: return 0.0;
    case AttrType::kString: return std::string();
    case AttrType::kListBool: return std::vector<bool>();
    case AttrType::kListInt: return std::vector<int64_t>();
    case AttrType::kListFloat: return std::vector<double>();
    default: return std::vector<std::string>();
  }
}

class OpText {
 public:
  OpText(const OpContract& contract, const std::vector<std::string>& units)
      : contract_(contract), units_(units), op_(contract.op), snake_(snake_name(contract.op)) {}

  Result<std::map<std::string, std::string>> files() const {
    OPKIT_TRY(const std::string host, host_text());
    return std::map<std::string, std::string>{{"op_host/" + snake_ + ".cpp", host},
                                              {"op_kernel/" + snake_ + ".cpp", kernel_text()},
                                              {"op_kernel/" + snake_ + "_tiling.h", tiling_text()}};
  }

 private:
  std::string tiling_text() const {
    const std::string guard = upper_text(snake_) + "_TILING_H";
    return fmt::format(
        "// What the tiling function of {0} tells its kernel.\n"
        "#ifndef {1}\n#define {1}\n\n#include <cstdint>\n\n"
        "struct {0}TilingData {{\n"
        "  uint64_t size;  // elements of the first input\n"
        "}};\n\n#endif  // {1}\n",
        op_, guard);
  }

  std::string kernel_text() const {
    std::string parameters;
    for (const Port& port : contract_.inputs) parameters += "GM_ADDR " + port.name + ", ";
    for (const Port& port : contract_.outputs) {
      const std::string name = port.inplace.empty() ? port.name : port.inplace + "_ref";
      parameters += "GM_ADDR " + name + ", ";
    }
    return fmt::format(
        "// The kernel of {0}.\n"
        "#include \"{1}_tiling.h\"\n#include \"kernel_operator.h\"\n\n"
        "extern \"C\" __global__ __aicore__ void {1}({2}GM_ADDR workspace,\n"
        "                                            GM_ADDR tiling) {{\n"
        "  REGISTER_TILING_DEFAULT({0}TilingData);\n"
        "  GET_TILING_DATA(tiling_data, tiling);\n"
        "  // TODO: compute.\n"
        "}}\n",
        op_, snake_, parameters);
  }

  Result<std::string> host_text() const {
    OPKIT_TRY(const std::string definition, definition_text());
    return fmt::format(
               "// {0}: tiling, inference, definition.\n"
               "#include \"../op_kernel/{1}_tiling.h\"\n"
               "#include \"register/op_def_registry.h\"\n\n",
               op_, snake_) +
           tiling_function() + inference_text() + definition;
  }

  std::string tiling_function() const {
    const std::string size =
        contract_.inputs.empty()
            ? "  data->size = 0;\n"
            : "  const gert::StorageShape* first = context->GetInputShape(0);\n"
              "  data->size = first == nullptr\n"
              "                   ? 0\n"
              "                   : static_cast<uint64_t>(first->GetStorageShape()."
              "GetShapeSize());\n";
    return fmt::format(
        "namespace optiling {{\n"
        "static ge::graphStatus TilingFunc(gert::TilingContext* context) {{\n"
        "  {0}TilingData* data = context->GetTilingData<{0}TilingData>();\n{1}"
        "  // TODO: how the work is divided, and how many cores do it.\n"
        "  context->SetBlockDim(1);\n"
        "  context->GetWorkspaceSizes(1)[0] = 0;\n"
        "  return ge::GRAPH_SUCCESS;\n"
        "}}\n"
        "}}  // namespace optiling\n\n",
        op_, size);
  }

  std::string inference_text() const {
    std::string shapes, types;
    for (size_t i = 0; i < contract_.outputs.size(); ++i) {
      shapes += fmt::format("  *context->GetOutputShape({}) = *context->GetInputShape(0);\n", i);
      types += type_line(i);
    }
    const bool guess = !contract_.inputs.empty();
    return fmt::format(
        "namespace ge {{\n"
        "static graphStatus InferShape(gert::InferShapeContext* context) {{\n"
        "  // TODO: the outputs' shapes{}\n"
        "}}\n\n"
        "static graphStatus InferDataType(gert::InferDataTypeContext* context) {{\n{}"
        "  return GRAPH_SUCCESS;\n"
        "}}\n"
        "}}  // namespace ge\n\n",
        guess ? fmt::format("; this is right where they are the first input's.\n{}  return "
                            "GRAPH_SUCCESS;",
                            shapes)
              : ".\n  (void)context;\n  return GRAPH_FAILED;",
        types);
  }

  // An output's type is one for all columns, or that of an input with the same columns.
  std::string type_line(size_t output) const {
    const std::vector<DType>& types = contract_.outputs[output].dtypes;
    const bool one = std::count(types.begin(), types.end(), types[0]) == ssize_t(types.size());
    if (one)
      return fmt::format("  context->SetOutputDataType({}, {});\n", output, ge_type(types[0]));
    if (const auto input = input_like(types))
      return fmt::format("  context->SetOutputDataType({}, context->GetInputDataType({}));\n",
                         output, *input);
    return fmt::format("  context->SetOutputDataType({}, {});  // TODO: depends on the inputs'\n",
                       output, ge_type(types[0]));
  }

  // GetInputDataType counts the tensors that are there, so that only those in front of optional and
  // dynamic inputs have a fixed number.
  std::optional<size_t> input_like(const std::vector<DType>& types) const {
    for (size_t i = 0; i < contract_.inputs.size(); ++i) {
      if (contract_.inputs[i].presence != Presence::kRequired) return {};
      if (contract_.inputs[i].dtypes == types) return i;
    }
    return {};
  }

  static std::string port_text(const char* call, const Port& port) {
    const std::string formats = joined(port.formats, ge_format);
    return fmt::format(
        "    this->{}({})\n        .ParamType({})\n        .DataType({{{}}})\n"
        "        .Format({{{}}})\n        .UnknownShapeFormat({{{}}}){};\n",
        call, quoted_text(name_in_definition(port)),
        upper_text(std::string(name_of(port.presence))), joined(port.dtypes, ge_type), formats,
        formats, port.value_depend ? "\n        .ValueDepend(REQUIRED)" : "");
  }

  Result<std::string> attr_text(const Attr& attr) const {
    const AttrValue value = attr.default_value.value_or(empty_value(attr.type));
    const std::string call = std::visit(AttrCall{attr.required()}, value);
    if (call.empty())
      return Error("OPK-MSOPGEN-003",
                   fmt::format("an OpDef has no attributes of type {}, which {} is",
                               name_of(attr.type), attr.name),
                   "use one text, or a list of numbers")
          .of(op_);
    return fmt::format("    this->Attr({}).AttrType({}).{};\n", quoted_text(attr.name),
                       attr.required() ? "REQUIRED" : "OPTIONAL", call);
  }

  Result<std::string> definition_text() const {
    std::string body;
    for (const Port& port : contract_.inputs) body += port_text("Input", port);
    for (const Port& port : contract_.outputs) body += port_text("Output", port);
    for (const Attr& attr : contract_.attrs) {
      OPKIT_TRY(const std::string line, attr_text(attr));
      body += line;
    }
    body +=
        "    this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);\n"
        "    this->AICore().SetTiling(optiling::TilingFunc);\n";
    for (const std::string& unit : units_)
      body += fmt::format("    this->AICore().AddConfig({});\n", quoted_text(unit));
    return fmt::format(
        "namespace ops {{\n"
        "class {0} : public OpDef {{\n"
        " public:\n"
        "  explicit {0}(const char* name) : OpDef(name) {{\n{1}"
        "  }}\n"
        "}};\n\n"
        "OP_ADD({0});\n"
        "}}  // namespace ops\n",
        op_, body);
  }

  const OpContract& contract_;
  const std::vector<std::string>& units_;
  const std::string op_, snake_;
};

}  // namespace

Result<std::map<std::string, std::string>> vendor_op_files(const OpContract& contract,
                                                           const std::vector<std::string>& units) {
  return OpText(contract, units).files();
}

}  // namespace opkit::project
