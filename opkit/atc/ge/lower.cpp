#include "opkit/atc/ge/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "opkit/atc/ge/check_operator.h"
#include "opkit/atc/ge/contract_operator.h"
#include "opkit/atc/ge/emitter.h"
#include "opkit/atc/ge/known.h"
#include "opkit/atc/ge/types.h"
#include "opkit/base/suggest.h"
#include "opkit/reference/tensor.h"

namespace opkit::ge_frontend {
namespace {

using opkit_graph::Link;
using opkit_graph::OperatorData;

Error bad_graph(const std::string& what, const std::string& action) {
  return Error(kBadGraph, what, action);
}

const Rules& rules() {
  static const Rules all = [] {
    Rules joined;
    for (Rules part : {elementwise_rules(), window_rules(), product_rules(), row_rules(),
                       shape_rules(), slice_rules()})
      joined.merge(part);
    return joined;
  }();
  return all;
}

bool is_constant(const OperatorData& op) { return op.type == "Const" || op.type == "Constant"; }

class Lowering {
 public:
  Lowering(const ge::Graph& graph, const std::map<std::string, Shape>& shapes,
           const Contracts& contracts)
      : from_(graph.opkit_data()), shapes_(shapes), contracts_(contracts) {}

  Result<graph::Graph> run() {
    graph_.name = from_.name.empty() ? "graph" : from_.name;
    graph_.opset = kOpset;
    OPKIT_CHECK(add_inputs());
    OPKIT_CHECK(add_outputs());
    for (const ge::Operator& added : from_.added) OPKIT_CHECK(prepare(added.opkit_data()));
    OPKIT_CHECK(graph::validate(graph_));
    return std::move(graph_);
  }

 private:
  static constexpr int kOpset = 17;

  // What is known of an operator that was reached.
  struct Reached {
    const Prototype* prototype = nullptr;
    const OpContract* contract = nullptr;  // describes an operator that the table does not have
    std::string name;
    Sources sources;
    bool done = false;  // its nodes are there
    size_t results = 1;
  };

  // Name, prototype and inputs, once. Not what its inputs are made of.
  Status prepare(const std::shared_ptr<OperatorData>& op) {
    const auto [place, fresh] = reached_.try_emplace(op.get());
    if (!fresh) return {};
    Reached& reached = place->second;
    reached.name = op->name.empty() ? fmt::format("{}_{}", op->type, reached_.size()) : op->name;
    OPKIT_CHECK(find_type(*op, reached));
    OPKIT_TRY(reached.sources, check_operator(*op, *reached.prototype, reached.name));
    if (names_.insert(reached.name).second) return {};
    return bad_graph(fmt::format("two operators are called '{}'", reached.name),
                     "give every operator a name of its own");
  }

  Status find_type(const OperatorData& op, Reached& reached) {
    const OpContract* contract =
        find_prototype(op.type) == nullptr && contracts_ ? contracts_(op.type) : nullptr;
    if (contract == nullptr) {
      OPKIT_TRY(reached.prototype, prototype_of(op, reached.name));
      return {};
    }
    reached.contract = contract;
    reached.prototype = &of_contracts_.try_emplace(op.type, prototype_of(*contract)).first->second;
    return {};
  }

  Status add_inputs() {
    if (from_.inputs.empty())
      return bad_graph("the graph has no inputs", "SetInputs with its op::Data");
    for (const ge::Operator& input : from_.inputs) {
      OPKIT_CHECK(prepare(input.opkit_data()));
      OPKIT_CHECK(check_input(*input.opkit_data(), reached_.at(input.opkit_data().get())));
    }
    OPKIT_TRY(const auto inputs, inputs_in_order());
    for (const OperatorData* input : inputs) OPKIT_CHECK(add_input(*input));
    for (const auto& [name, shape] : shapes_) {
      if (names_.count(name) == 0)
        return Error("E10001", fmt::format("input_shape names '{}', which is no input", name),
                     suggest(name, graph_.inputs));
    }
    return {};
  }

  Status check_input(const OperatorData& op, Reached& reached) const {
    if (op.type != "Data")
      return bad_graph(fmt::format("input {} is a {}", reached.name, op.type),
                       "SetInputs takes op::Data; an op::Const is no input");
    if (reached.done)
      return bad_graph(fmt::format("SetInputs names {} twice", reached.name), "name it once");
    reached.done = true;
    return {};
  }

  // Orders inputs by their attribute `index`, whose default is 0, where the program set one; else
  // as SetInputs has them.
  Result<std::vector<const OperatorData*>> inputs_in_order() const {
    std::vector<const OperatorData*> given;
    for (const ge::Operator& input : from_.inputs) given.push_back(input.opkit_data().get());
    const auto is_numbered = [](const OperatorData* op) {
      return op->attributes.count("index") > 0;
    };
    if (std::ranges::none_of(given, is_numbered)) return given;
    std::vector<const OperatorData*> ordered(given.size());
    for (const OperatorData* op : given) OPKIT_CHECK(place(*op, ordered));
    return ordered;
  }

  // No number is there twice, so that none is missing.
  Status place(const OperatorData& op, std::vector<const OperatorData*>& ordered) const {
    const auto set = op.attributes.find("index");
    const int64_t index = set == op.attributes.end() ? 0 : std::get<int64_t>(set->second);
    const std::string& name = reached_.at(&op).name;
    const std::string action =
        fmt::format("set_attr_index of every op::Data: 0 to {}, each once", ordered.size() - 1);
    if (index < 0 || static_cast<uint64_t>(index) >= ordered.size())
      return bad_graph(
          fmt::format("{} (Data) has index {} of {} inputs", name, index, ordered.size()), action);
    const OperatorData*& there = ordered[static_cast<size_t>(index)];
    if (there != nullptr)
      return bad_graph(fmt::format("{} and {} (Data) have index {}; unset ones have 0",
                                   reached_.at(there).name, name, index),
                       action);
    there = &op;
    return {};
  }

  Status add_input(const OperatorData& op) {
    const std::string& name = reached_.at(&op).name;
    const auto described =
        op.output_descs.count("y") > 0 ? op.output_descs.find("y") : op.input_descs.find("x");
    if (op.output_descs.empty() && op.input_descs.empty())
      return Error(kBadOperator, fmt::format("{} (Data) has no description", name),
                   "update_input_desc_x(TensorDesc(Shape({1, 3, 224, 224}), FORMAT_NCHW, "
                   "DT_FLOAT))");
    return describe(described->second, name);
  }

  Status describe(const ge::TensorDesc& desc, const std::string& name) {
    OPKIT_TRY(const DType dtype, dtype_of(desc.GetDataType(), name));
    if (desc.GetFormat() != ge::FORMAT_ND && desc.GetFormat() != ge::FORMAT_NCHW)
      return Error(kBadOperator,
                   fmt::format("{} (Data) has format {}, graphs are NCHW or ND", name,
                               static_cast<int>(desc.GetFormat())),
                   "give the images in FORMAT_NCHW");
    Shape shape(desc.GetShape().GetDims());
    const auto stated = shapes_.find(name);
    if (stated != shapes_.end() && fits(stated->second, shape))
      shape = stated->second;
    else if (stated != shapes_.end())
      return Error("E10001",
                   fmt::format("input_shape says {} is {}, the graph says {}", name,
                               stated->second.to_string(), shape.to_string()),
                   "state dims that the graph leaves open");
    graph_.add_input(name, dtype, std::move(shape));
    return {};
  }

  static bool fits(const Shape& stated, const Shape& described) {
    if (stated.rank() != described.rank()) return false;
    for (size_t i = 0; i < stated.rank(); ++i) {
      if (described[i] >= 0 && described[i] != stated[i]) return false;
    }
    return true;
  }

  Status add_outputs() {
    for (const auto& [op, numbers] : from_.outputs) {
      for (const size_t number : numbers)
        OPKIT_CHECK(add_output({op.opkit_data(), "", static_cast<uint32_t>(number)}));
    }
    for (const auto& [op, name] : from_.named_outputs)
      OPKIT_CHECK(add_output({op.opkit_data(), name, 0}));
    if (!graph_.outputs.empty()) return {};
    return bad_graph("the graph has no outputs", "SetOutputs with the operators that end it");
  }

  Status add_output(const Link& link) {
    OPKIT_CHECK(lower_all(link.source));
    OPKIT_TRY(std::string value, value_of(link));
    const auto& outputs = graph_.outputs;
    if (std::find(outputs.begin(), outputs.end(), value) != outputs.end())
      return bad_graph(fmt::format("SetOutputs names {} twice", value), "name it once");
    graph_.outputs.push_back(std::move(value));
    return {};
  }

  // Lowers everything that the operator needs, then itself. No recursion: graphs may be deep.
  Status lower_all(const std::shared_ptr<OperatorData>& last) {
    std::vector<std::shared_ptr<OperatorData>> stack = {last};
    std::set<const OperatorData*> waiting;  // wait for what lies above them
    while (!stack.empty()) {
      const std::shared_ptr<OperatorData> op = stack.back();
      OPKIT_CHECK(prepare(op));
      Reached& reached = reached_.at(op.get());
      const bool second = !waiting.insert(op.get()).second;
      if (reached.done || second) {
        if (!reached.done) OPKIT_CHECK(lower_one(*op, reached));
        waiting.erase(op.get());
        stack.pop_back();
        continue;
      }
      for (const auto& [port, links] : reached.sources) {
        for (const Link& link : links) OPKIT_CHECK(push(link, reached.name, waiting, stack));
      }
    }
    return {};
  }

  Status push(const Link& link, const std::string& reader,
              const std::set<const OperatorData*>& waiting,
              std::vector<std::shared_ptr<OperatorData>>& stack) {
    const auto known = reached_.find(link.source.get());
    if (known != reached_.end() && known->second.done) return {};
    if (waiting.count(link.source.get()) > 0)
      return bad_graph(fmt::format("operators wait for each other: {} reads {}, which needs it",
                                   reader, reached_.at(link.source.get()).name),
                       "break the circle");
    stack.push_back(link.source);
    return {};
  }

  Status lower_one(const OperatorData& op, Reached& reached) {
    reached.done = true;
    if (is_constant(op)) return add_constant(op, reached.name);
    if (op.type == "Data")
      return bad_graph(fmt::format("{} is an input that SetInputs does not name", reached.name),
                       "add it to SetInputs");
    std::map<std::string, std::vector<std::string>> inputs;
    for (const auto& [port, links] : reached.sources) {
      inputs[port];
      for (const Link& link : links) {
        OPKIT_TRY(std::string value, value_of(link));
        inputs[port].push_back(std::move(value));
      }
    }
    if (reached.contract != nullptr)
      return add_reference({*reached.contract, op, reached.name, inputs}, graph_, known_);
    Emitter emit(graph_, *reached.prototype, op, reached.name, std::move(inputs), known_);
    OPKIT_CHECK(rules().at(op.type)(emit));
    reached.results = emit.results_made();
    return {};
  }

  // Only the first outputs are computed by the nodes of a rule.
  Result<std::string> value_of(const Link& link) const {
    const Reached& source = reached_.at(link.source.get());
    OPKIT_TRY(const size_t number, output_of(link, *source.prototype, source.results, source.name));
    if (number == 0) return source.name;
    if (source.contract != nullptr || number < source.results)
      return fmt::format("{}:{}", source.name, number);
    return Error(kBadOperator,
                 fmt::format("{} ({}): output {} is not computed", source.name,
                             source.prototype->type, source.prototype->outputs[number]),
                 fmt::format("use its output {} alone", source.prototype->outputs[0]))
        .of(source.prototype->type);
  }

  Status add_constant(const OperatorData& op, const std::string& name) {
    const auto& given = std::get<ge::Tensor>(op.attributes.at("value"));
    const ge::TensorDesc desc = given.GetTensorDesc();
    OPKIT_TRY(const DType dtype, dtype_of(desc.GetDataType(), name));
    const Shape shape(desc.GetShape().GetDims());
    const auto elements = shape.checked_elements();
    if (!elements.ok() || bytes_of(dtype, static_cast<uint64_t>(*elements)) != given.GetSize())
      return Error(kBadOperator,
                   fmt::format("{} ({}): {} bytes are given for {}{}", name, op.type,
                               given.GetSize(), opkit::name_of(dtype), shape.to_string()),
                   "SetData with as many bytes as the description says")
          .of(op.type);
    Tensor tensor(dtype, shape, name);
    if (given.GetSize() > 0) std::memcpy(tensor.data(), given.GetData(), given.GetSize());
    OPKIT_TRY(graph::RefTensor constant, reference::from_tensor(tensor));
    graph_.add_constant(name, std::move(constant));
    return {};
  }

  const opkit_graph::GraphData& from_;
  const std::map<std::string, Shape>& shapes_;
  const Contracts& contracts_;
  graph::Graph graph_;
  Known known_{graph_};
  std::map<std::string, Prototype> of_contracts_;
  std::map<const OperatorData*, Reached> reached_;
  std::set<std::string> names_;
};

}  // namespace

Result<graph::Graph> lower(const ge::Graph& graph, const std::map<std::string, Shape>& shapes,
                           const Contracts& contracts) {
  return Lowering(graph, shapes, contracts).run();
}

}  // namespace opkit::ge_frontend
