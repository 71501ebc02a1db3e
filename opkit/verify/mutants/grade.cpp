#include "opkit/verify/mutants/grade.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <memory>

#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "opkit/isolation/open_op.h"
#include "opkit/verify/mutants/wrong_result.h"
#include "opkit/verify/test_run.h"

namespace opkit::verify {
namespace fs = std::filesystem;
namespace {

constexpr int kExamineSeconds = 600;
constexpr int kUnusable = 3;  // exit code: the package cannot be loaded
constexpr Tier kTiers[] = {Tier::kSmoke, Tier::kCi, Tier::kNightly};

int judge_report(const TestReport& report, std::string& text) {
  if (report.verdict == Verdict::kPassed) return 0;
  if (report.failures.empty()) return text = report.reason, 1;
  const ProblemResult& failure = report.failures.front().smallest;
  text = fmt::format("{} ({})", failure.reason, failure.line);
  return 1;
}

int test(const GradeRequest& grading, Tier tier, std::string& text) {
  const auto opened = open_op(grading.package, {.in_process = true});
  if (!opened.ok()) return text = opened.error().to_string(), kUnusable;
  const OpContract& contract = opened->contract;
  Executor& right = *opened->executor;
  std::unique_ptr<Executor> wrong;
  const std::vector<WrongResult> mistakes = wrong_results(contract);
  if (grading.wrong_result >= 0)
    wrong = std::make_unique<WrongExecutor>(right,
                                            mistakes.at(static_cast<size_t>(grading.wrong_result)));
  TestRequest request;
  request.contract = &contract;
  request.executor = wrong ? wrong.get() : &right;
  request.tier = tier;
  request.seed = grading.seed;
  request.max_failures = 1;
  request.shrink = false;
  request.stop_at_failure = true;
  Progress progress;
  const auto report = run_tests(request, progress);
  if (!report.ok()) return text = report.error().to_string(), kUnusable;
  return judge_report(*report, text);
}

// `work` gives an exit code and a text, which is the child's output.
Result<ChildResult> in_child(const std::function<int(std::string& text)>& work, int seconds) {
  return run_in_child(
      [&work](int fd) {
        std::string text;
        const int code = work(text);
        write_all(fd, text);
        return code;
      },
      std::chrono::seconds(seconds));
}

std::string words_of(const ChildResult& tested) {
  if (tested.timed_out) return "it did not end";
  if (tested.signal != 0) return fmt::format("it crashed: {}", strsignal(tested.signal));
  return tested.output;
}

}  // namespace

Graded grade(const GradeRequest& request) {
  Graded graded;
  for (const Tier tier : kTiers) {
    if (tier < request.first || tier > request.tier) continue;
    const auto begin = std::chrono::steady_clock::now();
    const auto at = static_cast<size_t>(tier);
    const auto tested =
        in_child([&](std::string& text) { return test(request, tier, text); }, request.seconds[at]);
    graded.passed = tested.ok() && tested->ok();
    graded.tier = tier;
    graded.by = tested.ok() ? words_of(*tested) : tested.error().message;
    graded.seconds[at] =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (!graded.passed) break;
  }
  return graded;
}

bool observe_package(const GradeRequest& request, const fs::path& into,
                     const std::vector<Observed>& original) {
  const auto observed = in_child(
      [&](std::string& text) {
        const auto opened = open_op(request.package, {.in_process = true});
        if (!opened.ok()) return text = opened.error().to_string(), kUnusable;
        std::vector<Observed> all;
        for (const Problem& problem : examination(opened->contract, request.seed)) {
          all.push_back(observe(opened->contract, opened->tables, problem));
          if (all.size() <= original.size() && differ(original[all.size() - 1], all.back())) break;
        }
        const Status written = write_file(into, to_text(all));
        if (!written.ok()) return text = written.error().to_string(), kUnusable;
        return 0;
      },
      kExamineSeconds);
  return observed.ok() && observed->ok();
}

}  // namespace opkit::verify
