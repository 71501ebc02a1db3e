#include <fmt/format.h>

#include "opkit/base/markup.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace {

std::string case_text(const ProblemResult& result, const std::string& op) {
  const std::string head = fmt::format("  <testcase classname=\"{}\" name=\"{}\"", markup_text(op),
                                       markup_text(result.line));
  const auto with = [&](std::string_view element) {
    return fmt::format("{}><{} message=\"{}: {}\"/></testcase>\n", head, element,
                       name_of(result.verdict), markup_text(result.reason));
  };
  switch (result.verdict) {
    case Verdict::kPassed:
    case Verdict::kRefused: return head + "/>\n";
    case Verdict::kFailed: return with("failure");
    default: return with("skipped");
  }
}

}  // namespace

std::string junit_suite(const TestReport& report) {
  int64_t failures = 0, skipped = 0;
  std::string cases;
  for (const ProblemResult& result : report.results) {
    failures += result.verdict == Verdict::kFailed ? 1 : 0;
    const bool counted = result.verdict == Verdict::kPassed ||
                         result.verdict == Verdict::kRefused || result.verdict == Verdict::kFailed;
    skipped += counted ? 0 : 1;
    cases += case_text(result, report.op);
  }
  // A part of a run must not look like a green one.
  if (report.interrupted)
    cases += fmt::format(
        "  <testcase classname=\"{}\" name=\"interrupted\"><error message=\"{} of {} problems "
        "were not run\"/></testcase>\n",
        markup_text(report.op), report.not_run, report.planned);
  return fmt::format(
      "<testsuite name=\"opkit.{}\" tests=\"{}\" "
      "failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}</testsuite>\n",
      markup_text(report.op), report.results.size() + (report.interrupted ? 1 : 0), failures,
      report.interrupted ? 1 : 0, skipped, report.seconds, cases);
}

std::string junit_error(const std::string& op, const std::string& reason) {
  return fmt::format(
      "<testsuite name=\"opkit.{0}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" "
      "time=\"0\">\n  <testcase classname=\"{0}\" name=\"not opened\"><error "
      "message=\"{1}\"/></testcase>\n</testsuite>\n",
      markup_text(op), markup_text(reason));
}

std::string junit_document(const std::string& suites) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

std::string report_junit(const TestReport& report) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + junit_suite(report);
}

}  // namespace opkit::verify
