#include "opkit/cli/commands/checkup.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "opkit/base/counted.h"
#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "opkit/base/process/host_limits.h"
#include "opkit/build/project/scratch.h"
#include "opkit/build/project/sdk.h"
#include "opkit/build/project/template_copy.h"
#include "opkit/cli/options/opp_option.h"
#include "registry/missing_op.h"
#include "registry/opp_lock.h"
#include "registry/opp_watch.h"
#include "registry/pending_change.h"
#include "registry/place_note.h"
#include "registry/probe.h"
#include "registry/version.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Returns the first dotted number of a text, such as 12.2.0; nothing when there is none.
std::string dotted_number_in(std::string_view text) {
  constexpr const char* kDigits = "0123456789";
  for (size_t begin = 0; (begin = text.find_first_of(kDigits, begin)) != text.npos;) {
    const size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
    const size_t last = text.find_last_of(kDigits, end - 1);
    const std::string_view number = text.substr(begin, last + 1 - begin);
    if (number.find('.') != number.npos) return std::string(number);
    begin = end;
  }
  return {};
}

// Returns the first dotted number of `tool --version`.
std::string version_of(const std::string& tool) {
  const auto result = run_program({tool, "--version"});
  return result ? dotted_number_in(result->output) : std::string();
}

CheckupItem tool_check(const std::string& name, const std::string& tool, const std::string& least,
                       bool needed, const std::string& advice) {
  const fs::path path = project::find_program(tool);
  if (path.empty()) {
    return {name, needed ? Health::kBad : Health::kWarning, tool + " is not on PATH", advice};
  }
  const std::string version = version_of(path.string());
  if (!version.empty() && registry::compare_dotted(version, least) < 0) {
    return {name, Health::kBad,
            fmt::format("{} {} is older than {}", path.string(), version, least), advice};
  }
  return {name,
          Health::kGood,
          fmt::format("{} {}", path.string(), version.empty() ? "(version unknown)" : version),
          {}};
}

std::string compiler() {
  const std::string chosen = variable("CXX");
  return chosen.empty() ? "c++" : chosen;
}

// Compiles what a plugin is: a C++17 shared library.
CheckupItem compile_check() {
  const project::Scratch scratch;
  if (!scratch.check()) {
    return {"compile a plugin", Health::kBad, "no temporary folder can be made",
            "set TMPDIR to a folder that you may write"};
  }
  const fs::path source = scratch.path() / "probe.cpp";
  const Status written = write_file(
      source,
      "#include <type_traits>\nextern \"C\" int probe() { return std::is_same_v<int, int>; }\n");
  const auto result = run_program({compiler(), "-std=c++17", "-shared", "-fPIC", source.string(),
                                   "-o", (scratch.path() / "probe.so").string()});
  if (written.ok() && result && result->exit_code == 0) {
    return {"compile a plugin", Health::kGood, "a C++17 shared library compiles", {}};
  }
  return {"compile a plugin", Health::kBad, "the compiler cannot make a C++17 shared library",
          "apt-get install g++, or set CXX to a working compiler"};
}

CheckupItem folder_check(const std::string& name, const fs::path& path, const fs::path& must_hold,
                         const std::string& advice) {
  std::error_code ignored;
  if (fs::exists(path / must_hold, ignored)) return {name, Health::kGood, path.string(), {}};
  return {name, Health::kBad, fmt::format("{} does not exist", (path / must_hold).string()),
          advice};
}

bool can_write(const fs::path& path) {
  std::error_code ignored;
  fs::path existing = fs::absolute(path, ignored);
  while (!fs::exists(existing, ignored) && existing.has_relative_path())
    existing = existing.parent_path();
  return access(existing.c_str(), W_OK) == 0;
}

constexpr const char* kCustomPath = "ASCEND_CUSTOM_OPP_PATH";
constexpr const char* kEndsIt =
    "the next opkit install, uninstall or trust command ends it; nothing is lost";

CheckupItem pending_check(const fs::path& opp, bool at_work) {
  CheckupItem check{"installers", Health::kGood, "none has left anything unfinished", {}};
  const auto pending = registry::load_pending(opp);
  if (!pending) return {check.name, Health::kBad, pending.error().message, pending.error().action};
  if (!*pending) return check;
  const registry::PendingChange& change = **pending;
  const bool made = registry::is_made(change, opp);
  check.finding =
      fmt::format("{}: {} {}of {} {}, which {}", at_work ? "one is at work" : "one was interrupted",
                  change.op, change.version.empty() ? "" : change.version + " ", change.vendor,
                  change.arrives ? "arrives" : "leaves",
                  made ? "counts as done" : "has not happened yet: the OPP is that of before");
  if (at_work) return check;
  check.health = Health::kWarning;
  check.advice = kEndsIt;
  return check;
}

// Whoever keeps the lock is at work.
CheckupItem installers_check(const fs::path& opp) {
  CheckupItem check;
  const auto look = [&] { check = pending_check(opp, false); };
  if (!registry::OppWatch(opp).in_quiet(look, std::chrono::milliseconds(0)))
    check = pending_check(opp, true);
  return check;
}

// "3: a, b, ...", the first of them.
std::string first_of(const std::vector<fs::path>& paths) {
  constexpr size_t kMost = 3;
  std::string text = fmt::format("{}: ", paths.size());
  for (size_t i = 0; i < std::min(paths.size(), kMost); ++i)
    text += (i > 0 ? ", " : "") + paths[i].string();
  return text + (paths.size() > kMost ? ", ..." : "");
}

// Nobody's, so that they may go at once.
CheckupItem leftovers_check(const std::string& name, const std::vector<fs::path>& paths,
                            const std::string& advice) {
  if (paths.empty()) return {name, Health::kGood, "none", {}};
  return {name, Health::kWarning, first_of(paths), advice};
}

CheckupItem opp_leftovers_check(const fs::path& opp) {
  std::vector<fs::path> left;
  const auto look = [&] { left = registry::leftovers_of(opp); };
  const bool quiet = registry::OppWatch(opp).in_quiet(look, std::chrono::milliseconds(0));
  if (!quiet) left.clear();  // keeps out what an installer at work has there
  return leftovers_check("leftovers in the OPP", left,
                         "the next opkit install, uninstall or trust command removes them");
}

CheckupItem trust_check(const registry::Registry& registry) {
  const registry::Trust& trust = registry.trust();
  size_t refused = 0;
  for (const registry::Listed& listed : registry.list()) refused += listed.candidate.trust ? 1 : 0;
  CheckupItem check{"trust",
                    Health::kGood,
                    fmt::format("policy {}, {} with an owner", registry::name_of(trust.policy),
                                counted(trust.owners.size(), "vendor")),
                    {}};
  if (refused == 0) return check;
  check.health = Health::kBad;
  check.finding += fmt::format(", {} would be refused", counted(refused, "installed package"));
  check.advice = "opkit verify names them: sign, remove or install them again";
  return check;
}

CheckupItem packages_check(const registry::Registry& registry) {
  size_t broken = 0, unfit = 0, good = 0, refused = 0;
  std::string quarantined;
  for (const registry::Listed& listed : registry.list()) {
    const registry::Standing standing = listed.candidate.standing;
    for (const Error& reason : listed.candidate.reasons)
      if (reason.code == registry::kInQuarantine)
        quarantined += fmt::format("; {}: {}", listed.candidate.op, reason.message);
    if (standing == registry::Standing::kBroken)
      ++broken;
    else if (standing == registry::Standing::kRefused)
      ++refused;
    else if (standing == registry::Standing::kUnfit)
      ++unfit;
    else
      ++good;
  }
  const std::string finding = fmt::format("{} usable, {} unfit, {} broken, {} refused{}", good,
                                          unfit, broken, refused, quarantined);
  if (!quarantined.empty())
    return {"packages", Health::kBad, finding,
            "mend what crashes, or lift the quarantine: opkit release, and the name of the op"};
  if (broken > 0)
    return {"packages", Health::kBad, finding, "opkit verify says what is wrong with each"};
  if (refused > 0)
    return {"packages", Health::kBad, finding,
            "opkit list says why: sign them, remove them, or change opkit trust policy"};
  if (unfit > 0)
    return {"packages", Health::kWarning, finding, "opkit list says why they do not fit"};
  return {"packages", Health::kGood, finding, {}};
}

std::string simd_level() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) return "AVX-512";
  if (__builtin_cpu_supports("avx2")) return "AVX2";
  if (__builtin_cpu_supports("sse4.2")) return "SSE4.2";
  return "SSE2";
#else
  return "of the platform";
#endif
}

}  // namespace

std::vector<CheckupItem> check_tools() {
  std::vector<CheckupItem> checks;
  checks.push_back(tool_check("compiler", compiler(), "9", true, "apt-get install g++"));
  if (checks.back().health == Health::kGood) checks.push_back(compile_check());
  checks.push_back(tool_check("cmake", "cmake", "3.20", true, "apt-get install cmake"));
  checks.push_back(tool_check("ninja", "ninja", "1.10", false,
                              "apt-get install ninja-build (builds work with make, but slower)"));
  if (checks.back().health != Health::kGood) {
    checks.push_back(tool_check("make", "make", "4", true, "apt-get install ninja-build"));
  }
  return checks;
}

std::vector<CheckupItem> check_sdk() {
  const auto sdk = project::find_sdk();
  if (!sdk) return {{"SDK", Health::kBad, sdk.error().message, sdk.error().action}};
  const std::string again = "install the SDK again with cmake --install";
  std::vector<CheckupItem> checks = {
      folder_check("templates", sdk->templates, "elementwise", again),
      folder_check("CMake package", sdk->cmake_dir, "opkitConfig.cmake", again)};
  checks.push_back({"kit",
                    Health::kGood,
                    fmt::format("opkit {}{}", project::kit_version(),
                                sdk->development ? ", from a build tree" : ""),
                    {}});
  return checks;
}

std::vector<CheckupItem> check_opp(const registry::Registry& registry) {
  const registry::SearchPath& path = registry.search_path();
  std::vector<CheckupItem> checks;
  CheckupItem folder{
      "OPP folder", Health::kGood, fmt::format("{} ({})", path.opp.string(), path.opp_reason), {}};
  std::error_code ignored;
  if (!can_write(path.opp)) {
    folder = {folder.name, Health::kWarning, folder.finding + " cannot be written",
              "set ASCEND_OPP_PATH to a folder of yours, or install with --opp"};
  } else if (!fs::is_directory(path.opp, ignored)) {
    folder.finding += " does not exist yet; install makes it";
  } else if (const registry::PlaceNote note = registry::note_of_opp(path.opp);
             !note.meant.empty()) {
    folder = {folder.name, Health::kWarning, folder.finding + " " + note.text,
              registry::cure_of_opp(path)};
  }
  checks.push_back(folder);
  for (CheckupItem& check : custom_path_checks(path, variable(kCustomPath)))
    checks.push_back(std::move(check));
  for (const Error& warning : path.warnings) {
    checks.push_back({"search path", Health::kWarning, warning.message, warning.action});
  }
  for (const std::string& vendor : path.unlisted) {
    checks.push_back(
        {"load_priority", Health::kWarning,
         fmt::format("vendor {} is installed but not named, so it is not searched", vendor),
         fmt::format("add it to load_priority in {}", (path.opp / "vendors/config.ini").string())});
  }
  checks.push_back(installers_check(path.opp));
  checks.push_back(opp_leftovers_check(path.opp));
  checks.push_back(packages_check(registry));
  checks.push_back(trust_check(registry));
  return checks;
}

std::vector<CheckupItem> custom_path_checks(const registry::SearchPath& path,
                                            const std::string& value) {
  std::vector<CheckupItem> checks;
  for (const registry::SearchRoot& root : path.roots)
    if (root.origin == registry::Origin::kCustomPath && !root.note.empty())
      checks.push_back(
          {kCustomPath, Health::kWarning,
           fmt::format("{}, {}, {}", root.reason, registry::shown_place(root.directory), root.note),
           registry::cure_of(root)});
  if (checks.empty())
    checks.push_back({kCustomPath, Health::kGood, value.empty() ? "not set" : value, {}});
  return checks;
}

std::vector<CheckupItem> check_temporary() {
  return {leftovers_check("leftovers in TMPDIR", project::Scratch::left_over(),
                          "they are of commands that were interrupted; the next command that "
                          "needs a temporary folder removes them")};
}

std::vector<CheckupItem> check_machine() {
  std::vector<CheckupItem> checks;
  const std::string level = simd_level();
  const bool fast = level == "AVX2" || level == "AVX-512";
  checks.push_back({"SIMD", fast ? Health::kGood : Health::kWarning, level,
                    fast ? "" : "results are the same, but Fast mode is slower without AVX2"});
  checks.push_back(
      {"CPUs", Health::kGood, std::to_string(std::thread::hardware_concurrency()), {}});
  struct sysinfo info {};
  constexpr uint64_t kLittle = 1ull << 30;
  if (sysinfo(&info) == 0) {
    const uint64_t bytes = uint64_t{info.freeram + info.bufferram} * info.mem_unit;
    const MemoryAllowed allowed = memory_allowed();
    const bool little = allowed.bytes < kLittle;
    checks.push_back({"memory", little ? Health::kWarning : Health::kGood,
                      fmt::format("{}, {} MiB free", allowed.said, bytes >> 20),
                      little ? "large test shapes need more than 1 GiB" : ""});
  }
  const fs::path cache = registry::default_cache_dir();
  const bool usable = !cache.empty() && can_write(cache);
  checks.push_back({"cache", usable ? Health::kGood : Health::kWarning,
                    cache.empty() ? "none" : cache.string(),
                    usable ? "" : "set OPKIT_CACHE_DIR to a folder that you may write"});
  return checks;
}

}  // namespace opkit::cli
