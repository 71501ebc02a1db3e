#include "opkit/build/project/nn_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "opkit/build/project/op_proto.h"
#include "opkit/contract/names.h"

namespace opkit::project {
namespace {

struct Parameter {
  std::string type, name;
  std::string kind;   // names a value of opkit_nn_kind
  std::string field;  // names the field of opkit_nn_argument_v1 that takes it
};

Parameter object(std::string type, std::string name, std::string kind) {
  return {"const " + std::move(type) + "*", std::move(name), std::move(kind), "object"};
}

bool is_replaced(const OpContract& contract, const Port& input) {
  return std::any_of(contract.outputs.begin(), contract.outputs.end(),
                     [&](const Port& output) { return output.inplace == input.name; });
}

Parameter array_of(const std::string& name, DType dtype) {
  if (dtype == DType::kBool) return object("aclBoolArray", name, "BOOL_ARRAY");
  if (is_float(dtype)) return object("aclFloatArray", name, "FLOAT_ARRAY");
  return object("aclIntArray", name, "INT_ARRAY");
}

Parameter input_parameter(const OpContract& contract, const Port& port) {
  std::string name = port.name;
  if (is_replaced(contract, port)) name += "Ref";
  if (port.presence == Presence::kOptional) name += "Optional";
  if (port.presence == Presence::kDynamic) return object("aclTensorList", name, "TENSOR_LIST");
  if (port.value_depend) return array_of(name, port.dtypes[0]);
  return object("aclTensor", name, "TENSOR");
}

std::optional<Parameter> attr_parameter(const Attr& attr) {
  switch (attr.type) {
    case AttrType::kBool: return Parameter{"bool", attr.name, "BOOL", "integer"};
    case AttrType::kInt: return Parameter{"int64_t", attr.name, "INT", "integer"};
    case AttrType::kFloat: return Parameter{"double", attr.name, "FLOAT", "number"};
    case AttrType::kString: return Parameter{"char*", attr.name, "TEXT", "object"};
    case AttrType::kListBool: return object("aclBoolArray", attr.name, "BOOL_ARRAY");
    case AttrType::kListInt: return object("aclIntArray", attr.name, "INT_ARRAY");
    case AttrType::kListFloat: return object("aclFloatArray", attr.name, "FLOAT_ARRAY");
    case AttrType::kListString: break;
  }
  return std::nullopt;
}

Parameter output_parameter(const Port& port, bool alone) {
  const std::string name = alone ? "out" : port.name + "Out";
  if (port.presence == Presence::kDynamic) return object("aclTensorList", name, "TENSOR_LIST");
  return object("aclTensor", name, "TENSOR");
}

Result<std::vector<Parameter>> parameters_of(const OpContract& contract) {
  std::vector<Parameter> parameters;
  for (const Port& port : contract.inputs) parameters.push_back(input_parameter(contract, port));
  for (const Attr& attr : contract.attrs) {
    auto parameter = attr_parameter(attr);
    if (!parameter)
      return contract.error("OPK-CC-012",
                            fmt::format("attribute '{}' is a {}, which aclnn calls cannot take",
                                        attr.name, name_of(attr.type)),
                            "use another type for it, or launch the kernel itself");
    parameters.push_back(std::move(*parameter));
  }
  for (const Port& port : contract.outputs) {
    if (!port.inplace.empty() && contract.input(port.inplace)) continue;
    parameters.push_back(output_parameter(port, contract.outputs.size() == 1));
  }
  return parameters;
}

// A C name for each parameter; ops may call two things alike.
void make_names_unique(std::vector<Parameter>& parameters) {
  std::set<std::string> taken = {"workspaceSize", "executor", "arguments"};
  for (Parameter& parameter : parameters) {
    while (!taken.insert(parameter.name).second) parameter.name += "_";
  }
}

std::string argument_text(const Parameter& p) {
  return fmt::format("      {{OPKIT_NN_{}, {}, {}, {}}},\n", p.kind,
                     p.field == "object" ? p.name : "NULL", p.field == "integer" ? p.name : "0",
                     p.field == "number" ? p.name : "0");
}

std::string text_of(const OpContract& contract, const std::vector<Parameter>& parameters) {
  std::string list, arguments;
  for (const Parameter& parameter : parameters) {
    list += fmt::format("{} {}, ", parameter.type, parameter.name);
    arguments += argument_text(parameter);
  }
  return fmt::format(
      "// Made by opkit cc from the contract of {0} {1}.\n"
      "#ifndef OPKIT_ACLNN_{0}_H_\n"
      "#define OPKIT_ACLNN_{0}_H_\n\n"
      "#include \"opkit_launch/nn_call.h\"\n\n"
      "static inline aclnnStatus aclnn{0}GetWorkspaceSize(\n"
      "    {2}uint64_t* workspaceSize, aclOpExecutor** executor) {{\n"
      "  const opkit_nn_argument_v1 arguments[] = {{\n{3}  }};\n"
      "  return opkit_nn_plan(\"{0}\", arguments, {4}, workspaceSize, executor);\n"
      "}}\n\n"
      "static inline aclnnStatus aclnn{0}(void* workspace, uint64_t workspaceSize,\n"
      "                                   aclOpExecutor* executor, aclrtStream stream) {{\n"
      "  return opkit_nn_run(\"{0}\", workspace, workspaceSize, executor, stream);\n"
      "}}\n\n"
      "#endif\n",
      contract.op, contract.version, list, arguments, parameters.size());
}

}  // namespace

Result<NnHeader> nn_header(const OpContract& contract) {
  OPKIT_TRY(std::vector<Parameter> parameters, parameters_of(contract));
  make_names_unique(parameters);
  return NnHeader{fmt::format("aclnn_{}.h", snake_name(contract.op)),
                  text_of(contract, parameters)};
}

void add_header(NnHeader header, std::vector<NnHeader>& all) {
  const auto same = std::ranges::find(all, header.name, &NnHeader::name);
  if (same == all.end()) return all.push_back(std::move(header));
  same->text += "\n" + header.text;
}

OpHeaders op_headers(const registry::Registry& registry) {
  OpHeaders all;
  std::vector<OpContract> contracts;
  for (const registry::Listed& listed : registry.list()) {
    const registry::PackageCandidate& candidate = listed.candidate;
    if (candidate.standing != registry::Standing::kChosen || !candidate.package) continue;
    auto contract = OpContract::load(candidate.package->contract_path());
    if (!contract.ok()) {
      all.left_out.push_back(contract.error());
      continue;
    }
    contracts.push_back(std::move(*contract));
    if (listed.root.origin == registry::Origin::kBuiltIn) continue;
    auto header = nn_header(contracts.back());
    if (header.ok()) {
      add_header(std::move(*header), all.calls);
    } else {
      all.left_out.push_back(header.error());
    }
  }
  all.op_proto = op_proto_header(contracts);
  return all;
}

}  // namespace opkit::project
