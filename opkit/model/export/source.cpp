#include "opkit/model/export/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "opkit/base/counted.h"
#include "opkit/model/export/chains.h"
#include "opkit/model/export/codes.h"
#include "opkit/model/export/emit.h"
#include "opkit/model/export/places.h"
#include "opkit/model/export/source_plan.h"
#include "opkit/model/export/source_text.h"

namespace opkit::model_export {
namespace {

using graph::ValueInfo;

uint64_t element_bytes(DType dtype) {
  const std::string type = c_type(dtype);
  return type == "int64_t" ? 8 : type == "float" || type == "int32_t" ? 4 : 1;
}

template <typename Type>
void append(const std::vector<double>& values, std::string& bytes) {
  for (const double value : values) {
    const auto one = static_cast<Type>(value);
    bytes.append(reinterpret_cast<const char*>(&one), sizeof one);
  }
}

std::string stored(const graph::RefTensor& tensor) {
  std::string bytes;
  const std::string type = c_type(tensor.dtype);
  if (type == "float") append<float>(tensor.values, bytes);
  if (type == "int64_t") append<int64_t>(tensor.values, bytes);
  if (type == "int32_t") append<int32_t>(tensor.values, bytes);
  if (type == "int8_t") append<int8_t>(tensor.values, bytes);
  if (type == "uint8_t" || type == "bool") append<uint8_t>(tensor.values, bytes);
  return bytes;
}

// A text that stands in a comment of one line.
std::string in_comment(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '\\') c = ' ';
  }
  return text;
}

class SourceWriter {
 public:
  explicit SourceWriter(const ExportedProgram& program) : program_(program) {}

  Result<ProgramSource> run() {
    for (const ProgramEnd& end : program_.inputs) hold(end.value, 0);
    for (size_t i = 0; i < program_.operations.size(); ++i) {
      take_aliases(program_.operations[i]);
      emit(i);
    }
    for (const ProgramEnd& end : program_.outputs) hold(root(end.value), codes_.size() + 1);
    for (const auto* ends : {&program_.inputs, &program_.outputs}) {
      for (const ProgramEnd& end : *ends) check_end(end);
    }
    if (!refusals_.empty()) return refused();
    const std::vector<OperationChain> chains = chains_of(program_);
    for (const OperationChain& chain : chains) stretch(chain);
    place_values();
    write_functions();
    write_ends();
    write_plan(chains);
    return std::move(source_);
  }

 private:
  const ValueInfo& value(const std::string& name) const { return program_.values.at(name); }

  std::string root(const std::string& name) const {
    const auto found = aliases_.find(name);
    return found == aliases_.end() ? name : found->second;
  }

  DType rounding(const std::string& name) const {
    const auto found = program_.rounded.find(name);
    return found == program_.rounded.end() ? DType::kUndefined : found->second;
  }

  // A result with the operand's elements lies where they are, unless rounding changes them.
  void take_aliases(const Operation& operation) {
    const graph::Node& node = operation.node;
    if (!is_same_elements(node.op_type)) return;
    const std::string &from = node.inputs.at(0), &to = node.outputs.at(0);
    const bool same = c_type(value(from).dtype) == c_type(value(to).dtype) &&
                      (rounding(to) == DType::kUndefined || rounding(to) == rounding(from));
    const bool alone = node.outputs.size() < 2 || node.outputs[1].empty();
    if (same && alone) aliases_[to] = root(from);
  }

  std::string variable(const std::string& name) {
    return fmt::format("v{}", numbers_.emplace(name, numbers_.size()).first->second);
  }

  Variable variable_of(const std::string& name) {
    if (name.empty()) return {};
    const ValueInfo& known = value(name);
    return {variable(name), known.dtype, known.shape.value_or(Shape()), known.constant.get()};
  }

  // Constants lie in the weights.
  void hold(const std::string& name, size_t when) {
    if (value(name).constant) return;
    const auto [found, first] = held_.emplace(name, Held{when, when, 0});
    found->second.to = std::max(found->second.to, when);
    if (first)
      found->second.bytes = static_cast<uint64_t>(value(name).shape.value_or(Shape()).elements()) *
                            element_bytes(value(name).dtype);
  }

  // What a chain reads and computes on the way stays until its last operation.
  void stretch(const OperationChain& chain) {
    for (const size_t i : chain.operations) {
      const graph::Node& node = program_.operations[i].node;
      for (const auto* names : {&node.inputs, &node.outputs}) {
        for (const std::string& name : *names) {
          const auto found = held_.find(name.empty() ? name : root(name));
          if (found != held_.end()) found->second.to = std::max(found->second.to, chain.last() + 1);
        }
      }
    }
  }

  void emit(size_t i) {
    const Operation& operation = program_.operations[i];
    const graph::Node& node = operation.node;
    codes_.emplace_back();
    if (aliases_.count(node.outputs[0]) > 0) return;
    const EmitSource emit = source_of(node.op_type);
    if (emit == nullptr) {
      missing_[node.op_type].push_back(node.name);
      refusals_.insert(node.op_type);
      return;
    }
    std::vector<Variable> in, out;
    for (const std::string& name : node.inputs) in.push_back(variable_of(name));
    for (const std::string& name : node.outputs) out.push_back(variable_of(name));
    auto code = emit(NodeSource(node, operation.opset, std::move(in), std::move(out)));
    if (!code.ok()) {
      refusals_.insert(code.error().message);
      return;
    }
    codes_.back() = std::move(*code);
    for (const std::string& name : node.outputs) {
      if (!name.empty()) add_rounding(node, name, codes_.back());
    }
    for (const auto* names : {&node.inputs, &node.outputs}) {
      for (const std::string& name : *names) {
        if (!name.empty() && mentions(codes_.back(), variable(name))) hold(root(name), i + 1);
      }
    }
  }

  // A Cast rounds wherever it stands.
  void add_rounding(const graph::Node& node, const std::string& name, std::string& code) {
    DType dtype = rounding(name);
    const DType own = value(name).dtype;
    if (node.op_type == "Cast" && (own == DType::kFloat16 || own == DType::kBFloat16)) dtype = own;
    if (dtype == DType::kUndefined || c_type(value(name).dtype) != "float") return;
    code += fmt::format("round_{}({}, {});\n", name_of(dtype), value(name).shape->elements(),
                        variable(name));
  }

  void check_end(const ProgramEnd& end) {
    if (c_type(value(end.value).dtype).empty())
      refusals_.insert(fmt::format("'{}' is {}", end.name, name_of(value(end.value).dtype)));
  }

  Error refused() const {
    std::string all;
    for (const std::string& one : refusals_) {
      all += (all.empty() ? "" : "; ") + one;
      const auto nodes = missing_.find(one);
      if (nodes == missing_.end()) continue;
      all += fmt::format(" ({}{})", nodes->second[0],
                         nodes->second.size() > 1
                             ? fmt::format(" and {}", counted(nodes->second.size() - 1, "other"))
                             : "");
    }
    return Error(kCannotExport, "there is no source for " + all,
                 "change the model so that it does without; docs/export.md has the operators");
  }

  void place_values() {
    std::vector<Held> all;
    for (const auto& [name, held] : held_) all.push_back(held);
    const PlacedValues places = place_all(all);
    size_t i = 0;
    for (const auto& [name, held] : held_) offsets_[name] = places.offsets[i++];
    source_.block_bytes = places.total;
  }

  // Returns the place of a value as an expression of its type.
  std::string place(const std::string& name) {
    const std::string own = root(name), type = c_type(value(own).dtype);
    if (!value(own).constant) return fmt::format("m.block<{}>({})", type, offsets_.at(own));
    if (weights_.count(own) == 0) {
      source_.weights.resize((source_.weights.size() + 63) / 64 * 64);
      weights_[own] = source_.weights.size();
      source_.weights += stored(*value(own).constant);
    }
    return fmt::format("m.weights<{}>({})", type, weights_.at(own));
  }

  std::string declarations(const std::vector<size_t>& operations, const std::string& body) {
    std::string lines;
    std::set<std::string> known;
    for (const size_t i : operations) {
      const graph::Node& node = program_.operations[i].node;
      for (const auto* names : {&node.inputs, &node.outputs}) {
        for (const std::string& name : *names) {
          if (name.empty() || !mentions(body, variable(name)) || !known.insert(name).second)
            continue;
          lines +=
              fmt::format("  {}{}* const {} = {};\n", value(root(name)).constant ? "const " : "",
                          c_type(value(name).dtype), variable(name), place(name));
        }
      }
    }
    return lines;
  }

  void write_functions() {
    const auto& operations = program_.operations;
    for (size_t first = 0, last = 0; first < operations.size(); first = last) {
      std::string body;
      std::vector<size_t> own;
      for (last = first;
           last < operations.size() && operations[last].call == operations[first].call; ++last) {
        body += codes_[last];
        own.push_back(last);
      }
      if (body.empty()) continue;
      const CoveredCall& call = program_.calls[operations[first].call];
      source_.functions += fmt::format("// {}: {}\nvoid call_{}(const Memory& m) {{\n{}{}}}\n\n",
                                       in_comment(call.op), in_comment(call.nodes), source_.calls,
                                       declarations(own, body), indented(body, 2));
      ++source_.calls;
    }
  }

  static std::string conversion(DType dtype) {
    return dtype == DType::kFloat16 ? "_float16" : dtype == DType::kBFloat16 ? "_bfloat16" : "";
  }

  void write_ends() {
    for (size_t i = 0; i < program_.inputs.size(); ++i) {
      const std::string& name = program_.inputs[i].value;
      source_.take +=
          fmt::format("  take_in{}({}, inputs[{}], {});\n", conversion(value(name).dtype),
                      value(name).shape->elements(), i, place(name));
    }
    for (size_t i = 0; i < program_.outputs.size(); ++i) {
      const std::string& name = program_.outputs[i].value;
      source_.give +=
          fmt::format("  outputs.push_back(given_out{}({}, {}));\n", conversion(value(name).dtype),
                      value(name).shape->elements(), place(name));
    }
  }

  void write_plan(const std::vector<OperationChain>& chains) {
    std::map<size_t, std::vector<std::string>> gone;
    for (const auto& [name, held] : held_) gone[held.to].push_back(place(name));
    std::vector<std::string> given;
    for (const ProgramEnd& end : program_.outputs) given.push_back(place(end.value));
    const StepsOf steps{program_, [this](const std::string& name) { return variable_of(name); },
                        [this](const std::string& name, size_t operation) {
                          const auto found = held_.find(root(name));
                          return found != held_.end() && found->second.to == operation + 1;
                        }};
    source_.plan =
        plan_source({steps, chains, codes_, gone, given,
                     [this](const std::vector<size_t>& operations, const std::string& body) {
                       return declarations(operations, body);
                     },
                     [this](size_t i) {
                       const graph::Node& node = program_.operations[i].node;
                       const std::string& name = node.outputs[0];
                       std::string code;
                       add_rounding(node, name, code);
                       return code;
                     }});
  }

  const ExportedProgram& program_;
  ProgramSource source_;
  std::map<std::string, std::string> aliases_;  // values that lie where others do
  std::map<std::string, size_t> numbers_;
  std::map<std::string, Held> held_;
  std::map<std::string, uint64_t> offsets_, weights_;
  std::vector<std::string> codes_;  // holds the text of each operation
  std::set<std::string> refusals_;
  std::map<std::string, std::vector<std::string>> missing_;  // nodes by operator
};

}  // namespace

Result<ProgramSource> source_of_program(const ExportedProgram& program) {
  return SourceWriter(program).run();
}

}  // namespace opkit::model_export
