// The reference graph as written.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "opkit/base/suggest.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/store_words.h"
#include "opkit/graph/bodies.h"
#include "opkit/reference/opaque.h"
#include "opkit/reference/operators.h"

namespace opkit {
namespace {

constexpr size_t kMaxNodes = 4096;
constexpr size_t kMaxConstants = 4096;

bool is_attr_reference(const Value& value) {
  return value.is_scalar() && value.text.size() > 1 && value.text[0] == '$';
}

// Returns the type that a literal's text has in YAML.
AttrType literal_type(const Value& value) {
  if (!value.quoted && value.as_int("").ok()) return AttrType::kInt;
  if (!value.quoted && value.as_number("").ok()) return AttrType::kFloat;
  if (!value.quoted && value.as_bool("").ok()) return AttrType::kBool;
  return AttrType::kString;
}

// int and float mix to float; anything else must agree.
std::optional<AttrType> common_type(AttrType a, AttrType b) {
  if (a == b) return a;
  const bool numbers = (a == AttrType::kInt || a == AttrType::kFloat) &&
                       (b == AttrType::kInt || b == AttrType::kFloat);
  if (numbers) return AttrType::kFloat;
  return std::nullopt;
}

}  // namespace

void ContractReader::read_reference(const Value& value) {
  if (value.is_map()) return read_no_reference(value);
  read_nodes(value, contract_.reference);
}

void ContractReader::read_nodes(const Value& value, std::vector<ReferenceNode>& nodes) {
  if (!value.is_list() || value.items.empty() || value.items.size() > kMaxNodes) {
    return fail(value.where, "OPK-CONTRACT-026", "the reference must be a list of ONNX operators",
                "write e.g. - {op: Add, in: [x, y], out: z}");
  }
  for (const Value& node : value.items) read_node(node, nodes);
}

// {none: "reason", golden: [calls.npz]}
void ContractReader::read_no_reference(const Value& value) {
  if (!accept(value.check_keys("reference", {"none", "golden"}))) return;
  const Value* reason = value.find("none");
  if (!reason || !accept(reason->as_string("reference.none"), contract_.no_reference) ||
      contract_.no_reference.empty())
    return fail(value.where, "OPK-CONTRACT-026", "the reference is none without a reason",
                "write {none: \"why ONNX operators cannot say it\"}");
  const Value* golden = value.find("golden");
  AttrValue files;
  if (!golden || !accept(read_attr_value(*golden, AttrType::kListString, "golden"), files)) return;
  contract_.golden = std::get<std::vector<std::string>>(std::move(files));
  for (const std::string& file : contract_.golden) {
    const std::filesystem::path path = file;
    const bool inside = path.is_relative() && path.extension() == ".npz" &&
                        std::find(path.begin(), path.end(), "..") == path.end();
    if (!inside)
      fail(golden->where, "OPK-CONTRACT-026",
           fmt::format("'{}' is no .npz file beside the contract", file),
           "name files in the contract's folder or below, e.g. golden/case1.npz");
  }
}

void ContractReader::read_node(const Value& value, std::vector<ReferenceNode>& nodes) {
  if (!accept(value.check_keys("a reference node",
                               {"op", "in", "out", "attrs", "when", "else", "store"})))
    return;
  ReferenceNode node;
  node.where = value.where;
  if (!read_node_op(value, node)) return;
  if (const Value* in = value.find("in")) read_operands(*in, node);
  if (const Value* out = value.find("out")) {
    read_node_outputs(*out, node);
  } else {
    fail(value.where, "OPK-CONTRACT-026", fmt::format("the node {} has no out", node.op),
         "add out: y");
  }
  if (const Value* attrs = value.find("attrs")) read_node_attrs(*attrs, node);
  read_condition(value, node);
  if (const Value* store = value.find("store")) read_store(*store, node);
  nodes.push_back(std::move(node));
}

bool ContractReader::read_node_op(const Value& value, ReferenceNode& node) {
  const Value* op = value.find("op");
  if (!op) {
    fail(value.where, "OPK-CONTRACT-026", "a reference node has no op",
         "add op: Add, or another ONNX operator");
    return false;
  }
  if (!accept(op->as_string("op"), node.op)) return false;
  const bool known = reference::find_operator(node.op) != nullptr;
  if (known && !reference::is_opaque(node.op) && !graph::has_bodies(node.op)) return true;
  const auto near = nearest(node.op, reference::operator_names());
  fail(op->where, "OPK-CONTRACT-027",
       fmt::format("'{}' is no ONNX operator that a reference may use", node.op),
       near ? fmt::format("did you mean '{}'?", *near)
            : "compose it of the operators that docs/reference-ops.md lists");
  return false;
}

void ContractReader::read_operands(const Value& value, ReferenceNode& node) {
  if (!value.is_list()) {
    return fail(value.where, "OPK-CONTRACT-026", fmt::format("in of {} must be a list", node.op),
                "write e.g. in: [x, y]");
  }
  for (const Value& item : value.items) {
    Operand operand;
    operand.where = item.where;
    if (read_operand(item, operand)) node.in.push_back(std::move(operand));
  }
}

bool ContractReader::read_operand(const Value& value, Operand& operand) {
  if (value.is_map()) return read_operand_map(value, operand);
  if (value.is_scalar() && value.quoted && value.text.empty()) {
    operand.kind = Operand::Kind::kAbsent;
    return true;
  }
  if (is_attr_reference(value)) {
    operand.kind = Operand::Kind::kAttr;
    operand.name = value.text.substr(1);
    return true;
  }
  if (value.is_scalar() && !value.quoted && value.as_number("").ok()) {
    fail(value.where, "OPK-CONTRACT-026", fmt::format("'{}' is a number, not a tensor", value.text),
         fmt::format("write {{const: {}}}", value.text));
    return false;
  }
  return read_name(value, "operand", operand.name);
}

bool ContractReader::read_operand_map(const Value& value, Operand& operand) {
  if (value.find("shape")) {
    if (!accept(value.check_keys("an operand", {"shape"}))) return false;
    operand.kind = Operand::Kind::kShape;
    ShapeSpec shape;
    read_shape(*value.find("shape"), shape);
    operand.shape = std::move(shape.items);
    return !shape.opaque;
  }
  if (!accept(value.check_keys("an operand", {"const", "dtype", "shape"}))) return false;
  const Value* constant = value.find("const");
  if (!constant) {
    fail(value.where, "OPK-CONTRACT-026", "an operand map has neither const nor shape",
         "write {const: 0.5} or {shape: \"M, N\"}");
    return false;
  }
  operand.kind = Operand::Kind::kConstant;
  if (const Value* dtype = value.find("dtype")) {
    std::string text;
    if (!accept(dtype->as_string("dtype"), text)) return false;
    operand.dtype = dtype_from_name(text);
    if (!operand.dtype) {
      fail(dtype->where, "OPK-CONTRACT-007", fmt::format("'{}' is no dtype", text),
           "write e.g. float32");
      return false;
    }
  }
  return read_constant(*constant, operand);
}

bool ContractReader::read_constant(const Value& value, Operand& operand) {
  operand.is_scalar = !value.is_list();
  std::vector<const Value*> elements;
  if (!value.is_list()) elements.push_back(&value);
  for (const Value& item : value.items) elements.push_back(&item);
  if (elements.size() > kMaxConstants) {
    fail(value.where, "OPK-CONTRACT-026", "a constant has too many elements",
         "make it an input of the op");
    return false;
  }
  for (const Value* element : elements) {
    double number = 0;
    if (!accept(element->as_number("const"), number)) return false;
    operand.constant.push_back(number);
  }
  return true;
}

void ContractReader::read_node_outputs(const Value& value, ReferenceNode& node) {
  std::vector<const Value*> names;
  if (!value.is_list()) names.push_back(&value);
  for (const Value& item : value.items) names.push_back(&item);
  for (const Value* item : names) {
    std::string name;
    if (item->is_scalar() && item->quoted && item->text.empty() && names.size() > 1) {
      node.out.emplace_back();  // an output that nobody wants
    } else if (read_name(*item, "out", name)) {
      node.out.push_back(std::move(name));
    }
  }
  if (names.empty())
    fail(value.where, "OPK-CONTRACT-026", fmt::format("out of {} is empty", node.op),
         "name at least one tensor");
}

void ContractReader::read_node_attrs(const Value& value, ReferenceNode& node) {
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-026", fmt::format("attrs of {} must be a map", node.op),
                "write e.g. attrs: {axis: -1}");
  }
  for (const Value::Entry& entry : value.entries) {
    NodeAttr attr;
    attr.where = entry.value.where;
    if (is_attr_reference(entry.value)) {
      attr.attr = entry.value.text.substr(1);
    } else {
      AttrValue literal;
      if (!read_literal(entry.value, node.op + "." + entry.key, literal)) continue;
      attr.literal = std::move(literal);
    }
    node.attrs.emplace(entry.key, std::move(attr));
  }
}

bool ContractReader::read_literal(const Value& value, const std::string& what, AttrValue& literal) {
  if (value.is_scalar()) return accept(read_attr_value(value, literal_type(value), what), literal);
  if (!value.is_list() || value.items.empty()) {
    fail(value.where, "OPK-CONTRACT-026", fmt::format("{} must be a value or a list of them", what),
         "write e.g. 1, 0.5, \"text\" or [1, 2]");
    return false;
  }
  std::optional<AttrType> type = literal_type(value.items[0]);
  for (const Value& item : value.items) {
    if (type) type = common_type(*type, literal_type(item));
  }
  if (!type) {
    fail(value.where, "OPK-CONTRACT-026", fmt::format("the elements of {} differ in type", what),
         "use one type");
    return false;
  }
  const int list = static_cast<int>(*type) + static_cast<int>(AttrType::kListBool);
  return accept(read_attr_value(value, static_cast<AttrType>(list), what), literal);
}

void ContractReader::read_condition(const Value& value, ReferenceNode& node) {
  const Value* when = value.find("when");
  const Value* otherwise = value.find("else");
  if (!when && !otherwise) return;
  if (!when || (otherwise && node.out.size() != 1)) {
    return fail(value.where, "OPK-CONTRACT-033",
                when ? fmt::format("the node {} has an else and several outputs", node.op)
                     : fmt::format("the node {} has an else without a when", node.op),
                "write when: \"present(bias)\", else: <the tensor that out is otherwise>");
  }
  read_condition_text(*when, node.op + ".when", node.when);
  if (otherwise) read_name(*otherwise, "else", node.otherwise);
}

// store: float16, or a variable under types; 'scaled' may stand behind it
void ContractReader::read_store(const Value& value, ReferenceNode& node) {
  const std::string what = node.op + ".store";
  const bool words = value.is_scalar() && value.text.find(' ') != std::string::npos;
  if (!(words ? accept(value.as_string(what), node.store_text)
              : read_name(value, what, node.store_text)))
    return;
  const std::string type(store_words(node.store_text).type);
  const auto variable = contract_.types.find(type);
  const auto dtype = dtype_from_name(type);
  if (variable != contract_.types.end()) {
    node.store = variable->second;
  } else if (dtype) {
    node.store.assign(contract_.columns_, *dtype);
  }
  const auto is_real = [](DType one) { return is_float(one); };
  if (node.store.size() == contract_.columns_ &&
      std::all_of(node.store.begin(), node.store.end(), is_real))
    return;
  fail(value.where, "OPK-CONTRACT-026",
       fmt::format("'{}', which {} stores, is no floating type", node.store_text, node.op),
       "write a floating dtype, or a variable under 'types' that is one in every column; behind it "
       "'scaled' or nothing");
}

}  // namespace opkit
