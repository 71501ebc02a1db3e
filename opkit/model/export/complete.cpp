#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/model/export/codes.h"
#include "opkit/model/export/program.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"

namespace opkit::model_export {
namespace {

using graph::RefTensor;
using graph::ValueInfo;

class Completing {
 public:
  explicit Completing(ExportedProgram& program) : program_(program) {}

  Status run() {
    for (const auto& [name, value] : program_.values) {
      if (value.constant) given_.insert(name);
    }
    for (const ProgramEnd& end : program_.inputs) given_.insert(end.value);
    std::vector<Operation> kept;
    for (Operation& operation : program_.operations) {
      OPKIT_TRY(const bool folded, take(operation));
      if (!folded) kept.push_back(std::move(operation));
    }
    program_.operations = std::move(kept);
    for (const ProgramEnd& end : program_.outputs) {
      if (given_.count(end.value) == 0)
        return Error(kCannotExport, fmt::format("no step gives the output '{}'", end.name),
                     "make the model again with atc");
    }
    leave_out_unread();
    return {};
  }

 private:
  // Returns whether all results are constants.
  Result<bool> take(const Operation& operation) {
    const graph::Node& node = operation.node;
    std::vector<const ValueInfo*> inputs;
    std::vector<const RefTensor*> operands;
    bool constant = true;
    for (const std::string& name : node.inputs) {
      if (!name.empty() && given_.count(name) == 0) return unknown(node);
      inputs.push_back(name.empty() ? nullptr : &program_.values.at(name));
      operands.push_back(inputs.back() == nullptr ? nullptr : inputs.back()->constant.get());
      constant = constant && (name.empty() || operands.back() != nullptr);
    }
    auto found = reference::infer_node(node, inputs, operation.opset);
    if (!found.ok()) return std::move(found).error().with("node " + node.name);
    if (constant) OPKIT_CHECK(evaluate(operation, operands, *found));
    bool folded = true;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      OPKIT_CHECK(check_known(node, (*found)[i]));
      folded = folded && (*found)[i].constant != nullptr;
      program_.values[node.outputs[i]] = std::move((*found)[i]);
      given_.insert(node.outputs[i]);
    }
    return folded;
  }

  static Status evaluate(const Operation& operation, const std::vector<const RefTensor*>& operands,
                         std::vector<ValueInfo>& found) {
    OPKIT_TRY(auto results,
              reference::evaluate_node(operation.node, operands, operation.opset,
                                       {.precision = reference::Precision::kRounded}));
    for (size_t i = 0; i < results.size() && i < found.size(); ++i) {
      found[i].dtype = results[i].dtype;
      found[i].shape = results[i].shape;
      found[i].constant = std::make_shared<const RefTensor>(std::move(results[i]));
    }
    return {};
  }

  static Error unknown(const graph::Node& node) {
    return Error(kCannotExport,
                 fmt::format("{} ({}) reads what no step before it gives", node.name, node.op_type),
                 "make the model again with atc");
  }

  static Status check_known(const graph::Node& node, const ValueInfo& value) {
    const bool known =
        value.shape && std::all_of(value.shape->dims().begin(), value.shape->dims().end(),
                                   [](int64_t dim) { return dim >= 0; });
    if (known) return {};
    return Error(
        kCannotExport,
        fmt::format("the dims of what {} ({}) gives depend on data", node.name, node.op_type),
        "export a model whose dims are fixed");
  }

  void leave_out_unread() {
    std::set<std::string> read;
    for (const ProgramEnd& end : program_.outputs) read.insert(end.value);
    std::vector<Operation> kept;
    for (size_t i = program_.operations.size(); i-- > 0;) {
      Operation& operation = program_.operations[i];
      const auto& outputs = operation.node.outputs;
      if (std::none_of(outputs.begin(), outputs.end(),
                       [&](const std::string& name) { return read.count(name) > 0; }))
        continue;
      read.insert(operation.node.inputs.begin(), operation.node.inputs.end());
      kept.push_back(std::move(operation));
    }
    std::reverse(kept.begin(), kept.end());
    program_.operations = std::move(kept);
  }

  ExportedProgram& program_;
  std::set<std::string> given_;  // values that are known where they are read
};

}  // namespace

Status complete(ExportedProgram& program) { return Completing(program).run(); }

}  // namespace opkit::model_export
