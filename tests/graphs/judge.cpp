#include "tests/graphs/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "opkit/atc/compile/compile.h"
#include "opkit/atc/compile/prepare.h"
#include "opkit/atc/compile/proof.h"
#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"
#include "tests/graphs/maker.h"
#include "tests/installed_opp.h"

namespace opkit::graph_tests {
namespace {

using graph::Graph;
using graph::RefTensor;
using reference::NamedTensors;

constexpr const char* kSoc = "Ascend910B1";

// Returns the distance as a share of the largest element; what is not finite counts nothing.
double distance(const RefTensor& wanted, const RefTensor& got) {
  double largest = 1e-6, worst = 0;
  for (int64_t i = 0; i < wanted.elements(); ++i) {
    if (!std::isfinite(wanted[i])) continue;
    largest = std::max(largest, std::abs(wanted[i]));
    const double off = std::abs(wanted[i] - got[i]);
    worst = std::isfinite(off) ? std::max(worst, off) : INFINITY;
  }
  return worst / largest;
}

// Tells whether roundings on the way may move the output that far. Elements that are nearly equal
// are chosen this way or that way (TopK), so that one draw does not tell.
bool roundings_move(const Graph& before, const NamedTensors& inputs, const std::string& name,
                    const RefTensor& wanted, double off) {
  constexpr double kUnit = 0x1p-21, kNoises = 16;
  constexpr uint32_t kDraws = 8;
  for (uint32_t draw = 0; draw < kDraws; ++draw) {
    const auto moved =
        reference::evaluate(before, inputs, {reference::Precision::kDouble, kUnit, draw});
    if (!moved.ok() || off <= kNoises * distance(wanted, moved->at(name))) return true;
  }
  return false;
}

// Nothing when the two agree, as far as rounding to binary32 on the way lets them.
std::string difference(const Graph& before, const NamedTensors& inputs, const NamedTensors& wanted,
                       const NamedTensors& got) {
  constexpr double kNear = 2e-6;
  for (const auto& [name, tensor] : wanted) {
    const RefTensor& other = got.at(name);
    if (other.dtype != tensor.dtype || other.shape != tensor.shape)
      return fmt::format("'{}' is {}{}, not {}{}", name, name_of(other.dtype),
                         other.shape.to_string(), name_of(tensor.dtype), tensor.shape.to_string());
    const double off = distance(tensor, other);
    if (off > kNear && !roundings_move(before, inputs, name, tensor, off))
      return fmt::format("'{}' is off by {:.3g} of its largest element", name, off);
  }
  return "";
}

Judged judge_values(const Graph& before, const Graph& after) {
  bool any = false;
  for (const bool integers : {true, false}) {
    const NamedTensors inputs = drawn_inputs(before, integers);
    const auto wanted = reference::evaluate(before, inputs);
    if (!wanted.ok()) continue;
    const auto got = reference::evaluate(after, inputs);
    if (!got.ok()) return {Verdict::kWrong, "canonical: " + got.error().to_string()};
    any = true;
    const std::string off = difference(before, inputs, *wanted, *got);
    if (!off.empty()) return {Verdict::kWrong, off + "\n" + graph::to_text(after)};
  }
  return {any ? Verdict::kSame : Verdict::kUndefined, ""};
}

// Tells whether the mistake changes the graph, and leaves one of the same outputs.
bool plant(const passes::Rewrite& planted, Graph& graph) {
  const Graph before = graph;
  const auto changes = planted.apply(graph);
  if (!changes.ok() || *changes == 0 || !reference::infer(graph).ok()) return false;
  return std::all_of(graph.outputs.begin(), graph.outputs.end(), [&](const std::string& output) {
    return graph.values.at(output).shape == before.values.at(output).shape;
  });
}

Judged refused(const Error& error) {
  return {Verdict::kRefused, error.code + ": " + error.message};
}

const char* word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSame: return "same";
    case Verdict::kUndefined: return "without values";
    case Verdict::kRefused: return "refused";
    default: return "WRONG";
  }
}

}  // namespace

NamedTensors drawn_inputs(const Graph& graph, bool integers) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(-2, 2);
  NamedTensors inputs;
  for (const std::string& name : graph.inputs) {
    const graph::ValueInfo& value = graph.values.at(name);
    RefTensor tensor{value.dtype, *value.shape, {}};
    for (int64_t i = 0; i < value.shape->elements(); ++i) {
      const double drawn = number(random);
      tensor.values.push_back(integers ? std::round(drawn)
                                       : static_cast<double>(static_cast<float>(drawn)));
    }
    inputs.emplace(name, std::move(tensor));
  }
  return inputs;
}

Judged judge_canonical(const Graph& graph, const passes::Rewrite* planted) {
  Graph canonical = graph;
  const auto prepared = compile::prepare(canonical);
  if (!prepared.ok()) return refused(prepared.error());
  if (planted != nullptr && !plant(*planted, canonical)) return {Verdict::kUndefined, ""};
  if (canonical.opset != graph::kDefaultOpset)
    return {Verdict::kWrong, "the canonical form keeps the version"};
  return judge_values(graph, canonical);
}

Judged judge_compiled(const Graph& graph, const InstalledOps& ops, const passes::Rewrite* planted) {
  compile::Options options;
  options.candidates.soc = kSoc;
  Graph given = graph;
  if (planted != nullptr && (!compile::prepare(given).ok() || !plant(*planted, given)))
    return {Verdict::kUndefined, ""};
  auto compiled = compile::compile(given, ops, options);
  if (!compiled.ok()) return refused(compiled.error());
  compiled->before = graph;
  compile::FileReference file(*compiled);
  const auto proof = compile::compare_covers(*compiled, ops, file);
  // Where rounding moves every output too far, nothing was compared (OPK-PROOF-005).
  if (proof.ok()) return {proof->proved > 0 ? Verdict::kSame : Verdict::kUndefined, ""};
  if (proof.error().code == "OPK-REF-012") return {Verdict::kUndefined, ""};
  return {Verdict::kWrong, proof.error().to_string()};
}

TestOps open_test_ops() {
  TestOps opened;
  if (!std::filesystem::exists(opp_path() / "vendors/config.ini")) return opened;
  opened.registry = std::make_unique<registry::Registry>(registry::Registry::open(opp_path()));
  opened.ops = std::make_unique<InstalledOps>(InstalledOps::open(*opened.registry, kSoc));
  return opened;
}

Graph random_graph(uint64_t seed) {
  constexpr int kOldest = 7, kVersions = 17;
  const int version = kOldest + static_cast<int>(seed % kVersions);
  Maker maker(seed, version);
  return maker.take(static_cast<size_t>(maker.number(1, 8)));
}

void Report::add(const Graph& graph, const Judged& judged) {
  ++verdicts[judged.verdict];
  ++versions[graph.opset];
  if (judged.verdict == Verdict::kRefused) ++refusals[judged.text];
  for (const graph::Node& node : graph.nodes) ++operators[node.op_type];
}

std::string Report::text() const {
  std::string text;
  for (const auto& [verdict, count] : verdicts)
    text += fmt::format("{} {}\n", count, word_for(verdict));
  for (const auto& [why, count] : refusals) text += fmt::format("  {} refused: {}\n", count, why);
  text += "by opset:";
  for (const auto& [version, count] : versions) text += fmt::format(" {}: {}", version, count);
  text += "\nby operator:";
  for (const auto& [op, count] : operators) text += fmt::format(" {} {}", op, count);
  return text + "\n";
}

}  // namespace opkit::graph_tests
