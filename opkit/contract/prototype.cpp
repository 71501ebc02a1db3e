#include "opkit/contract/prototype.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace opkit {
namespace {

class ContractText {
 public:
  ContractText(const OpPrototype& prototype, std::vector<std::string>& notes)
      : proto_(prototype), notes_(notes) {
    name_variables();
  }

  std::string write() {
    std::string ports = proto_.inputs.empty() ? "inputs: {}\n" : "inputs:\n";
    for (const ProtoPort& port : proto_.inputs) ports += input_line(port);
    ports += proto_.outputs.empty() ? "outputs: {}\n" : "outputs:\n";
    for (const ProtoPort& port : proto_.outputs) ports += output_line(port);
    std::string types = variable_order_.empty() ? "" : "types:\n";
    for (const auto& dtypes : variable_order_)
      types += fmt::format("  {}: [{}]\n", variables_[dtypes], fmt::join(dtypes, ", "));
    add_notes();
    std::string notes;
    for (const std::string& note : notes_) notes += "# - " + note + "\n";
    const std::string socs =
        proto_.socs.empty() ? "" : fmt::format("soc: [{}]\n", fmt::join(proto_.socs, ", "));
    return fmt::format("# Made from {}. What it leaves open:\n", proto_.from_definition
                                                                     ? "the OpDef of the sources"
                                                                     : "an operator prototype") +
           notes + fmt::format("op: {}\nversion: \"0.1.0\"\n", proto_.op) + ports + types +
           (proto_.attr_lines.empty() ? "" : "attrs:\n" + proto_.attr_lines) + socs +
           fmt::format("reference: {{none: \"{}, which does not say what is computed\"}}\n",
                       proto_.from_definition ? "made from an OpDef" : "imported from a prototype");
  }

 private:
  bool is_constant(const std::vector<std::string>& column) const {
    return std::count(column.begin(), column.end(), column[0]) ==
           static_cast<std::ptrdiff_t>(proto_.columns);
  }

  // Equal lists of types share a variable; a list of one type is written as that type.
  void name_variables() {
    static constexpr const char* kNames[] = {"T", "U", "V", "W"};
    for (const std::vector<ProtoPort>* ports : {&proto_.inputs, &proto_.outputs}) {
      for (const ProtoPort& port : *ports) {
        if (is_constant(port.dtypes)) continue;
        const size_t next = variables_.size();
        const std::string name = next < 4 ? kNames[next] : fmt::format("T{}", next);
        if (variables_.emplace(port.dtypes, name).second) variable_order_.push_back(port.dtypes);
      }
    }
  }

  std::string dtype_text(const ProtoPort& port) const {
    return is_constant(port.dtypes) ? port.dtypes[0] : variables_.at(port.dtypes);
  }

  const ProtoPort* input(const std::string& name) const {
    const auto found = std::find_if(proto_.inputs.begin(), proto_.inputs.end(),
                                    [&](const ProtoPort& port) { return port.name == name; });
    return found == proto_.inputs.end() ? nullptr : &*found;
  }

  std::string format_text(const ProtoPort& port) const {
    if (is_constant(port.formats)) return port.formats[0];
    return fmt::format("[{}]", fmt::join(port.formats, ", "));
  }

  std::string port_line(const ProtoPort& port, const std::string& name, const std::string& shape,
                        const std::string& more) const {
    const std::string presence = port.presence == "required" ? "" : ", presence: " + port.presence;
    return fmt::format("  {}: {{dtype: {}, shape: {}, format: {}{}{}}}\n", name, dtype_text(port),
                       shape, format_text(port), presence, more);
  }

  // The tensors of a dynamic input may have shapes without anything in common.
  static std::string any_shape(const ProtoPort& port) {
    return port.presence == "dynamic" ? "opaque" : fmt::format("\"S_{}..\"", port.name);
  }

  // An op without outputs leaves its results in inputs.
  std::string input_line(const ProtoPort& port) {
    std::string more = port.value_depend ? ", value_depend: true" : "";
    if (proto_.outputs.empty()) more += ", written: true";
    return port_line(port, port.name, any_shape(port), more);
  }

  std::string output_line(const ProtoPort& port) {
    if (input(port.name)) {
      notes_.push_back(fmt::format(
          "output {0} has the name of an input: it is {0}_out, in place of {0}", port.name));
      const std::string all =
          port.presence == "dynamic" ? fmt::format(", count: count({})", port.name) : "";
      return port_line(port, port.name + "_out", any_shape(port), ", inplace: " + port.name + all);
    }
    const std::string count = port.presence == "dynamic" ? ", count: 1" : "";
    if (!count.empty())
      notes_.push_back(port.name + " is dynamic: its count is set to 1, write the rule");
    return port_line(port, port.name, "opaque", count);
  }

  void add_notes() {
    if (proto_.outputs.empty())
      notes_.push_back(
          "the op has no outputs: every input is taken as written; remove written from those that "
          "the kernel only reads");
    if (!proto_.from_definition) {
      notes_.push_back("shapes: write the inputs' and outputs' shapes with shared symbols");
    } else if (proto_.infers_shape) {
      notes_.push_back(
          "shapes: outputs get theirs from the sources' InferShape; which input shapes are legal "
          "is not known");
    } else {
      notes_.push_back(
          "shapes: the sources have no InferShape: nothing can run before the outputs' shapes are "
          "written");
    }
    notes_.push_back(
        proto_.from_definition
            ? "reference: what the op computes is not known: opkit test cannot judge its numbers"
            : "reference: write what the op computes as ONNX operators");
  }

  const OpPrototype& proto_;
  std::vector<std::string>& notes_;
  std::map<std::vector<std::string>, std::string> variables_;
  std::vector<std::vector<std::string>> variable_order_;
};

}  // namespace

std::string contract_text(const OpPrototype& prototype, std::vector<std::string>& notes) {
  return ContractText(prototype, notes).write();
}

}  // namespace opkit
