// The reference must be a DAG in file order that reads every input and defines every output.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "opkit/contract/reader.h"

namespace opkit {
namespace {

std::set<std::string> operands_of(const std::vector<ReferenceNode>& nodes) {
  std::set<std::string> read;
  for (const ReferenceNode& node : nodes) {
    for (const Operand& operand : node.in) read.insert(operand.name);
    if (!node.otherwise.empty()) read.insert(node.otherwise);
  }
  return read;
}

}  // namespace

void ContractReader::check_reference() {
  if (contract_.reference.empty()) return;
  for (const Port& port : contract_.inputs) check_describable(port);
  check_nodes(contract_.reference, nullptr);
  if (failed_) return;
  check_inner_results(contract_.reference);
  check_inputs_read(contract_.reference, nullptr);
  check_attrs_used();
}

// What a spelling does not read it says nothing about, whatever shapes and constraints do.
void ContractReader::check_spelling(const Spelling& spelling) {
  check_nodes(spelling.reference, &spelling.where);
  if (failed_) return;
  check_inner_results(spelling.reference);
  check_inputs_read(spelling.reference, &spelling.where);
}

// Checks the nodes of a spelling, which stands at `spelling`; where that is null, of the reference.
void ContractReader::check_nodes(const std::vector<ReferenceNode>& nodes,
                                 const Location* spelling) {
  std::set<std::string> defined;
  for (const Port& port : contract_.inputs) defined.insert(port.name);
  for (const ReferenceNode& node : nodes) check_node(node, nodes, defined);
  for (const Port& port : contract_.outputs) {
    if (defined.count(port.name)) continue;
    fail(spelling ? *spelling : port.where, "OPK-CONTRACT-030",
         fmt::format("the {} does not define output {}", spelling ? "spelling" : "reference",
                     port.name),
         fmt::format("let a node have out: {}", port.name));
  }
}

// Operators compute outputs from tensors of known shapes.
void ContractReader::check_describable(const Port& input) {
  if (!input.shape.opaque && !input.written) return;
  fail(input.where, "OPK-CONTRACT-051",
       fmt::format("input {} is {}, which a reference of ONNX operators cannot describe",
                   input.name, input.written ? "written" : "opaque"),
       input.written ? "declare an output with inplace: " + input.name
                     : "write its shape with symbols, or reference: {none: \"why\"}");
}

void ContractReader::check_node(const ReferenceNode& node, const std::vector<ReferenceNode>& nodes,
                                std::set<std::string>& defined) {
  for (const Operand& operand : node.in) {
    if (operand.kind == Operand::Kind::kTensor)
      check_tensor(operand.name, operand.where, nodes, defined);
    if (operand.kind == Operand::Kind::kAttr) check_attr_reference(operand.name, operand.where);
    for (const Expr& dim : operand.shape)
      check_expression_names(dim, "the reference node " + node.op, false);
  }
  for (const auto& [name, attr] : node.attrs) {
    if (!attr.literal) check_attr_reference(attr.attr, attr.where);
  }
  if (node.when) {
    check_expression_names(*node.when, node.op + ".when", false);
    if (!node.otherwise.empty()) check_tensor(node.otherwise, node.where, nodes, defined);
    if (node.otherwise.empty()) check_may_be_absent(node);
  }
  check_definitions(node, defined);
}

// What a node without `else` leaves out can be an operand that is left out, but no output that
// every call has.
void ContractReader::check_may_be_absent(const ReferenceNode& node) {
  for (const std::string& name : node.out) {
    const Port* output = contract_.output(name);
    if (!output || output->presence == Presence::kOptional) continue;
    fail(
        node.where, "OPK-CONTRACT-033",
        fmt::format("output {} has no value when '{}' does not hold", name, node.when->to_string()),
        "add else: <the tensor that it is otherwise>");
  }
}

void ContractReader::check_tensor(const std::string& tensor, const Location& where,
                                  const std::vector<ReferenceNode>& nodes,
                                  const std::set<std::string>& defined) {
  if (defined.count(tensor)) return;
  for (const ReferenceNode& node : nodes) {
    if (std::find(node.out.begin(), node.out.end(), tensor) == node.out.end()) continue;
    return fail(
        where, "OPK-CONTRACT-028",
        fmt::format("tensor '{}' is read before line {} defines it", tensor, node.where.line),
        "order the nodes so that each reads what earlier ones define; cycles are refused");
  }
  const std::vector<std::string> names(defined.begin(), defined.end());
  fail(where, "OPK-CONTRACT-028", fmt::format("no tensor is named '{}'", tensor),
       suggest(tensor, names));
}

void ContractReader::check_attr_reference(const std::string& attr, const Location& where) {
  used_names_.insert(attr);
  if (contract_.attr(attr)) return;
  std::vector<std::string> names;
  for (const Attr& one : contract_.attrs) names.push_back(one.name);
  fail(where, "OPK-CONTRACT-032", fmt::format("${} names no attribute", attr),
       names.empty() ? "declare it under attrs" : suggest(attr, names));
}

void ContractReader::check_definitions(const ReferenceNode& node, std::set<std::string>& defined) {
  for (const std::string& name : node.out) {
    if (name.empty() || defined.insert(name).second) continue;
    fail(node.where, "OPK-CONTRACT-029", fmt::format("tensor '{}' is defined twice", name),
         "give each result its own name");
  }
}

void ContractReader::check_inner_results(const std::vector<ReferenceNode>& nodes) {
  std::set<std::string> read = operands_of(nodes);
  for (const Port& port : contract_.outputs) read.insert(port.name);
  for (const ReferenceNode& node : nodes) {
    const bool needed = std::any_of(node.out.begin(), node.out.end(),
                                    [&](const std::string& name) { return read.count(name); });
    if (!needed)
      fail(node.where, "OPK-CONTRACT-031", fmt::format("nothing reads the result of {}", node.op),
           "remove the node, or use its result");
  }
}

// Expressions may read an input for the reference, too.
void ContractReader::check_inputs_read(const std::vector<ReferenceNode>& nodes,
                                       const Location* spelling) {
  const std::set<std::string> read = operands_of(nodes);
  for (const Port& port : contract_.inputs) {
    if (read.count(port.name) || (!spelling && used_names_.count(port.name))) continue;
    fail(spelling ? *spelling : port.where, "OPK-CONTRACT-031",
         fmt::format("the {} does not read input {}", spelling ? "spelling" : "reference",
                     port.name),
         "use it, or remove it");
  }
}

void ContractReader::check_attrs_used() {
  for (const Attr& attr : contract_.attrs) {
    if (!used_names_.count(attr.name))
      warn(attr.where, "OPK-CONTRACT-042",
           fmt::format("neither the reference nor a shape nor a constraint uses attribute {}",
                       attr.name),
           fmt::format("use it as ${}, or remove it", attr.name));
  }
}

}  // namespace opkit
