#include "opkit/cli/commands/test_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/base/counted.h"
#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/cli/commands/tested_op.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/test_options.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/interruption.h"
#include "opkit/isolation/confinement.h"
#include "opkit/spread/mpi_library.h"
#include "opkit/spread/spread.h"

namespace opkit::cli {
namespace {

// Options that are about one op, or about its sources.
constexpr const char* kOfOneOp[] = {"op",       "--t",        "--d",     "--attr",    "--data",
                                    "--absent", "--collapse", "--count", "--threads", "--version",
                                    "--html",   "--mutants",  "--column"};

struct Subject {
  std::string op;
  std::string unfit;  // why no package of it runs on the chip, or empty
};

// Returns the ops on the search path, of the vendor if one is given, sorted.
std::vector<Subject> subjects(const registry::Registry& registry, const std::string& vendor,
                              const std::string& soc) {
  std::map<std::string, std::string> unfit;
  for (const registry::Listed& listed : registry.list(soc)) {
    const registry::PackageCandidate& c = listed.candidate;
    if (!vendor.empty() && c.vendor != vendor) continue;
    const bool fits = c.standing != registry::Standing::kUnfit;
    const auto [at, fresh] = unfit.try_emplace(c.op, "");
    if (fresh && !fits)
      at->second = c.reasons.empty() ? "not for this chip" : c.reasons.front().message;
    if (fits) at->second.clear();
  }
  std::vector<Subject> found;
  for (const auto& [op, reason] : unfit) found.push_back({op, reason});
  return found;
}

class AllOps {
 public:
  AllOps(const Arguments& arguments, Console& console, MakeSingles make_singles)
      : arguments_(arguments),
        console_(console),
        registry_(open_registry(arguments)),
        make_singles_(make_singles) {}

  Outcome run() {
    OPKIT_TRY(socs_, test_socs(arguments_, console_));
    OPKIT_TRY(request_, read_test_request(arguments_));
    if (const auto folder = arguments_.find("--results")) request_.results = *folder;
    request_.socs = socs_;
    all_ = subjects(registry_, arguments_.get("--vendor"), soc());
    if (all_.empty()) return nothing_to_test();
    const Interruption interruption;
    if (arguments_.integer("--jobs") > 1 || spread::started_by_mpirun()) {
      if (!arguments_.has("--in-process")) console_.confined(isolation::confinement_here());
      OPKIT_TRY(const bool helped, spread_out());
      if (helped) return kOk;
    } else {
      one_after_the_other();
    }
    OPKIT_CHECK(write_junit());
    console_.show(json(), summary());
    if (Interruption::happened()) return Interruption::exit_code();
    return count(OpFate::kFailed) == 0 && count(OpFate::kPassed) > 0 ? kOk : kFailed;
  }

 private:
  std::string soc() const { return socs_.empty() ? "" : socs_.front(); }

  Error nothing_to_test() const {
    const std::string vendor = arguments_.get("--vendor");
    return Error("OPK-CLI-003",
                 fmt::format("no op {}is installed in {}",
                             vendor.empty() ? "" : fmt::format("of vendor {} ", vendor),
                             registry_.search_path().opp.string()),
                 "install one (opkit install), or name another folder with --opp");
  }

  void one_after_the_other() {
    for (const Subject& subject : all_) {
      if (Interruption::happened()) return;
      if (!take(test(subject, results_.size(), console_))) return;
    }
  }

  // Returns false where the tests were interrupted.
  bool take(TestedOp tested) {
    if (tested.interrupted) return false;
    console_.print(line_of(tested));
    results_.push_back(std::move(tested));
    return true;
  }

  // Returns true where this process has helped another one, which shows what was found.
  Result<bool> spread_out() {
    ProgressLine progress(console_, "test --all");
    std::string names;
    for (const Subject& subject : all_) names += subject.op + "\n";
    spread::JobList list{all_.size(), sha256_hex(names), [this](size_t number) {
                           Console quiet({.json = false, .quiet = true});
                           return message_of(test(all_[number], number, quiet));
                         }};
    list.options.may_begin = [] { return !Interruption::happened(); };
    list.options.progress = [&](const spread::HandOut& jobs) {
      progress.advance(jobs.ended(), jobs.jobs(), fmt::format("{} at work", jobs.busy()));
    };
    OPKIT_TRY(const auto ends,
              spread::spread(list, static_cast<size_t>(arguments_.integer("--jobs"))));
    progress.finish();
    if (!ends) return true;
    for (size_t number = 0; number < ends->size(); ++number) {
      if (!take_end(all_[number].op, (*ends)[number])) break;
    }
    return false;
  }

  // Takes what became of an op in another process; results are in the order of ops, and what lies
  // behind one that nobody tested is not told, as in one process.
  bool take_end(const std::string& op, const spread::JobEnd& end) {
    if (end.error) return take(failed(op, *end.error));
    if (!end.answer) return false;
    auto tested = read_tested_op(op, *end.answer);
    return take(tested.ok() ? std::move(*tested) : failed(op, tested.error()));
  }

  // Tests one op; what is wrong with it stands in the result.
  TestedOp test(const Subject& subject, size_t number, Console& console) {
    if (!subject.unfit.empty())
      return {subject.op, "", OpFate::kSkipped, subject.unfit, {}, 0, 0, "", false};
    const auto op =
        choose_op(subject.op, soc(), arguments_, test_open_options(arguments_, console), console);
    if (!op.ok()) return failed(subject.op, op.error());
    verify::TestRequest request = request_;
    request.contract = &op->contract;
    request.executor = op->executor.get();
    request.folder = op->package.root;
    const auto singles = make_singles_ ? make_singles_(registry_) : nullptr;
    request.singles = singles.get();
    TestProgress shown(console,
                       fmt::format("[{}/{}] test {}", number + 1, all_.size(), subject.op));
    const auto report = verify::run_tests(request, shown);
    if (!report.ok()) return failed(subject.op, report.error());
    return judged(*report);
  }

  static TestedOp failed(const std::string& op, const Error& error) {
    return {op,
            "",
            OpFate::kFailed,
            error.to_string(),
            {},
            0,
            0,
            verify::junit_error(op, error.to_string()),
            Interruption::happened()};
  }

  TestedOp judged(const verify::TestReport& report) const {
    TestedOp result{report.op,
                    report.version,
                    passed(report) ? OpFate::kPassed : OpFate::kFailed,
                    "",
                    verify::report_summary(report),
                    report.results.size(),
                    report.seconds,
                    verify::junit_suite(report),
                    Interruption::happened()};
    if (result.fate == OpFate::kPassed) return result;
    result.reason = with_subject(verify::report_text(report), report.op, report.op, arguments_);
    return result;
  }

  std::string line_of(const TestedOp& result) const {
    const Palette& palette = console_.out();
    const std::string name = result.op + (result.version.empty() ? "" : " " + result.version);
    switch (result.fate) {
      case OpFate::kPassed:
        return fmt::format("{}  {}  {} in {:.1f} s\n", palette.paint(Style::kGreen, "PASSED "),
                           name, counted(result.problems, "problem"), result.seconds);
      case OpFate::kSkipped:
        return fmt::format("{}  {}: {}\n", palette.paint(Style::kYellow, "SKIPPED"), name,
                           result.reason);
      default:
        return fmt::format("{}  {}\n{}\n", palette.paint(Style::kRed, "FAILED "), name,
                           result.reason);
    }
  }

  size_t count(OpFate fate) const {
    return static_cast<size_t>(std::ranges::count(results_, fate, &TestedOp::fate));
  }

  std::vector<std::string> not_run() const {
    std::vector<std::string> names;
    for (size_t i = results_.size(); i < all_.size(); ++i) names.push_back(all_[i].op);
    return names;
  }

  std::string summary() const {
    std::string failures;
    size_t problems = 0;
    for (const TestedOp& result : results_) {
      problems += result.problems;
      if (result.fate == OpFate::kFailed) failures += " " + result.op;
    }
    std::string text =
        fmt::format("{}, {}: {} passed, {} failed, {} skipped\n", counted(all_.size(), "op"),
                    counted(problems, "problem"), count(OpFate::kPassed), count(OpFate::kFailed),
                    count(OpFate::kSkipped));
    if (!failures.empty()) text += "failed:" + failures + "\n";
    if (const auto left = not_run(); !left.empty())
      text += fmt::format("interrupted; not tested: {}\n", fmt::join(left, " "));
    return text;
  }

  Json json() const {
    static constexpr const char* kNames[] = {"PASSED", "FAILED", "SKIPPED"};
    Json ops = Json::array();
    for (const TestedOp& result : results_)
      ops.push_back({{"op", result.op},
                     {"version", result.version},
                     {"verdict", kNames[static_cast<int>(result.fate)]},
                     {"reason", result.reason},
                     {"problems", result.problems},
                     {"seconds", result.seconds},
                     {"report", result.report}});
    return {{"tier", verify::name_of(request_.tier)}, {"ops", std::move(ops)},
            {"passed", count(OpFate::kPassed)},       {"failed", count(OpFate::kFailed)},
            {"skipped", count(OpFate::kSkipped)},     {"not_run", not_run()}};
  }

  Status write_junit() const {
    const auto file = arguments_.find("--junit");
    std::string suites;
    for (const TestedOp& result : results_) suites += result.junit;
    return file ? write_file(*file, verify::junit_document(suites)) : Status();
  }

  const Arguments& arguments_;
  Console& console_;
  const registry::Registry registry_;
  MakeSingles make_singles_;
  std::vector<std::string> socs_;
  verify::TestRequest request_;
  std::vector<Subject> all_;
  std::vector<TestedOp> results_;
};

}  // namespace

Flag all_flag() {
  return {.name = "--all", .value = "", .help = "every installed op, one after the other"};
}

Flag jobs_flag() {
  return {.name = "--jobs",
          .value = "N",
          .help = "with --all: ops that are tested at once, each in a process of its own",
          .integer = true,
          .least = 1,
          .most = 1024,
          .preset = "1"};
}

Status check_all_flag(const Arguments& arguments) {
  if (!arguments.has("--all")) {
    if (arguments.has("--jobs"))
      return Error("OPK-CLI-016", "--jobs goes with --all only", "leave it out, or say --all");
    if (arguments.has("op")) return {};
    return Error("OPK-CLI-003", "opkit test needs an op", "name one, or say --all");
  }
  for (const char* word : kOfOneOp) {
    if (arguments.has(word))
      return Error("OPK-CLI-016",
                   fmt::format("{} does not go with --all", *word == '-' ? word : "an op's name"),
                   "leave out one of them");
  }
  return {};
}

Outcome run_all(const Arguments& arguments, Console& console, MakeSingles singles) {
  return AllOps(arguments, console, singles).run();
}

}  // namespace opkit::cli
