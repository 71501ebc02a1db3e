#include "opkit/contract/import_msopgen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/base/document.h"
#include "opkit/base/dtype.h"
#include "opkit/base/format.h"
#include "opkit/contract/attr.h"
#include "opkit/contract/names.h"
#include "opkit/contract/op_contract.h"
#include "opkit/contract/prototype.h"

namespace opkit {
namespace {

Error refuse(const Value& value, std::string code, std::string message, std::string action) {
  return Error(std::move(code), std::move(message), std::move(action)).at(value.where);
}

// Groups whose every member opkit has. Others hold complex or quantised types.
const std::vector<std::string>* group_members(const std::string& name) {
  static const std::map<std::string, std::vector<std::string>> kGroups = {
      {"realnumbertype",
       {"float64", "float32", "float16", "int8", "int16", "int32", "int64", "uint8", "uint16",
        "uint32", "uint64"}},
      {"IndexNumberType", {"int32", "int64"}}};
  const auto found = kGroups.find(name);
  return found == kGroups.end() ? nullptr : &found->second;
}

// Returns a string or a list of strings.
Result<std::vector<std::pair<std::string, const Value*>>> texts_of(const Value& value,
                                                                   const std::string& what) {
  std::vector<std::pair<std::string, const Value*>> texts;
  if (!value.is_list()) {
    OPKIT_TRY(std::string text, value.as_string(what));
    texts.emplace_back(std::move(text), &value);
  }
  for (const Value& item : value.items) {
    OPKIT_TRY(std::string text, item.as_string(what));
    texts.emplace_back(std::move(text), &item);
  }
  return texts;
}

class Importer {
 public:
  Result<ImportedContract> run(const Value& op) {
    if (!op.is_map())
      return refuse(op, "OPK-IMPORT-001", "an operator of a prototype is a map",
                    "see docs/contract.md");
    OPKIT_CHECK(
        op.check_keys("the operator", {"op", "language", "input_desc", "output_desc", "attr", "soc",
                                       "problem", "left_out", "infer_shape", "tiling"}));
    OPKIT_CHECK(read_op_type(op));
    OPKIT_CHECK(read_definition(op));
    OPKIT_CHECK(read_ports(op, "input_desc", proto_.inputs));
    OPKIT_CHECK(read_ports(op, "output_desc", proto_.outputs));
    if (proto_.inputs.empty() && proto_.outputs.empty())
      return refuse(op, "OPK-IMPORT-001", "the operator has neither input_desc nor output_desc",
                    "add its tensors");
    OPKIT_CHECK(repeat_columns(op));
    OPKIT_CHECK(read_attrs(op));
    proto_.op = result_.op;
    result_.yaml = contract_text(proto_, result_.notes);
    auto contract = OpContract::parse(result_.yaml, result_.op + " (imported)");
    if (!contract.ok())
      return std::move(contract).error().with("the contract made of " + op.where.to_string());
    return std::move(result_);
  }

 private:
  Status read_op_type(const Value& op) {
    const Value* type = op.find("op");
    if (!type) return refuse(op, "OPK-IMPORT-001", "the operator has no 'op'", "add its type");
    OPKIT_TRY(result_.op, type->as_string("op"));
    if (is_op_type(result_.op)) return {};
    return refuse(*type, "OPK-IMPORT-002", fmt::format("'{}' is not an op type", result_.op),
                  "use CamelCase letters and digits");
  }

  // Reads what only the OpDef of a project's sources says.
  Status read_definition(const Value& op) {
    if (const Value* problem = op.find("problem")) {
      OPKIT_TRY(const std::string text, problem->as_string("problem"));
      if (!text.empty())
        return refuse(op, "OPK-IMPORT-012",
                      fmt::format("the OpDef of {} is not usable: {}", result_.op, text),
                      "correct the OpDef");
    }
    proto_.from_definition = op.find("infer_shape") != nullptr;
    if (proto_.from_definition) {
      OPKIT_TRY(proto_.infers_shape, op.find("infer_shape")->as_bool("infer_shape"));
    }
    if (const Value* tiling = op.find("tiling")) {
      OPKIT_TRY(result_.has_tiling, tiling->as_bool("tiling"));
    }
    if (const Value* left_out = op.find("left_out")) {
      for (const Value& item : left_out->items) {
        OPKIT_TRY(std::string text, item.as_string("left_out"));
        result_.notes.push_back(std::move(text) + ": left out");
      }
    }
    return read_socs(op);
  }

  Status read_socs(const Value& op) {
    const Value* list = op.find("soc");
    if (!list || list->items.empty()) return {};
    const auto lower = [](std::string text) {
      for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return text;
    };
    for (const Value& item : list->items) {
      OPKIT_TRY(const std::string soc, item.as_string("soc"));
      const auto& names = known_soc_names();
      const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return lower(name) == lower(soc);
      });
      if (found == names.end()) {
        result_.notes.push_back(fmt::format("opkit does not know the chip '{}': left out", soc));
      } else if (std::count(proto_.socs.begin(), proto_.socs.end(), *found) == 0) {
        proto_.socs.push_back(*found);
      }
    }
    if (!proto_.socs.empty()) return {};
    return refuse(*list, "OPK-IMPORT-011", "opkit knows none of the operator's chips",
                  "add one that it knows, e.g. ascend910b");
  }

  Status read_ports(const Value& op, const char* key, std::vector<ProtoPort>& ports) {
    const Value* list = op.find(key);
    if (!list || list->is_null()) return {};
    if (!list->is_list())
      return refuse(*list, "OPK-IMPORT-001", fmt::format("{} must be a list", key), "use brackets");
    for (const Value& item : list->items) {
      OPKIT_TRY(ProtoPort port, read_port(item));
      ports.push_back(std::move(port));
    }
    return {};
  }

  Result<ProtoPort> read_port(const Value& item) {
    OPKIT_CHECK(item.check_keys("an input or output",
                                {"name", "param_type", "format", "type", "shape", "value_depend"}));
    ProtoPort port;
    port.where = item.where;
    for (const char* key : {"name", "type", "format"}) {
      if (!item.find(key))
        return refuse(item, "OPK-IMPORT-001", fmt::format("an input or output has no '{}'", key),
                      fmt::format("add '{}'", key));
    }
    OPKIT_TRY(port.name, item.find("name")->as_string("name"));
    if (!is_identifier(port.name))
      return refuse(item, "OPK-IMPORT-002", fmt::format("'{}' is no name", port.name),
                    "use letters, digits and underscores");
    if (const Value* kind = item.find("param_type")) {
      OPKIT_TRY(port.presence, kind->as_string("param_type"));
      if (port.presence != "required" && port.presence != "optional" && port.presence != "dynamic")
        return refuse(*kind, "OPK-IMPORT-003", fmt::format("param_type is '{}'", port.presence),
                      "write required, optional or dynamic");
    } else {
      result_.notes.push_back(port.name + " has no param_type and is taken as required");
    }
    if (const Value* depend = item.find("value_depend")) {
      OPKIT_TRY(port.value_depend, depend->as_bool("value_depend"));
    }
    OPKIT_CHECK(read_types(*item.find("type"), port));
    OPKIT_CHECK(read_formats(*item.find("format"), port));
    return port;
  }

  Status read_types(const Value& value, ProtoPort& port) {
    OPKIT_TRY(const auto texts, texts_of(value, port.name + ".type"));
    for (const auto& [text, place] : texts) {
      if (const auto* members = group_members(text)) {
        port.dtypes.insert(port.dtypes.end(), members->begin(), members->end());
      } else if (const auto dtype = dtype_from_name(text)) {
        port.dtypes.emplace_back(name_of(*dtype));
      } else {
        return refuse(*place, "OPK-IMPORT-004",
                      fmt::format("type '{}' of {} cannot be expressed", text, port.name),
                      "list the types that the op needs; complex, quantised, string and resource "
                      "types, and groups that hold them, do not exist in opkit");
      }
    }
    if (port.dtypes.empty())
      return refuse(value, "OPK-IMPORT-004", port.name + " has no type", "list its types");
    return {};
  }

  Status read_formats(const Value& value, ProtoPort& port) {
    OPKIT_TRY(const auto texts, texts_of(value, port.name + ".format"));
    for (const auto& [text, place] : texts) {
      const auto format = format_from_name(text);
      if (!format)
        return refuse(*place, "OPK-IMPORT-005",
                      fmt::format("format '{}' of {} cannot be expressed", text, port.name),
                      "opkit has ND, NCHW, NHWC, NC1HWC0, FRACTAL_Z and FRACTAL_NZ");
      port.formats.emplace_back(name_of(*format));
    }
    if (port.formats.empty())
      return refuse(value, "OPK-IMPORT-005", port.name + " has no format", "list its formats");
    return {};
  }

  // The repeat rule: of one port, a single type or format is repeated to match the other; all ports
  // must then have the same number of columns.
  Status repeat_columns(const Value& op) {
    for (std::vector<ProtoPort>* ports : {&proto_.inputs, &proto_.outputs}) {
      for (ProtoPort& port : *ports) {
        const size_t count = std::max(port.dtypes.size(), port.formats.size());
        if (port.dtypes.size() == 1) port.dtypes.resize(count, port.dtypes[0]);
        if (port.formats.size() == 1) port.formats.resize(count, port.formats[0]);
        if (proto_.columns == 0) proto_.columns = count;
        if (port.dtypes.size() == count && port.formats.size() == count && count == proto_.columns)
          continue;
        return Error("OPK-IMPORT-006",
                     fmt::format("{} has {} types and {} formats; {} columns are needed", port.name,
                                 port.dtypes.size(), port.formats.size(), proto_.columns),
                     "types and formats are columns: list equally many for every tensor")
            .at(port.where);
      }
    }
    return check_distinct(op);
  }

  Status check_distinct(const Value& op) {
    std::map<std::string, size_t> seen;
    for (size_t column = 0; column < proto_.columns; ++column) {
      std::string row;
      for (const ProtoPort& port : proto_.inputs)
        row += port.dtypes[column] + "/" + port.formats[column] + " ";
      const auto [known, fresh] = seen.emplace(row, column);
      if (!fresh)
        return refuse(
            op, "OPK-IMPORT-007",
            fmt::format("columns {} and {} have the same inputs: {}", known->second, column, row),
            "remove one of them: in opkit the inputs decide the column");
    }
    return {};
  }

  Status read_attrs(const Value& op) {
    const Value* list = op.find("attr");
    if (!list || list->is_null()) return {};
    for (const Value& item : list->items) {
      OPKIT_CHECK(item.check_keys("an attribute", {"name", "param_type", "type", "default_value"}));
      OPKIT_CHECK(read_attr(item));
    }
    return {};
  }

  Status read_attr(const Value& item) {
    const Value* name_field = item.find("name");
    const Value* type_field = item.find("type");
    if (!name_field || !type_field)
      return refuse(item, "OPK-IMPORT-001", "an attribute has no name or no type", "add both");
    OPKIT_TRY(const std::string name, name_field->as_string("name"));
    OPKIT_TRY(const std::string type_text, type_field->as_string("type"));
    const auto type = attr_type_from_name(type_text);
    if (!type)
      return refuse(
          *type_field, "OPK-IMPORT-008",
          fmt::format("attribute {} has type '{}', which cannot be expressed", name, type_text),
          "use int, float, bool, string or a list of one of them");
    std::string presence = "required";
    if (const Value* kind = item.find("param_type")) {
      OPKIT_TRY(presence, kind->as_string("param_type"));
    } else {
      result_.notes.push_back(name + " has no param_type and is taken as required");
    }
    std::string line = fmt::format("  {}: {{type: {}", name, name_of(*type));
    const Value* given = item.find("default_value");
    if (presence == "optional") {
      if (!given)
        return refuse(item, "OPK-IMPORT-009",
                      fmt::format("optional attribute {} has no default_value", name),
                      "add a default_value");
      OPKIT_TRY(const AttrValue value, read_default(*given, *type, name));
      line += ", default: " + to_string(value);
    } else if (given) {
      result_.notes.push_back(name + " is required; its default_value is left out");
    }
    proto_.attr_lines += line + "}\n";
    return {};
  }

  // Prototypes write defaults as JSON values or as text of them.
  Result<AttrValue> read_default(const Value& given, AttrType type, const std::string& name) {
    Value value = given;
    if (element_type(type) != AttrType::kString) {
      value.quoted = false;
      for (Value& item : value.items) item.quoted = false;
      if (type == AttrType::kBool && value.is_scalar()) {
        std::transform(value.text.begin(), value.text.end(), value.text.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      }
    }
    if (is_list(type) && given.is_scalar()) {
      auto parsed = Document::parse(given.text, given.where.file);
      if (!parsed.ok() || !parsed->root().is_list())
        return refuse(given, "OPK-IMPORT-010",
                      fmt::format("the default_value of {} is no list", name), "write a JSON list");
      value = parsed->root();
    }
    auto read = read_attr_value(value, type, name);
    if (read.ok()) return read;
    return refuse(given, "OPK-IMPORT-010",
                  fmt::format("the default_value of {} does not fit its type: {}", name,
                              read.error().message),
                  "correct the prototype");
  }

  ImportedContract result_;
  OpPrototype proto_;
};

}  // namespace

// JSON that ends too early reads like bad YAML, which nobody has written.
static Error broken(Error error) {
  error.message = fmt::format("the prototype is no valid JSON here ({})", error.message);
  error.action =
      "close every bracket and quote: msopgen takes a list of ops, [{\"op\": \"Add\", ...}]";
  return error;
}

Result<std::vector<ImportedContract>> import_msopgen(std::string_view text, std::string name) {
  auto parsed = Document::parse(text, std::move(name));
  if (!parsed.ok()) return broken(std::move(parsed).error());
  const Document document = std::move(*parsed);
  const Value& root = document.root();
  std::vector<ImportedContract> contracts;
  if (root.is_map()) {
    OPKIT_TRY(ImportedContract one, Importer().run(root));
    contracts.push_back(std::move(one));
    return contracts;
  }
  if (!root.is_list() || root.items.empty())
    return refuse(root, "OPK-IMPORT-001", "a prototype is an operator or a list of operators",
                  "see docs/contract.md");
  for (const Value& op : root.items) {
    OPKIT_TRY(ImportedContract one, Importer().run(op));
    contracts.push_back(std::move(one));
  }
  return contracts;
}

}  // namespace opkit
