#include "opkit/atc/compile/file_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

// Small integers, so that most sums are exact, or numbers between -1 and 1.
std::vector<Tensor> drawn_inputs(const model::OfflineModel& model, bool integers) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Tensor> inputs;
  for (const uint32_t t : model.inputs) {
    const TensorDesc& desc = model.tensors[t].desc;
    Tensor& tensor = inputs.emplace_back(desc.dtype, desc.shape, desc.name);
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      const double value = number(random);
      const double real = integers ? std::round(2 * value) : value;
      tensor.set(i, is_float(desc.dtype) ? real : value > 0);
    }
  }
  return inputs;
}

// What the interpreter needs for an element of a result, in multiply-adds.
constexpr double kPerElement = 32;

double work_of(const Graph& graph) {
  double work = 0;
  for (const Node& node : graph.nodes) {
    work += products_of(graph, node);
    for (const std::string& output : node.outputs) {
      const auto value = graph.values.find(output);
      if (value != graph.values.end() && value->second.shape)
        work += kPerElement * static_cast<double>(value->second.shape->elements());
    }
  }
  return work;
}

// Iterations whose number data decide.
constexpr double kGuessedTrips = 64;

double work_of(const Compiled& compiled) {
  double work = work_of(compiled.graph);
  for (const CompiledBody& body : compiled.bodies) {
    const bool branch = compiled.graph.nodes[body.node].op_type == "If";
    const double guessed = branch ? 1 : kGuessedTrips;
    work += work_of(*body.compiled) * (body.trips ? static_cast<double>(*body.trips) : guessed);
  }
  return work;
}

// A few units in the last place.
double unit_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat16: return 0x1p-10;
    case DType::kBFloat16: return 0x1p-7;
    default: return 0x1p-22;
  }
}

bool is_quantizer(const Node& node) {
  return node.op_type == "QuantizeLinear" || node.op_type == "DynamicQuantizeLinear" ||
         node.op_type.starts_with("QLinear");
}

bool quantizes(const Compiled& compiled) {
  const std::vector<Node>& nodes = compiled.before.nodes;
  return std::any_of(nodes.begin(), nodes.end(), is_quantizer) ||
         std::any_of(compiled.bodies.begin(), compiled.bodies.end(),
                     [](const CompiledBody& body) { return quantizes(*body.compiled); });
}

// Where the model rounds to whole numbers, a thousandth of what they stand for turns some of them,
// as another order of sums turns few.
double unit_of(const Compiled& compiled) {
  const double unit = unit_of(coarsest_type(compiled));
  return quantizes(compiled) ? std::max(unit, 0x1p-10) : unit;
}

bool has_unfit(const Compiled& compiled) {
  return std::any_of(compiled.bodies.begin(), compiled.bodies.end(), [](const CompiledBody& body) {
    return body.unfit || has_unfit(*body.compiled);
  });
}

// Returns single integers that something is compared with: an input that chooses a branch.
std::set<double> compared_numbers(const Graph& graph) {
  std::set<double> numbers;
  for (const Node& node : graph.nodes) {
    if (node.op_type != "Equal") continue;
    const auto known = reference::known_values(graph, node.inputs);
    for (size_t i = 0; known.ok() && i < known->size(); ++i) {
      const RefTensor* number = (*known)[i].get();
      if (number != nullptr && number->elements() == 1 && !is_float(number->dtype))
        numbers.insert((*number)[0]);
    }
  }
  return numbers;
}

// Returns the node that defines a value, behind nodes that only move elements and take them as they
// are.
const Node* source_of(const Graph& graph, std::string value) {
  static const std::set<std::string> kMoves = {"Reshape", "Flatten",   "Squeeze", "Unsqueeze",
                                               "Slice",   "Transpose", "Identity"};
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    if (std::find(node->outputs.begin(), node->outputs.end(), value) == node->outputs.end())
      continue;
    if (kMoves.count(node->op_type) == 0 || node->inputs.empty()) return &*node;
    value = node->inputs[0];
  }
  return nullptr;
}

// What one step is of an output's unit: the scale behind whole numbers, or one whole number.
double step_of(const Graph& graph, const std::string& output) {
  const Node* node = source_of(graph, output);
  if (node == nullptr) return 0;
  if (is_quantizer(*node)) return 1;
  if (node->op_type != "DequantizeLinear" || node->inputs.size() < 2) return 0;
  const RefTensor* scale = graph.constant(node->inputs[1]);
  double largest = 0;
  for (size_t i = 0; scale != nullptr && i < scale->values.size(); ++i)
    largest = std::max(largest, std::abs(scale->values[i]));
  return largest;
}

// What an output's largest element counts as at least: smaller ones of a type have few digits.
double least_of(DType dtype) { return dtype == DType::kFloat16 ? 0x1p-14 : 1e-30; }

template <typename Element>
double farthest(const RefTensor& expected, int64_t count, Element got) {
  if (expected.elements() != count) return INFINITY;
  double largest = least_of(expected.dtype), worst = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double wanted = reference::rounded_to(expected.dtype, expected[i]);
    if (!std::isfinite(wanted)) continue;
    const double off = std::abs(got(i) - expected[i]);
    largest = std::max(largest, std::abs(wanted));
    worst = std::isfinite(off) ? std::max(worst, off) : INFINITY;
    if (!std::isfinite(worst)) return worst;
  }
  return worst / largest;
}

}  // namespace

double distance(const RefTensor& expected, const Tensor& got) {
  return farthest(expected, got.elements(), [&](int64_t i) { return got.at(i); });
}

double distance(const RefTensor& expected, const RefTensor& got) {
  return farthest(expected, got.elements(), [&](int64_t i) { return got[i]; });
}

DType coarsest_type(const Compiled& compiled) {
  DType coarsest = DType::kFloat32;
  for (const CompiledBody& body : compiled.bodies) {
    const DType inside = coarsest_type(*body.compiled);
    if (inside == DType::kBFloat16) return inside;
    if (inside == DType::kFloat16) coarsest = inside;
  }
  for (const Node& node : compiled.graph.nodes) {
    for (const std::string& output : node.outputs) {
      const auto value = compiled.graph.values.find(output);
      if (value == compiled.graph.values.end()) continue;
      if (value->second.dtype == DType::kBFloat16) return DType::kBFloat16;
      if (value->second.dtype == DType::kFloat16) coarsest = DType::kFloat16;
    }
  }
  return coarsest;
}

FileReference::FileReference(const Compiled& compiled, double limit)
    : before_(compiled.before),
      converted_(compiled.changes.converted),
      limit_(limit),
      unit_(unit_of(compiled)),
      work_(work_of(compiled)),
      refuses_(has_unfit(compiled)) {
  for (size_t set = 0; set < kSets; ++set) {
    inputs_[set] = drawn_inputs(compiled.model(), set == 0);
    for (size_t i = 0; i < inputs_[set].size(); ++i) give(set, i, inputs_[set][i]);
  }
}

void FileReference::give(size_t set, size_t input, const Tensor& tensor) {
  auto named = reference::from_tensor(tensor);
  if (named.ok()) named_[set][tensor.desc().name] = std::move(named).value();
  if (&inputs_[set][input] != &tensor) inputs_[set][input] = tensor;
}

Result<reference::NamedTensors> FileReference::evaluate_file(size_t set) {
  auto evaluated = evaluate(before_, set);
  if (evaluated.ok() || !refuses_) return evaluated;
  const Tensors drawn = inputs_[set];
  for (const double number : compared_numbers(before_)) {
    for (size_t i = 0; i < drawn.size(); ++i) {
      if (is_float(drawn[i].dtype()) || drawn[i].elements() != 1) continue;
      Tensor chosen = drawn[i];
      chosen.set(0, number);
      give(set, i, chosen);
    }
    auto other = evaluate(before_, set);
    if (other.ok()) return other;
  }
  for (size_t i = 0; i < drawn.size(); ++i) give(set, i, drawn[i]);
  return evaluated;
}

Result<reference::NamedTensors> FileReference::evaluate(const Graph& graph, size_t set,
                                                        double noise, uint32_t draw) const {
  return reference::evaluate(graph, named_[set], {reference::Precision::kDouble, noise, draw});
}

const reference::NamedTensors* FileReference::outputs(size_t set) {
  if (!missing_[set].empty()) return nullptr;
  if (outputs_[set]) return &*outputs_[set];
  // Random data say more.
  if (work_ > (set == 0 ? limit_ / kIntegersShare : limit_)) {
    missing_[set] = fmt::format(
        "the interpreter would need {:.2g} multiply-adds (--check takes that "
        "time)",
        work_);
    return nullptr;
  }
  auto evaluated = evaluate_file(set);
  if (!evaluated.ok()) {
    missing_[set] = evaluated.error().code + ": " + evaluated.error().message;
    return nullptr;
  }
  outputs_[set] = std::move(evaluated).value();
  return &*outputs_[set];
}

double FileReference::distance(const reference::NamedTensors* other, size_t set,
                               const std::string& output) {
  const reference::NamedTensors* expected = outputs(set);
  if (expected == nullptr || other == nullptr) return std::numeric_limits<double>::infinity();
  const auto found = other->find(output);
  if (found == other->end()) return std::numeric_limits<double>::infinity();
  return compile::distance(expected->at(output), found->second);
}

const reference::NamedTensors& FileReference::noisy(size_t set, size_t draw) {
  while (noisy_[set].size() <= draw) {
    const auto next = static_cast<uint32_t>(noisy_[set].size());
    auto moved = next == 0
                     ? reference::evaluate(before_, named_[set], {reference::Precision::kRounded})
                     : evaluate(before_, set, unit_, next - 1);
    noisy_[set].push_back(moved.ok() ? std::move(moved).value() : reference::NamedTensors());
  }
  return noisy_[set][draw];
}

double FileReference::noise(size_t set, const std::string& output, double enough) {
  double most = 0;
  for (size_t draw = 0; draw < kDraws && most < enough; ++draw)
    most = std::max(most, distance(&noisy(set, draw), set, output));
  return most;
}

double FileReference::step(size_t set, const std::string& output) {
  const reference::NamedTensors* expected = outputs(set);
  const double step = step_of(before_, output);
  if (expected == nullptr || step == 0) return 0;
  double largest = 1e-30;
  for (const double value : expected->at(output).values) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return step / largest;
}

const Graph* FileReference::canonical() {
  if (canonical_) return &*canonical_;
  Graph graph = before_;
  if (!prepare(graph).ok()) return nullptr;
  canonical_ = std::move(graph);
  return &*canonical_;
}

double FileReference::canonical_distance(size_t set, const std::string& output) {
  if (!canonical_outputs_[set]) {
    const Graph* graph = canonical();
    if (graph == nullptr) return std::numeric_limits<double>::infinity();
    auto outputs = evaluate(*graph, set);
    canonical_outputs_[set] = outputs.ok() ? std::move(outputs).value() : reference::NamedTensors();
  }
  return distance(&*canonical_outputs_[set], set, output);
}

Errors FileReference::overflows(size_t set) {
  const Graph* graph = canonical();
  if (graph == nullptr) return {};
  std::vector<Converted> narrow = written_in_16_bits(*graph);
  narrow.insert(narrow.end(), converted_.begin(), converted_.end());
  auto found = find_overflows(*graph, narrow, named_[set]);
  return found.ok() ? std::move(found).value() : Errors();
}

}  // namespace opkit::compile
