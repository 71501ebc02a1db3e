// The search trace as `opkit why` prints it.
#include <fmt/format.h>

#include "registry/place_note.h"
#include "registry/registry.h"

namespace opkit::registry {
namespace {

std::string question(const Query& query) {
  std::string text = query.op;
  if (!query.version.empty()) text += " " + query.version;
  if (!query.vendor.empty()) text += " of vendor " + query.vendor;
  if (!query.soc.empty()) text += " for " + query.soc;
  return text;
}

std::string candidate_lines(const PackageCandidate& candidate) {
  const bool cpu = candidate.package && is_aicpu(candidate.package->manifest);
  std::string text = fmt::format(
      "     {:<10} {} {} of {}{}\n", name_of(candidate.standing), candidate.op, candidate.version,
      candidate.vendor.empty() ? "?" : candidate.vendor, cpu ? ", for the AICPU" : "");
  for (const Error& reason : candidate.reasons) {
    const std::string place = reason.where.to_string();
    text += fmt::format("                {}: {}{}\n", reason.code, reason.message,
                        place.empty() ? "" : " (" + place + ")");
  }
  if (candidate.package && !candidate.package->signer.empty())
    text += fmt::format("                signed by key {}\n", candidate.package->signer);
  if (candidate.trust) {
    text +=
        fmt::format("                {}: {}\n", candidate.trust->code, candidate.trust->message);
  }
  return text;
}

std::string root_lines(size_t number, const SearchedRoot& searched) {
  std::string text = fmt::format("  {}. {} ({})\n", number, searched.root.directory.string(),
                                 searched.root.reason);
  if (!searched.root.note.empty()) return text + fmt::format("     {}\n", searched.root.note);
  if (searched.candidates.empty()) text += "     no package of this op\n";
  for (const PackageCandidate& candidate : searched.candidates) text += candidate_lines(candidate);
  return text;
}

}  // namespace

std::string Trace::to_string() const {
  const std::string note = note_of_opp(path.opp).text;
  std::string text = fmt::format("{}: OPP {} ({}){}\n", question(query), path.opp.string(),
                                 path.opp_reason, note.empty() ? "" : ", which " + note);
  for (size_t i = 0; i < searched.size(); ++i) text += root_lines(i + 1, searched[i]);
  for (const std::string& vendor : path.unlisted) {
    text += fmt::format("  -  {} is not searched: load_priority does not name it\n",
                        (path.opp / "vendors" / vendor).string());
  }
  for (const Error& warning : path.warnings) text += warning.to_string() + "\n";
  if (chosen) {
    text += fmt::format("uses {} in {}\n", chosen->to_string(), chosen->root.string());
  }
  if (error) text += error->to_string() + "\n";
  return text;
}

}  // namespace opkit::registry
