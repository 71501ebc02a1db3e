#include "opkit/verify/conclude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "opkit/base/counted.h"
#include "opkit/verify/labels.h"
#include "opkit/verify/report/padding_notes.h"
#include "opkit/verify/upper_ends.h"

namespace opkit::verify {
namespace {

constexpr int64_t kEnoughForBias = 1000;  // elements that need rounding
constexpr double kNotableBias = 0.2;      // ulps; a directed rounding gives 0.5

std::string place_of(const OpContract& contract, const ProblemResult& result,
                     const oracle::Comparison& comparison) {
  return output_of_column(contract, comparison.output, result.problem.column);
}

// Results within their bounds that lean to one side: a directed rounding, or a biased constant.
void note_bias(const OpContract& contract, TestReport& report) {
  struct Lean {
    double sum = 0;
    int64_t elements = 0;
  };
  std::map<std::string, Lean> leans;
  for (const ProblemResult& result : report.results) {
    if (result.verdict != Verdict::kPassed) continue;
    for (const oracle::Comparison& comparison : result.outputs) {
      Lean& lean = leans[place_of(contract, result, comparison)];
      const auto elements = static_cast<double>(comparison.inexact);
      lean.sum += comparison.bias * elements;
      lean.elements += comparison.inexact;
    }
  }
  for (const auto& [key, lean] : leans) {
    const double mean = lean.elements > 0 ? lean.sum / static_cast<double>(lean.elements) : 0;
    if (lean.elements < kEnoughForBias || std::abs(mean) < kNotableBias) continue;
    report.notes.push_back(
        fmt::format("{}: results that need rounding are {:.2f} ulps too {} on average: is a "
                    "rounding directed, or an attribute rounded to the type before it is used?",
                    key, std::abs(mean), mean > 0 ? "high" : "low"));
  }
}

// Kernels without computation, by output and column.
using TrivialKernels = std::map<std::string, std::set<std::string>>;

// Finds the trivial kernels that no problem of a column tells from the real one.
TrivialKernels fooling(const OpContract& contract, const TestReport& report) {
  TrivialKernels common;
  std::set<std::string> seen;
  for (const ProblemResult& result : report.results) {
    if (result.verdict != Verdict::kPassed && result.verdict != Verdict::kMistrusted) continue;
    for (const oracle::Comparison& comparison : result.outputs) {
      if (comparison.elements == 0) continue;
      const std::string key = place_of(contract, result, comparison);
      const std::set<std::string> now(comparison.trivial.begin(), comparison.trivial.end());
      if (seen.insert(key).second) {
        common[key] = now;
        continue;
      }
      std::erase_if(common[key], [&](const std::string& name) { return now.count(name) == 0; });
    }
  }
  return common;
}

// A problem may leave nothing to compute, a sum of one element or Relu of negative numbers, as long
// as other problems of its column do not.
void trust_what_others_tell(const OpContract& contract, const TrivialKernels& fooling,
                            TestReport& report) {
  const auto fooled = [&](const ProblemResult& result) {
    return std::any_of(
        result.outputs.begin(), result.outputs.end(), [&](const oracle::Comparison& one) {
          const auto names = fooling.find(place_of(contract, result, one));
          return names != fooling.end() &&
                 std::any_of(one.trivial.begin(), one.trivial.end(), [&](const std::string& name) {
                   return names->second.count(name) > 0;
                 });
        });
  };
  for (ProblemResult& result : report.results) {
    if (result.verdict != Verdict::kMistrusted || !has_cause(result.code, Cause::kIdlePasses))
      continue;
    if (fooled(result)) continue;
    result.verdict = Verdict::kPassed;
    result.code.clear();
    result.reason.clear();
  }
}

// Returns the first, in words.
std::string note_fooling(const TrivialKernels& fooling, TestReport& report) {
  std::string first;
  for (const auto& [key, names] : fooling) {
    for (const std::string& name : names) {
      report.notes.push_back(
          fmt::format("{}: a kernel that writes {} would pass every problem; bound the inputs, "
                      "e.g. values: [1, 2], so that results differ from that",
                      key, name));
      if (first.empty()) first = report.notes.back();
    }
  }
  return first;
}

void find_missing(const OpContract& contract, const std::set<uint64_t>& tiling_keys,
                  TestReport& report) {
  std::vector<std::string> required = required_labels(contract, report.socs, report.column);
  for (const uint64_t key : tiling_keys) {
    const std::string label = fmt::format("tiling key {}", key);
    if (std::find(required.begin(), required.end(), label) == required.end())
      required.push_back(label);
  }
  for (const std::string& label : required) {
    if (report.coverage.labels.count(label) == 0) report.coverage.missing.push_back(label);
  }
  for (std::string& end : upper_ends_not_reached(contract, report.results))
    report.coverage.missing.push_back(std::move(end));
}

// Why nothing was judged, rather than what was left out for its data.
std::string first_reason(const TestReport& report) {
  for (const ProblemResult& result : report.results) {
    if (result.verdict == Verdict::kUnimplemented) return result.reason;
  }
  for (const ProblemResult& result : report.results) {
    if (result.verdict != Verdict::kPassed && result.verdict != Verdict::kRefused)
      return result.reason;
  }
  return "no problem was run";
}

void decide(const std::string& fooled, TestReport& report) {
  const auto set = [&](Verdict verdict, std::string reason) {
    report.verdict = verdict;
    report.reason = std::move(reason);
  };
  const auto key =
      std::find_if(report.coverage.missing.begin(), report.coverage.missing.end(),
                   [](const std::string& label) { return label.rfind("tiling key", 0) == 0; });
  if (report.counts[Verdict::kFailed] > 0)
    return set(
        Verdict::kFailed,
        counted(static_cast<uint64_t>(report.counts[Verdict::kFailed]), "problem") + " failed");
  if (key != report.coverage.missing.end())
    return set(Verdict::kFailed, "no problem reached " + *key);
  if (report.counts[Verdict::kPassed] + report.counts[Verdict::kMistrusted] == 0)
    return set(Verdict::kUnimplemented, first_reason(report));
  if (!fooled.empty()) return set(Verdict::kMistrusted, fooled);
  if (report.counts[Verdict::kPassed] == 0) return set(Verdict::kMistrusted, first_reason(report));
}

}  // namespace

void conclude(const OpContract& contract, const std::set<uint64_t>& tiling_keys, Extent extent,
              TestReport& report) {
  const TrivialKernels trivial = fooling(contract, report);
  trust_what_others_tell(contract, trivial, report);
  for (const ProblemResult& result : report.results) {
    ++report.counts[result.verdict];
    if (!result.ran) continue;
    for (const std::string& label : result.labels) ++report.coverage.labels[label];
  }
  for (const Tolerance& one : contract.tolerances) {
    report.notes.push_back(fmt::format(
        "manual tolerance {:g} relative, {:g} absolute{}, in place of the derived one: {}",
        one.value, one.absolute, one.types.empty() ? "" : " for " + one.types, one.reason));
  }
  note_bias(contract, report);
  for (std::string& note : padding_notes(contract, report.results))
    report.notes.push_back(std::move(note));
  const std::string fooled = note_fooling(trivial, report);
  if (extent == Extent::kTier) find_missing(contract, tiling_keys, report);
  if (report.interrupted) return;
  decide(extent == Extent::kLine ? std::string() : fooled, report);
}

}  // namespace opkit::verify
