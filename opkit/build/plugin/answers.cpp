#include "opkit/include/opkit_host/answers.h"

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "opkit/include/graph/utils/type_utils.h"
#include "opkit/include/opkit_host/declared.h"
#include "opkit/include/opkit_host/tiling_struct.h"
#include "opkit/include/opkit_host/trampoline.h"

namespace opkit_host {
namespace {

std::string json_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += format("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

template <typename List, typename Write>
std::string json_list(const List& list, Write write) {
  std::string out;
  for (const auto& item : list) out += (out.empty() ? "" : ", ") + write(item);
  return "[" + out + "]";
}

// The columns of all chips together. What opkit has no name for, and what its input types and
// formats alone do not tell from another column, is left out and said so.
class PrototypeColumns {
 public:
  struct Port {
    const ops::OpParamDef* def;
    bool is_output;
    std::vector<std::string> dtypes, formats;
  };

  // Empty, or why the lists make no columns.
  std::string add(const ops::OpParamList& inputs, const ops::OpParamList& outputs,
                  const std::string& soc) {
    ColumnTable table(inputs, outputs);
    const std::string problem = table.expand();
    if (!problem.empty()) return problem;
    const auto& ports = table.ports();
    if (ports_.empty()) {
      for (const auto& port : ports) ports_.push_back({port.def, port.is_output, {}, {}});
    }
    if (ports.size() != ports_.size()) return "it has inputs or outputs of its own";
    const size_t count = ports.empty() ? 0 : ports[0].dtypes.size();
    for (size_t i = 0; i < count; ++i) add_column(ports, i, soc);
    return "";
  }

  const std::vector<Port>& ports() const { return ports_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  static std::string name_of_type(int32_t dtype) {
    return ge::TypeUtils::DataTypeToSerialString(to_ge_dtype(dtype));
  }
  static bool known(int32_t dtype, int32_t format) {
    static const std::set<int32_t> kTypes = {
        OPK_FLOAT32, OPK_FLOAT16, OPK_INT8,   OPK_INT32,   OPK_UINT8, OPK_INT16,    OPK_UINT16,
        OPK_UINT32,  OPK_INT64,   OPK_UINT64, OPK_FLOAT64, OPK_BOOL,  OPK_BFLOAT16, OPK_INT4};
    static const std::set<int32_t> kFormats = {OPK_FORMAT_NCHW,      OPK_FORMAT_NHWC,
                                               OPK_FORMAT_ND,        OPK_FORMAT_NC1HWC0,
                                               OPK_FORMAT_FRACTAL_Z, OPK_FORMAT_FRACTAL_NZ};
    return kTypes.count(dtype) != 0 && kFormats.count(format) != 0;
  }

  void add_column(const std::vector<ColumnTable::Port>& ports, size_t column,
                  const std::string& soc) {
    std::string inputs, all;
    bool expressible = true;
    for (const ColumnTable::Port& port : ports) {
      const auto format = static_cast<ge::Format>(port.formats[column]);
      const std::string word = port.def->name() + " " + name_of_type(port.dtypes[column]) + " " +
                               ge::TypeUtils::FormatToSerialString(format);
      expressible = expressible && known(port.dtypes[column], port.formats[column]);
      if (!port.is_output) inputs += word + ", ";
      all += (all.empty() ? "" : ", ") + word;
    }
    if (!columns_.insert(all).second) return;
    const std::string place = soc.empty() ? "" : " of " + soc;
    if (!expressible) {
      left_out_.push_back("the combination" + place + " (" + all +
                          ") has a type or format that opkit does not have");
    } else if (!inputs_.insert(inputs).second) {
      left_out_.push_back("the combination" + place + " (" + all +
                          ") has the inputs of another one; in opkit the inputs decide");
    } else {
      for (size_t p = 0; p < ports.size(); ++p) {
        ports_[p].dtypes.push_back(name_of_type(ports[p].dtypes[column]));
        ports_[p].formats.push_back(
            ge::TypeUtils::FormatToSerialString(static_cast<ge::Format>(ports[p].formats[column])));
      }
    }
  }

  std::vector<Port> ports_;
  std::set<std::string> columns_, inputs_;
  std::vector<std::string> left_out_;
};

std::string json_port(const PrototypeColumns::Port& port) {
  static const char* const kNames[] = {"required", "optional", "required", "dynamic", "required"};
  std::string out = "{\"name\": " + json_text(port.def->name()) + ", \"param_type\": \"" +
                    kNames[port.def->param_type()] +
                    "\", \"type\": " + json_list(port.dtypes, json_text) +
                    ", \"format\": " + json_list(port.formats, json_text);
  if (!port.is_output && port.def->value_depend() != ops::IGNORE) out += ", \"value_depend\": true";
  return out + "}";
}

std::string json_default(const ops::OpAttrDef& attr) {
  using Kind = ops::OpAttrDef::Kind;
  const auto number = [](double value) { return format("%.9g", value); };
  const auto whole = [](int64_t value) { return std::to_string(value); };
  const auto truth = [](int64_t value) { return std::string(value ? "true" : "false"); };
  switch (attr.kind()) {
    case Kind::kBool: return truth(attr.ints()[0]);
    case Kind::kInt: return whole(attr.ints()[0]);
    case Kind::kFloat: return number(attr.floats()[0]);
    case Kind::kString: return json_text(attr.text());
    case Kind::kListBool: return json_list(attr.ints(), truth);
    case Kind::kListInt: return json_list(attr.ints(), whole);
    case Kind::kListFloat: return json_list(attr.floats(), number);
    default: return "null";
  }
}

std::string json_attr(const ops::OpAttrDef& attr) {
  static const char* const kNames[] = {"none",     "bool",       "int",
                                       "float",    "string",     "list_bool",
                                       "list_int", "list_float", "list_list_int"};
  std::string out = "{\"name\": " + json_text(attr.name()) + ", \"type\": \"" +
                    kNames[static_cast<int>(attr.kind())] + "\", \"param_type\": \"" +
                    (attr.required() ? "required" : "optional") + "\"";
  if (!attr.required() && attr.has_default()) out += ", \"default_value\": " + json_default(attr);
  return out + "}";
}

std::string json_op(const std::string& type, const ops::OpDef& def) {
  PrototypeColumns columns;
  std::string problem = columns.add(def.inputs(), def.outputs(), "");
  std::vector<std::string> socs;
  for (const auto& config : def.ai_core().configs()) {
    socs.push_back(config.first);
    const auto& own = config.second;
    if (own.inputs().all().empty() && own.outputs().all().empty()) continue;
    ops::OpParamList inputs = def.inputs(), outputs = def.outputs();
    for (const ops::OpParamDef& port : own.inputs().all()) inputs.get(port.name().c_str()) = port;
    for (const ops::OpParamDef& port : own.outputs().all()) outputs.get(port.name().c_str()) = port;
    const std::string of_soc = columns.add(inputs, outputs, config.first);
    if (problem.empty() && !of_soc.empty()) problem = config.first + ": " + of_soc;
  }
  // No column at all is an error, and the first that was left out says why.
  if (problem.empty() && !columns.ports().empty() && columns.ports().front().dtypes.empty() &&
      !columns.left_out().empty())
    problem = columns.left_out().front();
  std::vector<PrototypeColumns::Port> inputs, outputs;
  for (const auto& port : columns.ports()) (port.is_output ? outputs : inputs).push_back(port);
  const OpFunctions& functions = functions_of(type);
  return "{\"op\": " + json_text(type) + ",\n \"problem\": " + json_text(problem) +
         ",\n \"input_desc\": " + json_list(inputs, json_port) +
         ",\n \"output_desc\": " + json_list(outputs, json_port) +
         ",\n \"attr\": " + json_list(def.attrs(), json_attr) +
         ",\n \"soc\": " + json_list(socs, json_text) +
         ",\n \"left_out\": " + json_list(columns.left_out(), json_text) +
         ",\n \"infer_shape\": " + (functions.infers_shape() ? "true" : "false") +
         ", \"tiling\": " + (functions.tiling ? "true" : "false") + "}";
}

// Returns the prototype file of everything that OP_ADD registered in this program.
std::string prototypes() {
  std::string text;
  for (const auto& definition : registry().definitions) {
    const std::string& type = definition.first;
    const std::unique_ptr<ops::OpDef> def = definition.second(type.c_str());
    text += (text.empty() ? "" : ",\n") + json_op(type, *def);
  }
  return "[" + text + "]\n";
}

// Tells whether the file has the text: what was made of it stays as it is then.
bool holds(const char* path, const std::string& text) {
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return false;
  std::string found(text.size() + 1, '\0');
  found.resize(std::fread(found.data(), 1, found.size(), file));
  std::fclose(file);
  return found == text;
}

}  // namespace

int answer(int count, char** words) {
  const std::string question = count > 1 ? words[1] : "";
  const bool structs = question == "tiling-structs" && count == 4;
  if (!structs && !(question == "prototypes" && count == 3)) return 2;
  const std::string text = structs ? tiling_header(words[2]) : prototypes();
  if (holds(words[count - 1], text)) return 0;
  std::FILE* file = std::fopen(words[count - 1], "w");
  if (file == nullptr) return 1;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written ? 0 : 1;
}

}  // namespace opkit_host
