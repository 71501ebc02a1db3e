#include <fmt/format.h>

#include "opkit/base/counted.h"
#include "opkit/base/shell_word.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

std::string counts_text(const TestReport& report) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : report.counts) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name_of(verdict)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string element_text(const std::string& output, const oracle::WrongElement& wrong) {
  std::string text =
      fmt::format("      {}[{}] got {:.9g}, expected {:.9g}, accepted {:.9g} to {:.9g}", output,
                  fmt::join(wrong.index, ", "), wrong.got, wrong.expected, wrong.lo, wrong.hi);
  return text + fmt::format(" ({:.3g} ulps)\n", wrong.ulps);
}

std::string vendor_text(const oracle::Comparison& comparison) {
  const oracle::VendorRule& rule = comparison.vendor;
  return fmt::format("    {}: vendor rule {} (MERE {:.3g}, MARE {:.3g}, threshold {:.3g})\n",
                     comparison.output, rule.passes ? "passes" : "fails", rule.mere, rule.mare,
                     rule.threshold);
}

std::string failure_text(const Failure& failure, size_t number) {
  const ProblemResult& smallest = failure.smallest;
  std::string text =
      fmt::format("  failure {}: {}\n", number, smallest.reason) +
      (smallest.shapes.empty() ? std::string() : fmt::format("    {}\n", smallest.shapes));
  for (const oracle::Comparison& comparison : smallest.outputs) {
    for (const oracle::WrongElement& wrong : comparison.worst)
      text += element_text(comparison.output, wrong);
    text += vendor_text(comparison);
  }
  for (const InputPart& part : failure.inputs)
    text += fmt::format("    input:     {}\n", to_text(part));
  if (failure.tiling) text += fmt::format("    tiling:    {}\n", to_text(*failure.tiling));
  for (const std::string& line : failure.trace) text += fmt::format("    trace:     {}\n", line);
  text += fmt::format("    reproduce: {}\n", reproducing_line(failure));
  if (!failure.capsule.empty())
    text += fmt::format("    capsule:   {}\n", failure.capsule.string());
  if (failure.shrink_steps > 0)
    text += fmt::format("    found as:  opkit test {} ({}; {})\n", failure.found.line,
                        failure.found.origin,
                        counted(static_cast<uint64_t>(failure.shrink_steps), "step"));
  return text;
}

// Returns how much of the derived bound inexact results take: "half of them up to 30 %, all up to
// 90 %".
std::string use_text(const TestReport& report) {
  std::vector<int64_t> tenths(10, 0);
  int64_t all = 0;
  for (const ProblemResult& result : report.results) {
    if (result.verdict == Verdict::kFailed) continue;
    for (const oracle::Comparison& comparison : result.outputs) {
      for (size_t i = 0; i < tenths.size() && i < comparison.bound_used.size(); ++i) {
        tenths[i] += comparison.bound_used[i];
        all += comparison.bound_used[i];
      }
    }
  }
  if (all == 0) return {};
  const auto reach = [&](double share) {
    int64_t sum = 0;
    size_t i = 0;
    while (i < tenths.size()) {
      sum += tenths[i++];
      if (static_cast<double>(sum) >= share * static_cast<double>(all)) break;
    }
    return i * 10;
  };
  return fmt::format(
      "  bound: of {} inexact results half take up to {} % of it, 99 % up to {} %, all "
      "up to {} %\n",
      all, reach(0.5), reach(0.99), reach(1));
}

std::string accuracy_text(const TestReport& report) {
  // Beyond this many ulps a result has cancelled to nearly nothing, and its own ulp says nothing.
  constexpr double kTellingUlps = 1024;
  double most = 0;
  int64_t elements = 0, unbounded = 0, outputs = 0, outside = 0, apart = 0;
  for (const ProblemResult& result : report.results) {
    for (const oracle::Comparison& comparison : result.outputs) {
      elements += comparison.elements;
      unbounded += comparison.unbounded;
      const bool near = std::isfinite(comparison.max_ulps);
      if (near) most = std::max(most, comparison.max_ulps);
      apart += near ? 0 : 1;
      ++outputs;
      outside += comparison.vendor.passes ? 0 : 1;
    }
  }
  if (outputs == 0) return {};
  std::string text =
      fmt::format("  accuracy: {} compared", counted(static_cast<uint64_t>(elements), "element"));
  if (unbounded > 0)
    text +=
        fmt::format(" (any value is right for {}: overflow, NaN or a divisor near 0)", unbounded);
  if (apart > 0)
    text += fmt::format(
        ", {} of {} outputs with NaN or infinities where the ideal has none, or the "
        "other way round",
        apart, outputs);
  if (most <= kTellingUlps)
    text += fmt::format(", {}at most {:.3g} ulps from the ideal", apart > 0 ? "else " : "", most);
  if (outside == 0) return text + "; the vendor's rule (MERE, MARE) passes everywhere\n";
  return text + fmt::format(
                    "; {} of {} outputs lie outside the vendor's rule (MERE, MARE), which divides "
                    "by the result: near 0 and near overflow right kernels exceed it, and it "
                    "decides no verdict\n",
                    outside, outputs);
}

// Returns what a run that ended early left out.
std::string ended_text(const TestReport& report) {
  if (report.interrupted)
    return fmt::format("  interrupted: {} of {} problems were run; this is no verdict\n",
                       report.planned - report.not_run, report.planned);
  if (report.not_run == 0) return {};
  return fmt::format(
      "  stopped after {}: {} of {} problems were not run; --max-failures N ends the run "
      "at 4 N\n",
      counted(static_cast<uint64_t>(report.counts.at(Verdict::kFailed)), "failure"), report.not_run,
      report.planned);
}

std::string tiling_text(const TilingProof& proof) {
  if (!proof.asked || proof.calls + static_cast<int64_t>(proof.not_judged.size()) == 0) return {};
  std::string text = fmt::format(
      "  tiling, {}: {} calls on {} chips, {} of them too large to run on data (up to {} "
      "elements): ",
      proof.whole_domain ? "proved for every legal call" : "sampled", proof.calls,
      proof.socs.size(), proof.large, proof.most_elements);
  text += proof.wrong == 0 ? "every element is written by one core, all buffers fit\n"
                           : fmt::format("{} wrong\n", proof.wrong);
  std::map<std::string, std::pair<double, const MemoryUse*>> fullest;  // is keyed by memory
  for (const MemoryUse& use : proof.memory) {
    const double share =
        static_cast<double>(use.peak) / static_cast<double>(std::max<uint64_t>(use.capacity, 1));
    auto& most = fullest[use.memory];
    if (most.second == nullptr || share > most.first) most = {share, &use};
  }
  for (const auto& [memory, most] : fullest)
    text +=
        fmt::format("    {}: at most {} of {} bytes ({:.0f} %), on {}\n", memory, most.second->peak,
                    most.second->capacity, 100 * most.first, most.second->soc);
  if (proof.checked > 0)
    text += fmt::format(
        "    under Checked without data: {} launches, from one to many tiles for each core and "
        "beside "
        "changes of strategy\n",
        proof.checked);
  for (const auto& [reason, calls] : proof.not_judged)
    text += fmt::format("    not judged: {} calls ({})\n", calls, reason);
  size_t shown = 0;
  for (const auto& [note, line] : proof.notes) {
    if (++shown <= 3) text += fmt::format("    note: {}, e.g. {}\n", note, line);
  }
  return text;
}

std::string accuracy_of(const Accuracy& accuracy) {
  std::string text = fmt::format("{:.3g} / {:.3g}", accuracy.worst, accuracy.mean());
  if (accuracy.differing > 0) text += fmt::format(" ({} inf or NaN)", accuracy.differing);
  return text;
}

// Side by side, each data class of each column.
std::string unfused_text(const UnfusedReport& report) {
  if (report.nodes.empty()) return {};
  std::vector<std::string> with, without;
  for (const auto& [node, plugin] : report.nodes)
    (plugin.empty() ? without : with)
        .push_back(plugin.empty() ? node : fmt::format("{} by {}", node, plugin));
  if (with.empty())
    return fmt::format("  fused against unfused: no plugin computes {} alone\n",
                       fmt::join(without, ", "));
  std::string text =
      fmt::format("  fused against unfused, node by node: {}\n", fmt::join(with, ", "));
  if (!without.empty())
    text += fmt::format("    no plugin, computed in double and rounded: {}\n",
                        fmt::join(without, ", "));
  text += fmt::format("    {:<18} {:<14} {:>24} {:>24}\n", "column", "data",
                      "fused, ulps max / mean", "unfused");
  size_t exact = 0;
  for (const UnfusedRow& row : report.rows) {
    const double worst = std::max(row.fused.worst, row.unfused.worst);
    const int64_t differing = row.fused.differing + row.unfused.differing;
    if (row.skipped.empty() && worst == 0 && differing == 0) {
      ++exact;
      continue;
    }
    if (!row.skipped.empty()) {
      text += fmt::format("    {:<18} {:<14} {}\n", row.column, row.data, row.skipped);
      continue;
    }
    text += fmt::format("    {:<18} {:<14} {:>24} {:>24}\n", row.column, row.data,
                        accuracy_of(row.fused), accuracy_of(row.unfused));
  }
  if (exact > 0) text += fmt::format("    {} further rows: both exact\n", exact);
  return text;
}

// Passed problems that say little: the first of each reason's code.
std::string mistrusted_text(const TestReport& report) {
  std::map<std::string, std::pair<size_t, const ProblemResult*>> found;
  for (const ProblemResult& result : report.results) {
    if (result.verdict != Verdict::kMistrusted) continue;
    auto& [count, first] = found[result.code];
    if (count++ == 0) first = &result;
  }
  std::string text;
  for (const auto& [code, one] : found)
    text += fmt::format(
        "  mistrusted: {}, {}: {}\n    e.g. opkit test {}\n    opkit explain MISTRUSTED\n",
        counted(one.first, "problem"), code, one.second->reason, one.second->line);
  return text;
}

std::string single_text(const ProblemResult& result) {
  std::string text = fmt::format("  {} {}\n", name_of(result.verdict), result.line);
  if (!result.reason.empty()) text += fmt::format("    {}\n", result.reason);
  for (const oracle::Comparison& comparison : result.outputs) text += vendor_text(comparison);
  return text;
}

std::string column_text(const TestReport& report) {
  if (!report.column) return {};
  return report.column_name.empty() ? ", its only column" : ", column " + report.column_name;
}

}  // namespace

// The call that comes first stands there without its op.
std::string reproducing_line(const Failure& failure) {
  const std::string line = "opkit test " + failure.smallest.line;
  if (failure.after.empty()) return line;
  return line + " --after " + shell_word(failure.after.substr(failure.after.find("--")));
}

std::string_view verdict_text(const TestReport& report) {
  return report.interrupted ? "INTERRUPTED" : name_of(report.verdict);
}

std::string report_text(const TestReport& report) {
  std::string text =
      fmt::format("{} {}{} on {}: {}", report.op, report.version, column_text(report),
                  fmt::join(report.socs, ", "), verdict_text(report));
  if (!report.reason.empty()) text += fmt::format(" ({})", report.reason);
  text += fmt::format("\n  {} in {:.1f} s ({:.0f} per second): {}",
                      counted(report.results.size(), "problem"), report.seconds,
                      static_cast<double>(report.results.size()) / std::max(report.seconds, 1e-9),
                      counts_text(report));
  if (report.resumed > 0) text += fmt::format("; {} known from an earlier run", report.resumed);
  text += '\n';
  text += ended_text(report) + accuracy_text(report) + use_text(report) +
          tiling_text(report.tiling) + unfused_text(report.unfused);
  if (report.results.size() > 1) text += mistrusted_text(report);
  if (report.results.size() == 1) text += single_text(report.results.front());
  for (size_t i = 0; i < report.failures.size(); ++i)
    text += failure_text(report.failures[i], i + 1);
  for (const std::string& note : report.notes) text += fmt::format("  note: {}\n", note);
  if (!report.coverage.missing.empty())
    text += fmt::format("  not reached: {}\n", fmt::join(report.coverage.missing, "; "));
  return text;
}

}  // namespace opkit::verify
