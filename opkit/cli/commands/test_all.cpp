#include "opkit/cli/commands/test_all.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/base/counted.h"
#include "opkit/base/file.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/test_options.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/interruption.h"

namespace opkit::cli {
namespace {

// Options that are about one op, or about its sources.
constexpr const char* kOfOneOp[] = {"op",       "--t",        "--d",     "--attr",    "--data",
                                    "--absent", "--collapse", "--count", "--threads", "--version",
                                    "--html",   "--mutants",  "--column"};

enum class Fate { kPassed, kFailed, kSkipped };

// How the tests of one op ended.
struct OpResult {
  std::string op, version;
  Fate fate = Fate::kPassed;
  std::string reason;  // of everything but kPassed
  Json report;         // null where nothing ran
  size_t problems = 0;
  double seconds = 0;
};

struct Subject {
  std::string op;
  std::string unfit;  // why no package of it runs on the chip, or empty
};

// The ops on the search path, of the vendor if one is given, sorted.
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
    for (const Subject& subject : all_) {
      if (Interruption::happened()) break;
      OPKIT_TRY(const OpResult result, test(subject));
      if (Interruption::happened()) break;  // a part of its problems says nothing
      console_.print(line_of(result));
      results_.push_back(result);
    }
    OPKIT_CHECK(write_junit());
    console_.show(json(), summary());
    if (Interruption::happened()) return Interruption::exit_code();
    return count(Fate::kFailed) == 0 && count(Fate::kPassed) > 0 ? kOk : kFailed;
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

  // Tests one op. Error: the command's own; what is wrong with the op stands in the result.
  Result<OpResult> test(const Subject& subject) {
    if (!subject.unfit.empty())
      return OpResult{subject.op, "", Fate::kSkipped, subject.unfit, {}, 0, 0};
    const auto op =
        choose_op(subject.op, soc(), arguments_, test_open_options(arguments_, console_), console_);
    if (!op.ok()) return failed(subject.op, op.error());
    verify::TestRequest request = request_;
    request.contract = &op->contract;
    request.executor = op->executor.get();
    request.folder = op->package.root;
    const auto singles = make_singles_ ? make_singles_(registry_) : nullptr;
    request.singles = singles.get();
    TestProgress shown(
        console_, fmt::format("[{}/{}] test {}", results_.size() + 1, all_.size(), subject.op));
    const auto report = verify::run_tests(request, shown);
    if (!report.ok()) return failed(subject.op, report.error());
    return judged(*report);
  }

  OpResult failed(const std::string& op, const Error& error) {
    junit_ += verify::junit_error(op, error.to_string());
    return {op, "", Fate::kFailed, error.to_string(), {}, 0, 0};
  }

  OpResult judged(const verify::TestReport& report) {
    OpResult result{report.op,
                    report.version,
                    passed(report) ? Fate::kPassed : Fate::kFailed,
                    "",
                    verify::report_summary(report),
                    report.results.size(),
                    report.seconds};
    junit_ += verify::junit_suite(report);
    if (result.fate == Fate::kPassed) return result;
    result.reason = with_subject(verify::report_text(report), report.op, report.op, arguments_);
    return result;
  }

  std::string line_of(const OpResult& result) const {
    const Palette& palette = console_.out();
    const std::string name = result.op + (result.version.empty() ? "" : " " + result.version);
    switch (result.fate) {
      case Fate::kPassed:
        return fmt::format("{}  {}  {} in {:.1f} s\n", palette.paint(Style::kGreen, "PASSED "),
                           name, counted(result.problems, "problem"), result.seconds);
      case Fate::kSkipped:
        return fmt::format("{}  {}: {}\n", palette.paint(Style::kYellow, "SKIPPED"), name,
                           result.reason);
      default:
        return fmt::format("{}  {}\n{}\n", palette.paint(Style::kRed, "FAILED "), name,
                           result.reason);
    }
  }

  size_t count(Fate fate) const {
    return static_cast<size_t>(std::ranges::count(results_, fate, &OpResult::fate));
  }

  std::vector<std::string> not_run() const {
    std::vector<std::string> names;
    for (size_t i = results_.size(); i < all_.size(); ++i) names.push_back(all_[i].op);
    return names;
  }

  std::string summary() const {
    std::string failures;
    size_t problems = 0;
    for (const OpResult& result : results_) {
      problems += result.problems;
      if (result.fate == Fate::kFailed) failures += " " + result.op;
    }
    std::string text =
        fmt::format("{}, {}: {} passed, {} failed, {} skipped\n", counted(all_.size(), "op"),
                    counted(problems, "problem"), count(Fate::kPassed), count(Fate::kFailed),
                    count(Fate::kSkipped));
    if (!failures.empty()) text += "failed:" + failures + "\n";
    if (const auto left = not_run(); !left.empty())
      text += fmt::format("interrupted; not tested: {}\n", fmt::join(left, " "));
    return text;
  }

  Json json() const {
    static constexpr const char* kNames[] = {"PASSED", "FAILED", "SKIPPED"};
    Json ops = Json::array();
    for (const OpResult& result : results_)
      ops.push_back({{"op", result.op},
                     {"version", result.version},
                     {"verdict", kNames[static_cast<int>(result.fate)]},
                     {"reason", result.reason},
                     {"problems", result.problems},
                     {"seconds", result.seconds},
                     {"report", result.report}});
    return {{"tier", verify::name_of(request_.tier)}, {"ops", std::move(ops)},
            {"passed", count(Fate::kPassed)},         {"failed", count(Fate::kFailed)},
            {"skipped", count(Fate::kSkipped)},       {"not_run", not_run()}};
  }

  Status write_junit() const {
    const auto file = arguments_.find("--junit");
    return file ? write_file(*file, verify::junit_document(junit_)) : Status();
  }

  const Arguments& arguments_;
  Console& console_;
  const registry::Registry registry_;
  MakeSingles make_singles_;
  std::vector<std::string> socs_;
  verify::TestRequest request_;
  std::vector<Subject> all_;
  std::vector<OpResult> results_;
  std::string junit_;
};

}  // namespace

Flag all_flag() {
  return {.name = "--all", .value = "", .help = "every installed op, one after the other"};
}

Status check_all_flag(const Arguments& arguments) {
  if (!arguments.has("--all")) {
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
