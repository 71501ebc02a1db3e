#include <fmt/format.h>

#include <map>

#include "opkit/base/counted.h"
#include "opkit/base/json.h"
#include "opkit/verify/mutants/kept_mutants.h"
#include "opkit/verify/mutants/mutation_run.h"

namespace opkit::verify {
namespace {

std::string place(const MutantResult& mutant) {
  return mutant.line > 0 ? fmt::format("{}:{}", mutant.file, mutant.line) : mutant.file;
}

std::string diff(const MutantResult& mutant) {
  if (mutant.line == 0) return {};
  return fmt::format("    - {}\n    + {}\n", mutant.before, mutant.after);
}

std::string killers(const MutationReport& report) {
  std::map<std::string, int64_t> tiers;
  for (const MutantResult& mutant : report.mutants) {
    if (mutant.fate == Fate::kKilled) ++tiers[mutant.tier];
  }
  std::vector<std::string> parts;
  for (const char* tier : {"smoke", "ci", "nightly"}) {
    if (tiers.count(tier) > 0) parts.push_back(fmt::format("{} by {}", tiers[tier], tier));
  }
  return parts.empty() ? "" : fmt::format(" ({})", fmt::join(parts, ", "));
}

std::string verdict(const MutationReport& report) {
  const auto rate = report.kill_rate();
  if (!rate) return "no mutant counts, so that nothing is known of the tests";
  return fmt::format("{} of {} mutants killed ({:.1f} %) by the tests up to tier {}", report.killed,
                     report.killed + report.survived, 100 * *rate, name_of(report.tier));
}

}  // namespace

std::string mutation_text(const MutationReport& report) {
  std::string text = fmt::format(
      "{}: {}\n  killed {}{}, survived {}, equivalent {}, did not compile {}; {:.0f} s\n",
      report.op, verdict(report), report.killed, killers(report), report.survived,
      report.equivalent, report.stillborn, report.seconds);
  if (report.resumed > 0)
    text += fmt::format("  {} known from an earlier run\n", counted(report.resumed, "mutant"));
  for (const Fate fate : {Fate::kSurvived, Fate::kEquivalent}) {
    for (const MutantResult& mutant : report.mutants) {
      if (mutant.fate != fate) continue;
      text += fmt::format("  {} {}: {}\n{}    {}\n",
                          fate == Fate::kSurvived ? "SURVIVOR" : "equivalent", place(mutant),
                          mutant.what, diff(mutant), mutant.by);
    }
  }
  return text;
}

std::string mutation_json(const MutationReport& report) {
  Json json{{"op", report.op},
            {"tier", name_of(report.tier)},
            {"killed", report.killed},
            {"survived", report.survived},
            {"equivalent", report.equivalent},
            {"stillborn", report.stillborn},
            {"resumed", report.resumed},
            {"kill_rate", nullptr},
            {"seconds", report.seconds}};
  if (const auto rate = report.kill_rate()) json["kill_rate"] = *rate;
  json["mutants"] = Json::array();
  for (const MutantResult& mutant : report.mutants) json["mutants"].push_back(mutant_json(mutant));
  return json.dump(2) + "\n";
}

}  // namespace opkit::verify
