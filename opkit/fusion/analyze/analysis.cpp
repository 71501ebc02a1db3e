#include "opkit/fusion/analyze/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/call/trace/rates.h"
#include "opkit/graph/node_name.h"
#include "opkit/soc/soc_table.h"

namespace opkit::analyze {
namespace {

using graph::Graph;

constexpr size_t kNamed = 4;  // operators that a suggested name holds

// Returns the operators with their operands: results of the chain by number, others by kind.
std::string signature_of(const Graph& graph, const Chain& chain) {
  std::map<std::string, size_t> made;
  std::string text;
  for (const size_t n : chain.nodes) {
    const graph::Node& node = graph.nodes[n];
    text += node.op_type + "(";
    for (const std::string& input : node.inputs) {
      const auto inner = made.find(input);
      text += inner != made.end()                ? fmt::format("#{},", inner->second)
              : graph.constant(input) != nullptr ? "const,"
                                                 : "x,";
    }
    for (const std::string& output : node.outputs) {
      if (output.empty()) continue;
      text += std::string(opkit::name_of(graph.values.at(output).dtype)) + ",";
      made.emplace(output, made.size());
    }
    text += ")";
  }
  return text;
}

std::string operators_of(const Graph& graph, const Chain& chain) {
  std::vector<std::string> names;
  for (const size_t n : chain.nodes) names.push_back(graph.nodes[n].op_type);
  return fmt::format("{}", fmt::join(names, " + "));
}

std::string op_name(const Graph& graph, const Chain& chain) {
  std::string name;
  for (size_t i = 0; i < std::min(chain.nodes.size(), kNamed); ++i)
    name += graph.nodes[chain.nodes[i]].op_type;
  return chain.nodes.size() > kNamed ? name + "Chain" : name;
}

class Analyzer {
 public:
  Analyzer(const compile::Compiled& compiled, const core::TimingRates& rates, const SocSpec& soc)
      : compiled_(compiled), gains_(compiled, rates), soc_(soc) {}

  std::vector<ChainKind> run() {
    std::map<std::string, std::vector<Chain>> alike;
    for (Chain& chain : find_chains(compiled_))
      alike[signature_of(compiled_.graph, chain)].push_back(std::move(chain));
    std::vector<ChainKind> patterns;
    for (auto& [signature, chains] : alike) patterns.push_back(pattern_of(std::move(chains)));
    std::erase_if(patterns, [](const ChainKind& one) { return one.gain.saved_ns() == 0; });
    std::stable_sort(patterns.begin(), patterns.end(),
                     [](const ChainKind& a, const ChainKind& b) { return a.rank() > b.rank(); });
    return patterns;
  }

 private:
  ChainKind pattern_of(std::vector<Chain> chains) const {
    const auto saved = [&](const Chain& chain) { return gains_.of(chain).saved_ns(); };
    std::stable_sort(chains.begin(), chains.end(),
                     [&](const Chain& a, const Chain& b) { return saved(a) > saved(b); });
    ChainKind pattern;
    pattern.operators = operators_of(compiled_.graph, chains[0]);
    pattern.op = op_name(compiled_.graph, chains[0]);
    pattern.fitness = fitness_of(compiled_, chains[0], gains_, soc_);
    for (const size_t n : chains[0].nodes)
      pattern.nodes.push_back(graph::name_of(compiled_.graph.nodes[n]));
    for (const Chain& chain : chains) pattern.gain += gains_.of(chain);
    pattern.chains = std::move(chains);
    return pattern;
  }

  const compile::Compiled& compiled_;
  const Gains gains_;
  const SocSpec& soc_;
};

uint64_t model_time(const compile::Compiled& compiled, const core::TimingRates& rates) {
  uint64_t sum = 0;
  const Gains gains(compiled, rates);
  for (const size_t c : compiled.cover.chosen) {
    if (compiled.candidates.all[c].taker == compile::Taker::kView) continue;
    sum += gains.of({{c}, compiled.candidates.all[c].nodes}).now_ns;
  }
  return sum;
}

}  // namespace

double ChainKind::rank() const {
  return static_cast<double>(gain.saved_ns()) / static_cast<double>(fitness.effort);
}

Result<Analysis> analyze(const compile::Compiled& compiled) {
  OPKIT_TRY(const SocMatch match, find_soc(compiled.model().soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  Analysis analysis;
  analysis.model = compiled.model().name;
  analysis.soc = compiled.model().soc;
  analysis.now_ns = model_time(compiled, rates);
  analysis.measured_chip = compiled.measured_chip;
  analysis.patterns = Analyzer(compiled, rates, *match.spec).run();
  return analysis;
}

}  // namespace opkit::analyze
