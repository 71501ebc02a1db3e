// Registry: which package serves an op, and why. Reads manifests and files; never loads a library.
// Each call but find() sees the directories as they are; files that were found intact before are
// not read again unless they changed (CheckMemory). What looks amiss while an installer is at work
// is looked at again when it has ended.
#ifndef OPKIT_REGISTRY_REGISTRY_H_
#define OPKIT_REGISTRY_REGISTRY_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/answers.h"
#include "registry/check_memory.h"
#include "registry/lock_file.h"
#include "registry/package.h"
#include "registry/quarantine.h"
#include "registry/query.h"
#include "registry/search_path.h"
#include "registry/trust.h"

namespace opkit::registry {

// Codes of resolutions that find no package, and none that is for this host and chip.
inline constexpr const char* kNotKnown = "OPK-REG-001";
inline constexpr const char* kNoneFits = "OPK-REG-002";

enum class Standing {
  kChosen,    // serves the op
  kShadowed,  // usable, but another one comes first
  kUnfit,     // passed by: `error` says why
  kBroken,    // stops the resolution when it is the first in line
  kRefused,   // so does this: intact, but against the OPP's trust, which its policy enforces
  kNotAsked,  // another version or vendor was asked for
};
std::string_view name_of(Standing standing);

struct PackageCandidate {
  std::filesystem::path directory;
  std::string vendor, op, version;  // are set as far as known
  Standing standing = Standing::kShadowed;
  std::vector<Error> reasons;      // why not chosen; empty for kChosen
  std::optional<Package> package;  // when the manifest could be read
  std::optional<Error> trust;      // what the OPP's trust has against it; installers refuse it
};

// One searched directory.
struct SearchedRoot {
  SearchRoot root;
  std::vector<PackageCandidate> candidates;  // highest version first
};

// The whole story of a resolution.
struct Trace {
  Query query;
  SearchPath path;
  std::vector<SearchedRoot> searched;
  std::vector<std::string> known_ops;  // every op type under the search path, sorted
  std::optional<Package> chosen;
  Errors notes;                // what was passed by on the way to the chosen one
  std::optional<Error> error;  // why nothing was chosen

  std::string to_string() const;
};

// One installed package, as `list` shows it.
struct Listed {
  SearchRoot root;
  PackageCandidate
      candidate;  // kChosen, kShadowed (by an earlier root or a higher version), kUnfit, kBroken
};

// What packages are judged by, besides themselves. Borrowed.
struct Surroundings {
  const HostFacts& host;
  const CheckMemory& memory;
  const Quarantine& quarantine;
  const Trust& trust;
  const std::optional<Error>& no_trust;  // why nobody can say whom the OPP trusts
};

class Registry {
 public:
  // Keeps what is remembered of packages and of crashes in `cache_dir`; empty: nothing is.
  Registry(SearchPath path, HostFacts host, std::filesystem::path cache_dir = {});
  // Opens this process's registry: the environment, unless explicit_opp is given;
  // default_cache_dir().
  static Registry open(const std::optional<std::filesystem::path>& explicit_opp = std::nullopt);

  const SearchPath& search_path() const { return path_; }
  const HostFacts& host() const { return host_; }
  // Returns the OPP's trust; the default when its file is damaged, of which the search path then
  // warns. No package of the OPP serves until it is mended.
  const Trust& trust() const { return trust_; }

  // Lets from now on the packages of the set alone serve ops: resolve() adds the refusals of
  // check_locked. An error in place of a set is the answer to everything.
  void lock(Result<LockedSet> set);
  // Every op of the set resolves for the SoC, to its package. Fine without a set.
  Status check_lock(const std::string& soc) const;

  // Returns every package of every root. soc restricts which are fit when not empty.
  std::vector<Listed> list(const std::string& soc = {}) const;
  // Contract and library come from the one package that this returns.
  Result<Resolution> resolve(const Query& query) const;
  // Finds for callers that ask again and again: without a copy, and from what was resolved a
  // moment ago (Answers).
  Result<std::shared_ptr<const Resolution>> find(const Query& query) const;
  // resolve with the whole search trace; its `error` or `chosen` is what resolve returns.
  Trace explain(const Query& query) const;
  // Writes what was learned of packages, as the end of its life does, for processes that keep one.
  void remember() const { memory_.flush(); }
  // Op types under the search path, sorted.
  std::vector<std::string> op_types() const;

 private:
  Trace search(const Query& query, const std::vector<std::string>& known_ops) const;
  std::vector<Listed> list_now(const std::string& soc) const;
  Trace search_settled(const Query& query, const std::vector<std::string>& known_ops) const;
  Surroundings surroundings() const { return {host_, memory_, quarantine_, trust_, no_trust_}; }

  SearchPath path_;
  HostFacts host_;
  CheckMemory memory_;
  Quarantine quarantine_;
  Trust trust_;
  std::optional<Error> no_trust_;
  std::optional<Result<LockedSet>> locked_;
  std::shared_ptr<Answers> answers_;  // copies ask the same directories
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_REGISTRY_H_
