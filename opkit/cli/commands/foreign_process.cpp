#include "opkit/cli/commands/foreign_process.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "opkit/base/regular_file.h"
#include "registry/missing_op.h"
#include "registry/place_note.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostProcBytes = size_t{64} << 20;
constexpr std::string_view kRemoved = " (deleted)";

Error cannot_look(int64_t pid, const std::string& why) {
  return Error("OPK-ENV-005", fmt::format("process {} cannot be looked at: {}", pid, why),
               "check the number with ps; ask as the user who runs it, or as root");
}

// Cuts the next word off, and the blanks behind it.
std::string_view take_word(std::string_view& line) {
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return word;
}

// "<addresses> <rights> <offset> <device> <inode> <path>"
std::optional<MappedFile> mapped_file(std::string_view line) {
  for (int i = 0; i < 4; ++i) take_word(line);
  const std::string_view inode = take_word(line);
  MappedFile file;
  std::from_chars(inode.data(), inode.data() + inode.size(), file.inode);
  if (file.inode == 0 || !line.starts_with('/')) return std::nullopt;
  file.removed = line.ends_with(kRemoved);
  if (file.removed) line.remove_suffix(kRemoved.size());
  file.path = line;
  return file;
}

template <typename Each>
void split(std::string_view text, char end, const Each& each) {
  while (!text.empty()) {
    const size_t size = std::min(text.find(end), text.size());
    each(text.substr(0, size));
    text.remove_prefix(std::min(size + 1, text.size()));
  }
}

bool is_runtime(const MappedFile& file) {
  return file.path.filename().string().starts_with("libopkit_");
}
// <op>/<version>/op_impl/<library>, or what is left of its place while it is removed.
bool is_plugin(const MappedFile& file) {
  return file.path.parent_path().filename() == "op_impl" && file.path.extension().string() == ".so";
}
// Tells whether another file has the name of the mapped one now.
bool is_replaced(const MappedFile& file) {
  struct stat facts = {};
  return file.removed || ::stat(file.path.c_str(), &facts) != 0 || facts.st_ino != file.inode;
}

std::string value(const ForeignProcess& process, const char* name) {
  const auto found = process.variables.find(name);
  return found == process.variables.end() ? std::string() : found->second;
}

// Relative to the folder that it works in.
std::optional<std::string> searched(const ForeignProcess& process, const char* name) {
  std::string all;
  split(value(process, name), ':', [&](std::string_view part) {
    if (!part.empty()) all += (all.empty() ? "" : ":") + (process.folder / part).string();
  });
  return all.empty() ? std::nullopt : std::optional(all);
}

registry::SearchPath search_path_of(const ForeignProcess& process) {
  registry::Environment environment{searched(process, "ASCEND_CUSTOM_OPP_PATH"),
                                    searched(process, "ASCEND_OPP_PATH")};
  if (!environment.opp_path) environment.opp_path = (process.folder / "opp").string();
  return registry::make_search_path(std::nullopt, environment);
}

CheckupItem scripts_check(const ForeignProcess& process) {
  const std::string home = value(process, "ASCEND_HOME_PATH");
  if (home.empty())
    return {
        "environment script", Health::kWarning,
        "ASCEND_HOME_PATH is not set: no set_env.sh was sourced before it began",
        "source set_env.sh of the toolkit folder (opkit toolkit makes one), then start it again"};
  std::error_code code;
  if (!fs::exists(home, code))
    return {"environment script", Health::kWarning,
            fmt::format("ASCEND_HOME_PATH={} does not exist", home),
            "source the set_env.sh of a toolkit that is there, then start it again"};
  return {"environment script", Health::kGood, "sourced, of " + home, {}};
}

CheckupItem variables_check(const ForeignProcess& process) {
  std::string all;
  for (const auto& [name, text] : process.variables)
    all += fmt::format("{}{}={}", all.empty() ? "" : ", ", name, text);
  return {"variables",
          Health::kGood,
          all.empty() ? "no ASCEND_* or OPKIT_* when it began" : all + " (when it began)",
          {}};
}

CheckupItem opp_check(const ForeignProcess& process, const registry::SearchPath& path) {
  const bool named = !value(process, "ASCEND_OPP_PATH").empty();
  const std::string from = named ? "ASCEND_OPP_PATH" : "default ./opp of its folder";
  const std::string finding = fmt::format("{} ({})", path.opp.string(), from);
  std::error_code code;
  const registry::PlaceNote note = registry::note_of_opp(path.opp);
  const bool meant = !note.meant.empty();
  if (fs::is_directory(path.opp, code) && !meant)
    return {"its OPP folder", Health::kGood, finding, {}};
  return {"its OPP folder", Health::kWarning, finding + " " + note.text,
          meant ? registry::cure_of_opp(path) + ", then start it again"
                : "set ASCEND_OPP_PATH to the folder with the packages, then start it again"};
}

CheckupItem runtime_check(const ForeignProcess& process) {
  std::string ours, other;
  bool replaced = false;
  for (const MappedFile& file : process.files) {
    if (is_runtime(file)) ours += " " + file.path.string();
    if (is_runtime(file)) replaced = replaced || is_replaced(file);
    if (file.path.filename().string().starts_with("libascendcl.so")) other = file.path;
  }
  if (replaced)
    return {"runtime", Health::kWarning, "loaded, and replaced since:" + ours,
            "start the process again to use the new runtime"};
  if (!ours.empty()) return {"runtime", Health::kGood, "opkit's:" + ours, {}};
  if (!other.empty())
    return {"runtime", Health::kWarning, other + " is not opkit's",
            "source set_env.sh of a folder that opkit toolkit made, and look at LD_LIBRARY_PATH"};
  return {"runtime", Health::kGood, "no shared one of opkit: part of the program, or not used", {}};
}

// Returns what the registry would give it now, beside what it has.
CheckupItem plugin_check(const MappedFile& file, const registry::Registry& registry) {
  const fs::path package = file.path.parent_path().parent_path();
  CheckupItem check{"plugin", Health::kGood, file.path.string(), {}};
  if (is_replaced(file)) {
    check.health = Health::kWarning;
    check.finding += " was removed or replaced since it was loaded";
    check.advice = "it keeps the old code until it ends, or calls the op anew: docs/programs.md";
    return check;
  }
  const std::string op = package.parent_path().filename(), version = package.filename();
  const auto serving = registry.resolve({.op = op});
  std::error_code code;
  if (serving && fs::equivalent(serving->package.root, package, code)) {
    check.finding += ", which serves " + op;
    return check;
  }
  check.health = Health::kWarning;
  check.finding +=
      serving
          ? fmt::format(" is {} {}, and {} serves now", op, version, serving->package.to_string())
          : fmt::format(", and nothing serves {} now: {}", op, serving.error().message);
  check.advice = serving ? fmt::format(
                               "it has not called {} since, or refused the other version on trial "
                               "(OPK-ACLNN-005 on its stderr)",
                               op)
                         : fmt::format("opkit why {}, with its variables; then start it again", op);
  return check;
}

}  // namespace

std::map<std::string, std::string> own_variables(std::string_view environment) {
  std::map<std::string, std::string> all;
  split(environment, '\0', [&](std::string_view entry) {
    const size_t equals = entry.find('=');
    if (!entry.starts_with("ASCEND_") && !entry.starts_with("OPKIT_")) return;
    if (equals != std::string_view::npos)
      all.emplace(entry.substr(0, equals), entry.substr(equals + 1));
  });
  return all;
}

std::vector<MappedFile> mapped_files(std::string_view maps) {
  std::vector<MappedFile> files;
  split(maps, '\n', [&](std::string_view line) {
    const std::optional<MappedFile> file = mapped_file(line);
    if (file && std::find(files.begin(), files.end(), *file) == files.end()) files.push_back(*file);
  });
  return files;
}

Result<ForeignProcess> ForeignProcess::look(int64_t pid) {
  const fs::path proc = fmt::format("/proc/{}", pid);
  std::error_code code;
  if (!fs::is_directory(proc, code)) return cannot_look(pid, "there is none");
  const auto environment = read_regular_file(proc / "environ", kMostProcBytes);
  const auto maps = read_regular_file(proc / "maps", kMostProcBytes);
  if (!environment || !maps) return cannot_look(pid, "it is another user's, or has just ended");
  ForeignProcess process{pid, {}, {}, own_variables(*environment), mapped_files(*maps)};
  process.program = fs::read_symlink(proc / "exe", code);
  process.folder = fs::read_symlink(proc / "cwd", code);
  return process;
}

std::vector<CheckupItem> check_process(const ForeignProcess& process) {
  const registry::SearchPath path = search_path_of(process);
  std::vector<CheckupItem> checks = {
      {"process",
       Health::kGood,
       fmt::format("{}, {} in {}", process.pid,
                   process.program.empty() ? "a thread of the kernel" : process.program.string(),
                   process.folder.string()),
       {}},
      scripts_check(process),
      variables_check(process),
      opp_check(process, path)};
  for (CheckupItem& check : custom_path_checks(path, value(process, "ASCEND_CUSTOM_OPP_PATH")))
    checks.push_back(std::move(check));
  for (const Error& warning : path.warnings)
    checks.push_back({"its search path", Health::kWarning, warning.message, warning.action});
  checks.push_back(runtime_check(process));
  const registry::Registry registry(path, registry::HostFacts::of_this_process());
  for (const MappedFile& file : process.files)
    if (is_plugin(file)) checks.push_back(plugin_check(file, registry));
  if (std::none_of(process.files.begin(), process.files.end(), is_plugin))
    checks.push_back({"plugin", Health::kGood, "none is loaded", {}});
  return checks;
}

}  // namespace opkit::cli
