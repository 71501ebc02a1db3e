// One self-contained page per run: no script, no file besides it. Every text that comes from a
// contract, a kernel or a file name is escaped.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/counted.h"
#include "opkit/base/markup.h"
#include "opkit/contract/explain.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

constexpr const char* kStyle = R"css(
:root { color-scheme: light dark; --line: #8886; --good: #1a7f37; --bad: #cf222e; --odd: #9a6700; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; }
pre, code { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .7rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .25rem .6rem; text-align: left;
  border-bottom: 1px solid var(--line); vertical-align: top; } td.n, th.n { text-align: right; }
.PASSED, .REFUSED, .good { color: var(--good); } .FAILED, .bad { color: var(--bad); }
.MISTRUSTED, .UNIMPLEMENTED, .SKIPPED { color: var(--odd); }
.badge { font-weight: 600; border: 1px solid; border-radius: 6px; padding: .1rem .5rem; }
.bar { background: #4a8fd6; height: .8rem; border-radius: 2px; min-width: 1px; }
details { margin: .4rem 0; } summary { cursor: pointer; } .dim { opacity: .7; }
)css";

constexpr const char* kBuckets[] = {"0",       "up to 0.5", "up to 1", "up to 2",
                                    "up to 4", "up to 8",   "more"};

std::string badge(std::string_view verdict) {
  return fmt::format("<span class=\"badge {0}\">{0}</span>", verdict);
}

std::string head(const TestReport& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width\">\n<title>{0} {1}: {2}</title>\n<style>{3}</style></head>\n"
      "<body>\n<h1>{0} {1} {4}</h1>\n",
      markup_text(report.op), markup_text(report.version), verdict_text(report), kStyle,
      badge(verdict_text(report)));
}

std::string summary(const TestReport& report) {
  std::string text;
  if (!report.reason.empty()) text += fmt::format("<p>{}</p>\n", markup_text(report.reason));
  text += fmt::format(
      "<p class=\"dim\">tier {}{}, {} in {:.1f} s{}; chips: {}</p>\n", name_of(report.tier),
      report.column ? ", column " + markup_text(report.column_name) : "",
      counted(report.results.size(), "problem"), report.seconds,
      report.resumed > 0 ? fmt::format(", {} known from an earlier run", report.resumed) : "",
      markup_text(fmt::format("{}", fmt::join(report.socs, ", "))));
  for (const std::string& note : report.notes)
    text += fmt::format("<p>note: {}</p>\n", markup_text(note));
  return text;
}

std::string column_of(const OpContract& contract, size_t column) {
  const std::string name = contract.column_name(column);
  return name.empty() ? "the only column" : name;
}

// Verdicts by dtype column; problems of no column (calls that must be refused) in a row of their
// own.
std::string verdicts(const TestReport& report, const OpContract& contract) {
  std::map<std::string, std::map<Verdict, int64_t>> rows;
  for (const ProblemResult& result : report.results) {
    const bool error = result.origin.rfind("error ", 0) == 0;
    ++rows[error ? "calls that must be refused" : column_of(contract, result.problem.column)]
          [result.verdict];
  }
  std::string text = "<h2>Verdicts</h2>\n<table><tr><th>column</th>";
  for (const auto& [verdict, count] : report.counts) {
    if (count > 0) text += fmt::format("<th class=\"n\">{}</th>", name_of(verdict));
  }
  text += "</tr>\n";
  for (auto& [row, counts] : rows) {
    text += fmt::format("<tr><td>{}</td>", markup_text(row));
    for (const auto& [verdict, count] : report.counts) {
      if (count > 0)
        text += fmt::format("<td class=\"n {}\">{}</td>", name_of(verdict), counts[verdict]);
    }
    text += "</tr>\n";
  }
  return text + "</table>\n";
}

struct OutputErrors {
  std::vector<int64_t> histogram = std::vector<int64_t>(std::size(kBuckets), 0);
  int64_t elements = 0;
  double max_ulps = 0, mere = 0, mare = 0;
  bool vendor = true;

  void add(const oracle::Comparison& comparison) {
    for (size_t i = 0; i < std::min(histogram.size(), comparison.histogram.size()); ++i)
      histogram[i] += comparison.histogram[i];
    elements += comparison.elements;
    if (std::isfinite(comparison.max_ulps)) max_ulps = std::max(max_ulps, comparison.max_ulps);
    mere = std::max(mere, comparison.vendor.mere);
    mare = std::max(mare, comparison.vendor.mare);
    vendor = vendor && comparison.vendor.passes;
  }
};

std::string histogram(const std::string& key, const OutputErrors& accuracy) {
  std::string text = fmt::format(
      "<h3>{}</h3>\n<p>{} elements compared, at most {:.3g} ulps from the ideal result; vendor "
      "rule "
      "<span class=\"{}\">{}</span> (worst MERE {:.3g}, worst MARE {:.3g})</p>\n<table>"
      "<tr><th>distance in ulps</th><th class=\"n\">elements</th><th "
      "style=\"width:60%\"></th></tr>",
      markup_text(key), accuracy.elements, accuracy.max_ulps, accuracy.vendor ? "good" : "bad",
      accuracy.vendor ? "passes" : "fails", accuracy.mere, accuracy.mare);
  const int64_t most =
      std::max<int64_t>(1, *std::max_element(accuracy.histogram.begin(), accuracy.histogram.end()));
  for (size_t i = 0; i < accuracy.histogram.size(); ++i)
    text += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td><div class=\"bar\" style=\"width:{:.1f}%\">"
        "</div></td></tr>\n",
        kBuckets[i], accuracy.histogram[i],
        100 * static_cast<double>(accuracy.histogram[i]) / static_cast<double>(most));
  return text + "</table>\n";
}

std::string accuracies(const TestReport& report, const OpContract& contract) {
  std::map<std::string, OutputErrors> all;
  for (const ProblemResult& result : report.results) {
    for (const oracle::Comparison& comparison : result.outputs)
      all[fmt::format("{}, {}", comparison.output, column_of(contract, result.problem.column))].add(
          comparison);
  }
  std::string text = "<h2>OutputErrors</h2>\n";
  for (const auto& [key, accuracy] : all) text += histogram(key, accuracy);
  return all.empty() ? text + "<p>Nothing was compared.</p>\n" : text;
}

std::string coverage(const TestReport& report) {
  std::string text = "<h2>Coverage</h2>\n";
  for (const std::string& label : report.coverage.missing)
    text += fmt::format("<p class=\"bad\">not reached: {}</p>\n", markup_text(label));
  text += fmt::format("<details{}><summary>{} labels reached</summary><table>",
                      report.coverage.labels.size() <= 40 ? " open" : "",
                      report.coverage.labels.size());
  for (const auto& [label, count] : report.coverage.labels)
    text += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td></tr>\n", markup_text(label), count);
  return text + "</table></details>\n";
}

std::string wrong_elements(const ProblemResult& result) {
  std::string rows;
  for (const oracle::Comparison& comparison : result.outputs) {
    for (const oracle::WrongElement& wrong : comparison.worst)
      rows += fmt::format(
          "<tr><td>{}[{}]</td><td class=\"n\">{:.9g}</td><td class=\"n\">{:.9g}</td><td "
          "class=\"n\">{:.9g} to {:.9g}</td><td class=\"n\">{:.3g}</td></tr>\n",
          markup_text(comparison.output), fmt::join(wrong.index, ", "), wrong.got, wrong.expected,
          wrong.lo, wrong.hi, wrong.ulps);
  }
  if (rows.empty()) return {};
  return "<table><tr><th>element</th><th class=\"n\">got</th><th class=\"n\">expected</th>"
         "<th class=\"n\">accepted</th><th class=\"n\">ulps</th></tr>" +
         rows + "</table>\n";
}

std::string failures(const TestReport& report) {
  std::string text = "<h2>Failures</h2>\n";
  if (report.failures.empty()) return text + "<p>None.</p>\n";
  for (const Failure& failure : report.failures) {
    const ProblemResult& smallest = failure.smallest;
    text += fmt::format("<h3 class=\"FAILED\">{}</h3>\n<p>{}</p>\n", markup_text(smallest.reason),
                        markup_text(smallest.shapes));
    text += wrong_elements(smallest);
    for (const InputPart& part : failure.inputs)
      text += fmt::format("<p><code>{}</code></p>\n", markup_text(to_text(part)));
    if (failure.tiling)
      text +=
          fmt::format("<p class=\"dim\">tiling {}</p>\n", markup_text(to_text(*failure.tiling)));
    for (const std::string& line : failure.trace)
      text += fmt::format("<p class=\"dim\">{}</p>\n", markup_text(line));
    text += fmt::format("<pre>{}</pre>\n", markup_text(reproducing_line(failure)));
    if (!failure.capsule.empty())
      text += fmt::format("<pre>opkit replay {}</pre>\n", markup_text(failure.capsule.string()));
  }
  return text;
}

std::string problems(const TestReport& report) {
  constexpr size_t kMost = 2000;
  std::string text = fmt::format(
      "<h2>Problems</h2>\n<details><summary>{} problems{}</summary>\n<table><tr><th>verdict</th>"
      "<th>problem</th><th>why it was tried</th></tr>\n",
      report.results.size(),
      report.results.size() > kMost ? fmt::format(", the first {}", kMost) : "");
  for (size_t i = 0; i < std::min(report.results.size(), kMost); ++i) {
    const ProblemResult& result = report.results[i];
    text +=
        fmt::format("<tr><td class=\"{0}\">{0}</td><td><code>{1}</code>{2}</td><td>{3}</td></tr>\n",
                    name_of(result.verdict), markup_text(result.line),
                    result.reason.empty() || result.verdict == Verdict::kRefused
                        ? ""
                        : "<br>" + markup_text(result.reason),
                    markup_text(result.origin));
  }
  return text + "</table></details>\n";
}

std::string contract_part(const TestReport& report, const OpContract& contract) {
  return fmt::format(
      "<h2>Contract</h2>\n<pre>{}</pre>\n<details><summary>op_contract.yaml</summary><pre>{}</pre>"
      "</details>\n<p class=\"dim\">contract sha256 {}<br>library sha256 {}</p>\n",
      markup_text(explain_text(contract)), markup_text(contract.text),
      markup_text(report.contract_digest), markup_text(report.plugin_digest));
}

}  // namespace

std::string report_html(const TestReport& report, const OpContract& contract) {
  std::string page = head(report) + summary(report) + verdicts(report, contract);
  for (const std::string& part : {failures(report), accuracies(report, contract), coverage(report),
                                  contract_part(report, contract), problems(report)})
    page += part;
  return page + "</body></html>\n";
}

}  // namespace opkit::verify
