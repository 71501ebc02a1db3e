#include "opkit/verify/mutants/examine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "opkit/base/digest.h"
#include "opkit/call/plan/op_runner.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/judgement.h"
#include "opkit/verify/mutants/launch_record.h"
#include "opkit/verify/problem/plan.h"

namespace opkit::verify {
namespace {

constexpr size_t kMostProblems = 240;
constexpr size_t kLargest = 6;  // counts each column's largest problems, which go to every chip
constexpr int64_t kRandom = 40;

// Returns every chip of every family that the contract names; chips that can do most first.
std::vector<std::string> all_chips(const OpContract& contract) {
  std::set<std::string> families;
  for (const std::string& name : contract.soc) {
    const auto match = find_soc(name);
    if (match.ok()) families.insert(match->spec->short_name);
  }
  std::vector<std::string> chips;
  for (const std::string& name : soc_names()) {
    const auto match = find_soc(name);
    if (match.ok() && (families.empty() || families.count(match->spec->short_name) > 0))
      chips.push_back(match->spec->name);
  }
  std::stable_sort(chips.begin(), chips.end(), [](const auto& a, const auto& b) {
    return find_soc(a)->spec->has_bfloat16() > find_soc(b)->spec->has_bfloat16();
  });
  return chips;
}

// Chips that differ in what a kernel and its tiling can see of them.
std::vector<std::string> distinct_chips(const OpContract& contract) {
  std::set<std::string> seen;
  std::vector<std::string> distinct;
  for (const std::string& name : all_chips(contract)) {
    const SocSpec& spec = *find_soc(name)->spec;
    const std::string sight =
        fmt::format("{} {} {} {} {} {}", spec.short_name, spec.cores.ai_core, spec.cores.cube_core,
                    spec.cores.vector_core, spec.memory.ub, spec.memory.l1);
    if (seen.insert(sight).second) distinct.push_back(name);
  }
  return distinct;
}

int64_t weight(const OpContract& contract, const Problem& problem) {
  const auto shapes = shapes_from_symbols(contract, problem.symbols, problem.attrs);
  int64_t sum = 0;
  for (size_t p = 0; shapes.ok() && p < shapes->inputs.size(); ++p) {
    for (const Shape& shape : shapes->inputs[p]) {
      const auto elements = shape.checked_elements();
      if (elements.ok()) sum += *elements;
    }
  }
  return sum;
}

core::LaunchReport launch(PreparedRun& prepared, LaunchRecord& record) {
  std::vector<core::GmRange> outputs;
  for (const core::GmRange& range : prepared.gm()) {
    for (const PortTensors& port : prepared.outputs()) {
      for (const Tensor& tensor : port) {
        if (reinterpret_cast<const uint8_t*>(tensor.data()) == range.base && range.bytes > 0)
          outputs.push_back(range);
      }
    }
  }
  LaunchRecorder recorder(prepared.gm(), std::move(outputs));
  core::LaunchReport report = prepared.launch(&recorder);
  record = recorder.record();
  return report;
}

}  // namespace

std::vector<Problem> examination(const OpContract& contract, uint64_t seed) {
  const std::vector<std::string> chips = distinct_chips(contract);
  if (chips.empty()) return {};
  std::vector<Problem> all;
  for (PlannedProblem& planned : make_plan({&contract, chips, Tier::kNightly, seed, {}, kRandom})) {
    if (not_on_chip(contract, planned.problem).empty()) all.push_back(std::move(planned.problem));
  }
  std::vector<Problem> chosen;
  const size_t count = std::min(all.size(), kMostProblems);
  for (size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  std::stable_sort(all.begin(), all.end(), [&](const Problem& a, const Problem& b) {
    return weight(contract, a) > weight(contract, b);
  });
  std::map<size_t, size_t> taken;  // counts problems by column
  for (const Problem& large : all) {
    if (taken[large.column]++ >= kLargest) continue;
    for (const std::string& chip : chips) {
      Problem there = large;
      there.soc = chip;
      if (not_on_chip(contract, there).empty()) chosen.push_back(std::move(there));
    }
  }
  return chosen;
}

Observed observe(const OpContract& contract, const opk_op_v1* op, const Problem& problem) {
  Observed observed{to_line(contract, problem), {}, {}, {}, {}, false};
  const auto soc = find_soc(problem.soc);
  auto inputs = make_inputs(contract, problem);
  if (!soc.ok() || !inputs.ok()) return observed.error = "no inputs", observed;
  OpRunner runner(*soc->spec, 1);
  CallFacts facts = facts_of(contract, *inputs);
  facts.attrs = problem.attrs;
  auto plan = plan_call(contract, *op, *soc->spec, facts);
  if (!plan.ok()) return observed.error = plan.error().code, observed;
  auto prepared = runner.bind_memory(std::make_shared<const CallPlan>(std::move(plan).value()),
                                     std::move(inputs).value());
  if (!prepared.ok()) return observed.error = prepared.error().code, observed;
  prepared->poison();
  LaunchRecord record;
  const core::LaunchReport report = launch(*prepared, record);
  if (!report.ok()) return observed.error = report.faults.front().code, observed;
  observed.outputs = digest_of(prepared->outputs());
  observed.instructions = sha256_hex(record.instructions).substr(0, 16);
  observed.results = sha256_hex(record.results).substr(0, 16);
  observed.each_once = record.writes_each_once();
  return observed;
}

std::string to_text(const std::vector<Observed>& observed) {
  std::string text;
  for (const Observed& one : observed)
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", one.error, one.outputs, one.instructions,
                        one.results, one.each_once ? 1 : 0, one.line);
  return text;
}

std::vector<Observed> observed_from(const std::string& text) {
  std::vector<Observed> all;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    Observed one;
    std::string once;
    for (std::string* field :
         {&one.error, &one.outputs, &one.instructions, &one.results, &once, &one.line})
      std::getline(fields, *field, '\t');
    one.each_once = once == "1";
    all.push_back(std::move(one));
  }
  return all;
}

bool differ(const Observed& original, const Observed& mutant) {
  return original.error != mutant.error || original.outputs != mutant.outputs;
}

MutantDifference compare(const std::vector<Observed>& original,
                         const std::vector<Observed>& mutant) {
  MutantDifference difference;
  std::set<std::string> chips;
  difference.problems = original.size();
  for (size_t i = 0; i < std::min(original.size(), mutant.size()); ++i) {
    const Observed &a = original[i], &b = mutant[i];
    const size_t at = a.line.find("--soc ");
    if (at != std::string::npos) chips.insert(a.line.substr(at, a.line.find(' ', at + 6) - at));
    difference.same_instructions = difference.same_instructions && a.instructions == b.instructions;
    difference.same_results = difference.same_results && a.results == b.results;
    difference.each_once = difference.each_once && b.each_once;
    if (!difference.first.empty() || !differ(a, b)) continue;
    difference.first = a.line;
    difference.how = b.error.empty() ? "other bits" : "it ends with " + b.error;
  }
  if (difference.first.empty() && original.size() != mutant.size())
    difference.first = "the list of problems";
  difference.chips = chips.size();
  return difference;
}

}  // namespace opkit::verify
