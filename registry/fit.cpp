#include "registry/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "opkit/abi/plugin.h"
#include "registry/version.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

std::string range(const HostFacts& host) {
  if (host.min_abi == host.max_abi) return fmt::format("ABI {}", host.max_abi);
  return fmt::format("ABI {} to {}", host.min_abi, host.max_abi);
}

void check_abi(const Manifest& m, const HostFacts& host, Errors& errors) {
  if (m.abi > host.max_abi) {
    errors.push_back(
        Error("OPK-FIT-001",
              fmt::format("the package was built for plugin ABI {} (opkit {}); this "
                          "opkit serves {}",
                          m.abi, m.kit, range(host)),
              fmt::format("rebuild it with this opkit, or use opkit {} or newer", m.kit))
            .at(m.place("abi")));
  } else if (m.abi < host.min_abi) {
    errors.push_back(Error("OPK-FIT-002",
                           fmt::format("the package was built for plugin ABI {} (opkit {}), which "
                                       "is too old; this opkit serves {}",
                                       m.abi, m.kit, range(host)),
                           "rebuild it with this opkit")
                         .at(m.place("abi")));
  }
}

void check_platform(const Manifest& m, const HostFacts& host, Errors& errors) {
  if (m.platform == host.platform) return;
  errors.push_back(
      Error("OPK-FIT-003",
            fmt::format("the package is built for {}, this host is {}", m.platform, host.platform),
            "rebuild it on this host")
          .at(m.place("library.platform")));
}

// A plain library fits every host; an instrumented one needs its run time in the process.
void check_sanitizer(const Manifest& m, const HostFacts& host, Errors& errors) {
  if (m.sanitizer == "none" || m.sanitizer == host.sanitizer) return;
  errors.push_back(Error("OPK-FIT-004",
                         fmt::format("the library is built with the {} sanitizer, this process "
                                     "runs with: {}",
                                     m.sanitizer, host.sanitizer),
                         "rebuild it without the sanitizer, or use an opkit built with it")
                       .at(m.place("library.sanitizer")));
}

void check_runtime(std::string_view name, const std::string& need, const std::string& have,
                   const Location& where, Errors& errors) {
  if (need.empty() || have.empty() || compare_dotted(need, have) <= 0) return;
  errors.push_back(
      Error("OPK-FIT-005",
            fmt::format("the library needs {} {} or newer, this host has {}", name, need, have),
            "rebuild it on this host or an older one")
          .at(where));
}

// $ORIGIN in a run path is the library's folder.
std::vector<fs::path> expand(const std::vector<std::string>& run_path, const fs::path& library) {
  std::vector<fs::path> result;
  for (std::string entry : run_path) {
    for (const std::string_view word : {"${ORIGIN}", "$ORIGIN"}) {
      const size_t at = entry.find(word);
      if (at == std::string::npos) continue;
      entry.replace(at, word.size(), library.parent_path().string());
    }
    result.emplace_back(entry);
  }
  return result;
}

void check_needed(const Manifest& m, const std::vector<std::string>& run_path,
                  const fs::path& library, const HostFacts& host, Errors& errors) {
  const std::vector<fs::path> first = expand(run_path, library);
  const auto is_loaded = [&host](const std::string& soname) {
    return std::find(host.loaded.begin(), host.loaded.end(), soname) != host.loaded.end();
  };
  for (const std::string& soname : m.needed) {
    // Whether it is there, not where: most are in this process already.
    if (is_loaded(soname) || !host.find_library(soname, first).empty()) continue;
    errors.push_back(
        Error("OPK-FIT-006", fmt::format("the library needs {}, which is not on this host", soname),
              fmt::format("install the package that holds {}, or link it statically", soname))
            .at(m.place("library.needed")));
  }
}

void compare(const char* key, const std::string& said, const std::string& found, const Manifest& m,
             Errors& errors) {
  if (said == found) return;
  errors.push_back(
      Error("OPK-PKG-006",
            fmt::format("the manifest says {} '{}', the library has '{}'", key, said, found),
            "build the package again with `opkit build`")
          .at(m.place(key)));
}

}  // namespace

Errors check_fit(const Manifest& manifest, const std::vector<std::string>& run_path,
                 const fs::path& library, const HostFacts& host) {
  Errors errors;
  check_abi(manifest, host, errors);
  check_platform(manifest, host, errors);
  if (!errors.empty()) return errors;  // what follows means nothing on another platform
  check_sanitizer(manifest, host, errors);
  check_runtime("GLIBC", manifest.glibc, host.glibc, manifest.place("library.glibc"), errors);
  check_runtime("GLIBCXX", manifest.glibcxx, host.glibcxx, manifest.place("library.glibcxx"),
                errors);
  check_needed(manifest, run_path, library, host, errors);
  return errors;
}

Errors compare_with_manifest(const ElfFacts& facts, const Manifest& m) {
  Errors errors;
  compare("library.platform", m.platform, facts.platform, m, errors);
  compare("library.sanitizer", m.sanitizer, facts.sanitizer(), m, errors);
  compare("library.glibc", m.glibc, facts.highest_need("GLIBC"), m, errors);
  compare("library.glibcxx", m.glibcxx, facts.highest_need("GLIBCXX"), m, errors);
  compare("library.needed", fmt::format("{}", fmt::join(m.needed, ", ")),
          fmt::format("{}", fmt::join(facts.needed, ", ")), m, errors);
  if (!facts.exports(OPK_QUERY_SYMBOL)) {
    errors.push_back(Error("OPK-PKG-007",
                           fmt::format("the library does not export {}", OPK_QUERY_SYMBOL),
                           "build it with opkit_add_op, which adds the query function")
                         .at(m.place("library.file")));
  }
  return errors;
}

}  // namespace opkit::registry
