#include "registry/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "registry/manifest.h"
#include "registry/missing_op.h"
#include "registry/opp_layout.h"
#include "registry/opp_watch.h"
#include "registry/probe.h"
#include "registry/version_range.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::seconds kPatience{5};  // limits the wait for installers

Standing standing_of(const PackageCheck& check) {
  if (check.usable()) return Standing::kShadowed;
  return check.worst().defect == Defect::kBroken ? Standing::kBroken : Standing::kUnfit;
}

Expected expected_of(const SearchRoot& root, const std::string& op, const std::string& version) {
  return {root.vendor, op, version};
}

Error in_quarantine(Error error, const std::string& op) {
  error.action = fmt::format("mend it and install it again, or `opkit release {}`", op);
  return std::move(error).of(op);
}

// Returns what an OPP holds, not what the user's own variable leads to.
fs::path opp_of(const SearchRoot& root) {
  switch (root.origin) {
    case Origin::kVendor: return root.directory.parent_path().parent_path();
    case Origin::kBuiltIn: return root.directory.parent_path();
    case Origin::kCustomPath: break;
  }
  return root.directory;
}

// The policy `any` tells, the others keep it from serving.
void ask_trust(const Surroundings& by, const Package& package, PackageCandidate& candidate) {
  if (by.no_trust) {
    candidate.trust = *by.no_trust;
  } else if (Status trusted = judge(by.trust, package); !trusted) {
    candidate.trust = std::move(trusted).error();
  }
  const bool enforced = by.no_trust || by.trust.policy != TrustPolicy::kAny;
  if (candidate.trust && enforced && candidate.standing == Standing::kShadowed)
    candidate.standing = Standing::kRefused;
}

// A searched directory with what holds for all its packages.
struct Shelf {
  explicit Shelf(const SearchRoot& of)
      : root(of), folder(of.directory / "op_pkg"), way(check_way(opp_of(of), folder)) {}
  const SearchRoot& root;
  fs::path folder;
  Status way;  // tells whether the way to the folder may be trusted
};

// Checks one directory. The standing is kShadowed, kUnfit or kBroken.
PackageCandidate examine(const Shelf& shelf, const std::string& op, const std::string& version,
                         const Surroundings& by, const std::string& soc) {
  const SearchRoot& root = shelf.root;
  PackageCandidate candidate;
  candidate.directory = shelf.folder / op / version;
  candidate.op = op;
  candidate.version = version;
  candidate.vendor = root.vendor;
  PackageCheck check =
      check_package(candidate.directory, by.host, expected_of(root, op, version), by.memory);
  const Status way = shelf.way ? check_way(shelf.folder, candidate.directory) : shelf.way;
  if (!way) check.findings.push_back({Defect::kBroken, std::move(Error(way.error())).of(op)});
  if (check.has_manifest && check.usable()) {
    Status status = by.quarantine.judge(check.package.manifest.library_sha256);
    if (!status) check.findings.push_back({Defect::kBroken, in_quarantine(status.error(), op)});
  }
  if (check.has_manifest && !soc.empty()) {
    const Status status = check_soc(check.package.manifest, soc);
    if (!status) check.findings.push_back({Defect::kUnfit, status.error()});
  }
  candidate.standing = standing_of(check);
  for (PackageFinding& found : check.findings) candidate.reasons.push_back(std::move(found.error));
  if (!check.has_manifest) return candidate;
  if (candidate.vendor.empty()) candidate.vendor = check.package.manifest.vendor;
  if (root.origin != Origin::kCustomPath && candidate.standing != Standing::kBroken)
    ask_trust(by, check.package, candidate);
  candidate.package = std::move(check.package);
  return candidate;
}

Error not_asked(const Query& query, const PackageCandidate& candidate) {
  const bool version = !query.version.empty() && !version_matches(query.version, candidate.version);
  return Error("OPK-REG-008", version ? fmt::format("version {} was asked for", query.version)
                                      : fmt::format("vendor {} was asked for", query.vendor));
}

bool is_asked(const Query& query, const PackageCandidate& candidate) {
  return (query.version.empty() || version_matches(query.version, candidate.version)) &&
         (query.vendor.empty() || query.vendor == candidate.vendor);
}

SearchedRoot search_root(const SearchRoot& root, const Query& query, const Surroundings& by) {
  SearchedRoot searched{root, {}};
  const Shelf shelf(root);
  for (const std::string& version : versions_in(shelf.folder / query.op)) {
    PackageCandidate candidate = examine(shelf, query.op, version, by, query.soc);
    if (!is_asked(query, candidate)) {
      candidate.reasons = {not_asked(query, candidate)};
      candidate.standing = Standing::kNotAsked;
    }
    searched.candidates.push_back(std::move(candidate));
  }
  return searched;
}

std::string describe(const PackageCandidate& candidate) {
  return fmt::format("{} {} of {}", candidate.op, candidate.version,
                     candidate.vendor.empty() ? "an unknown vendor" : candidate.vendor);
}

// A higher-priority package that was passed by, as a warning.
Error passed_by(const PackageCandidate& candidate) {
  Error note = candidate.reasons.front();
  note.severity = Severity::kWarning;
  note.message = fmt::format("{} was passed by: {}", describe(candidate), note.message);
  return note;
}

// The package that would win is damaged or refused; using another one unasked would hide that.
Error blocked(const PackageCandidate& candidate, const PackageCandidate* alternative) {
  const bool refused = candidate.standing == Standing::kRefused;
  const Error& reason = refused ? *candidate.trust : candidate.reasons.front();
  std::string action =
      refused || reason.code == kInQuarantine ? reason.action : std::string("install it again");
  if (alternative != nullptr) {
    action += fmt::format(", or ask for {} {} of vendor {}", alternative->op, alternative->version,
                          alternative->vendor);
  }
  return Error(refused ? "OPK-REG-011" : "OPK-REG-003",
               fmt::format("{} comes first but is {}: {}: {}", describe(candidate),
                           name_of(candidate.standing), reason.code, reason.message),
               action)
      .at(reason.where.file.empty() ? Location{candidate.directory.string()} : reason.where)
      .of(candidate.op);
}

// Walks the candidates in the order of priority.
class Resolver {
 public:
  explicit Resolver(Trace& trace) : trace_(trace) {
    for (SearchedRoot& root : trace.searched) {
      for (PackageCandidate& candidate : root.candidates) {
        if (candidate.standing != Standing::kNotAsked) line_.push_back(&candidate);
      }
    }
  }

  void run() {
    for (PackageCandidate* candidate : line_) {
      if (candidate->standing == Standing::kUnfit) {
        trace_.notes.push_back(passed_by(*candidate));
        continue;
      }
      if (candidate->standing == Standing::kBroken || candidate->standing == Standing::kRefused) {
        trace_.error = blocked(*candidate, alternative());
        return;
      }
      return choose(*candidate);
    }
    trace_.error = line_.empty() ? nothing_found() : nothing_fits();
  }

 private:
  void choose(PackageCandidate& winner) {
    winner.standing = Standing::kChosen;
    trace_.chosen = winner.package;
    for (PackageCandidate* other : line_) {
      if (other->standing != Standing::kShadowed) continue;
      other->reasons = {Error("OPK-REG-009", fmt::format("{} comes first", describe(winner)))};
    }
  }

  const PackageCandidate* alternative() const {
    const auto found = std::find_if(line_.begin(), line_.end(), [](const auto* each) {
      return each->standing == Standing::kShadowed;
    });
    return found == line_.end() ? nullptr : *found;
  }

  // Returns the error when every candidate is unfit; the first one's reason speaks.
  Error nothing_fits() const {
    const PackageCandidate& first = *line_.front();
    const Error& reason = first.reasons.front();
    std::string more;
    if (line_.size() > 1) more = fmt::format(" (and {} more do not fit)", line_.size() - 1);
    return Error(kNoneFits,
                 fmt::format("no package of {} fits{}: {}: {}: {}", trace_.query.op, more,
                             describe(first), reason.code, reason.message),
                 reason.action)
        .at(reason.where)
        .of(trace_.query.op);
  }

  Error nothing_found() const;
  Error not_known() const;
  Error wrong_pin() const;

  Trace& trace_;
  std::vector<PackageCandidate*> line_;
};

Error Resolver::nothing_found() const {
  const auto holds = [](const SearchedRoot& root) { return !root.candidates.empty(); };
  const bool any = std::any_of(trace_.searched.begin(), trace_.searched.end(), holds);
  return any ? wrong_pin() : not_known();
}

Error Resolver::not_known() const {
  const Query& query = trace_.query;
  const MissingOp missing = why_missing(query.op, trace_.path, trace_.known_ops);
  return Error(kNotKnown,
               fmt::format("no package of {} in {} searched directories of OPP {} ({}){}", query.op,
                           trace_.searched.size(), trace_.path.opp.string(), trace_.path.opp_reason,
                           missing.reasons),
               missing.cure)
      .of(query.op);
}

Error Resolver::wrong_pin() const {
  const Query& query = trace_.query;
  std::vector<std::string> there;
  for (const SearchedRoot& root : trace_.searched) {
    for (const PackageCandidate& candidate : root.candidates) {
      there.push_back(fmt::format("{} of {}", candidate.version, candidate.vendor));
    }
  }
  std::string asked = query.op;
  if (!query.version.empty()) asked += " " + query.version;
  if (!query.vendor.empty()) asked += " of vendor " + query.vendor;
  return Error("OPK-REG-004",
               fmt::format("{} is not installed; there is {}", asked, fmt::join(there, ", ")),
               "ask for one of these, or install the wanted one")
      .of(query.op);
}

// Shadowed within its own listing: an earlier candidate of the same op serves it.
void mark_winners(std::vector<Listed>& list) {
  std::set<std::string> decided;
  for (Listed& entry : list) {
    PackageCandidate& candidate = entry.candidate;
    if (candidate.standing == Standing::kUnfit) continue;
    const bool first = decided.insert(candidate.op).second;
    if (candidate.standing == Standing::kShadowed && first) candidate.standing = Standing::kChosen;
  }
}

}  // namespace

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::kChosen: return "chosen";
    case Standing::kShadowed: return "shadowed";
    case Standing::kUnfit: return "unfit";
    case Standing::kBroken: return "broken";
    case Standing::kRefused: return "refused";
    case Standing::kNotAsked: return "not asked for";
  }
  return {};
}

Registry::Registry(SearchPath path, HostFacts host, fs::path cache_dir)
    : path_(std::move(path)),
      host_(std::move(host)),
      memory_(cache_dir),
      quarantine_(std::move(cache_dir)),
      answers_(std::make_shared<Answers>(path_.opp)) {
  for (const SearchRoot& root : path_.roots) {
    Status read = memory_.open(root.directory / "op_pkg");
    if (!read) path_.warnings.push_back(std::move(read).error());
  }
  Result<Trust> trust = load_trust(path_.opp);
  if (trust) {
    trust_ = *std::move(trust);
    return;
  }
  no_trust_ = trust.error();
  trust.error().severity = Severity::kWarning;
  path_.warnings.push_back(std::move(trust).error());
}

Registry Registry::open(const std::optional<fs::path>& explicit_opp) {
  return Registry(make_search_path(explicit_opp, Environment::of_this_process()),
                  HostFacts::of_this_process(), default_cache_dir());
}

std::vector<std::string> Registry::op_types() const {
  std::set<std::string> names;
  for (const SearchRoot& root : path_.roots) {
    for (const std::string& op : folders_in(root.directory / "op_pkg")) names.insert(op);
  }
  return {names.begin(), names.end()};
}

// A package that is replaced while it is checked looks broken.
std::vector<Listed> Registry::list(const std::string& soc) const {
  std::vector<Listed> result = list_now(soc);
  const bool amiss = std::any_of(result.begin(), result.end(), [](const Listed& listed) {
    return listed.candidate.standing == Standing::kBroken;
  });
  if (amiss) OppWatch(path_.opp).in_quiet([&] { result = list_now(soc); }, kPatience);
  return result;
}

std::vector<Listed> Registry::list_now(const std::string& soc) const {
  std::vector<Listed> result;
  for (const SearchRoot& root : path_.roots) {
    const Shelf shelf(root);
    for (const std::string& op : folders_in(shelf.folder)) {
      for (const std::string& version : versions_in(shelf.folder / op)) {
        result.push_back({root, examine(shelf, op, version, surroundings(), soc)});
      }
    }
  }
  mark_winners(result);
  return result;
}

Trace Registry::search_settled(const Query& query,
                               const std::vector<std::string>& known_ops) const {
  Trace trace = search(query, known_ops);
  if (trace.error)
    OppWatch(path_.opp).in_quiet([&] { trace = search(query, known_ops); }, kPatience);
  return trace;
}

Trace Registry::search(const Query& query, const std::vector<std::string>& known_ops) const {
  Trace trace;
  trace.query = query;
  trace.path = path_;
  trace.known_ops = known_ops;
  for (const SearchRoot& root : path_.roots) {
    // A name that is no op type could climb out of the directory; nothing can be installed under
    // it.
    trace.searched.push_back(is_op_type(query.op) ? search_root(root, query, surroundings())
                                                  : SearchedRoot{root, {}});
  }
  if (Status range = check_version(query.version); !range) {
    trace.error = std::move(range).error();
    return trace;
  }
  Resolver(trace).run();
  return trace;
}

Trace Registry::explain(const Query& query) const { return search_settled(query, op_types()); }

Status Registry::check_lock(const std::string& soc) const {
  if (!locked_) return {};
  if (!*locked_) return locked_->error();
  for (const LockedPackage& each : (*locked_)->packages) {
    const auto found = resolve({.op = each.op, .soc = soc});
    if (!found) return found.error();
  }
  return {};
}

// Answers were of another set.
void Registry::lock(Result<LockedSet> set) {
  locked_ = std::move(set);
  answers_ = std::make_shared<Answers>(path_.opp);
}

Result<std::shared_ptr<const Resolution>> Registry::find(const Query& query) const {
  if (auto known = answers_->find(query)) return known;
  const std::optional<uint64_t> generation = answers_->generation();
  OPKIT_TRY(Resolution found, resolve(query));
  auto resolution = std::make_shared<const Resolution>(std::move(found));
  answers_->keep(query, resolution, generation);
  return resolution;
}

// The names of all ops help only who named one that is not there.
Result<Resolution> Registry::resolve(const Query& query) const {
  Trace trace = search_settled(query, {});
  if (trace.error && trace.error->code == kNotKnown) trace = explain(query);
  if (trace.error) return *std::move(trace.error);
  if (locked_) {
    if (!*locked_) return locked_->error();
    OPKIT_CHECK(check_locked(**locked_, *trace.chosen));
  }
  return Resolution{*std::move(trace.chosen), std::move(trace.notes)};
}

}  // namespace opkit::registry
