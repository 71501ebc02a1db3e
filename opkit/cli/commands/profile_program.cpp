#include "opkit/cli/commands/profile_program.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "opkit/base/process/child.h"
#include "opkit/build/project/scratch.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/prepared_call.h"
#include "opkit/cli/terminal/exit_code.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

uint64_t figure(const NamedProfile& launch, const std::string& name) {
  const auto found = std::find_if(launch.figures.begin(), launch.figures.end(),
                                  [&](const trace::Figure& figure) { return figure.name == name; });
  return found == launch.figures.end() ? 0 : found->value;
}

double microseconds(const NamedProfile& launch) {
  return static_cast<double>(figure(launch, "task_ns")) / 1e3;
}

std::string table_of(const std::vector<NamedProfile>& launches) {
  std::string text;
  for (const NamedProfile& one : launches) {
    text += fmt::format("{:<32} {:>12.3f} us {:>12} cycles {:>6} blocks\n", one.name,
                        microseconds(one), figure(one, "cycles"), figure(one, "blocks"));
  }
  return text.empty() ? "the program launched no kernel\n" : text;
}

Json json_of(const std::vector<NamedProfile>& launches) {
  Json list = Json::array();
  for (const NamedProfile& one : launches) {
    Json entry{{"kernel", one.name},
               {"task_us", microseconds(one)},
               {"cycles", figure(one, "cycles")},
               {"blocks", figure(one, "blocks")}};
    entry["figures"] = to_json(one)["figures"];
    list.push_back(std::move(entry));
  }
  return list;
}

// Whatever else profile takes is for ops: a new flag is refused until it is honoured.
bool is_for_programs(const std::string& flag) {
  return flag == "--out" || flag == "--warm" || flag == "--schedule-seed";
}

const char* instead_of(const std::string& flag) {
  if (flag == "--soc") return "leave it out; opkit cc --soc builds a program for a chip";
  if (flag == "--trace") return "leave it out; --out writes a timeline of every launch";
  return "leave it out";
}

Status check_options(const Arguments& arguments) {
  for (const Flag& flag : profile_command().flags) {
    if (is_for_programs(flag.name) || !arguments.has(flag.name)) continue;
    return Error(
        "OPK-CLI-019",
        fmt::format("{} is for ops; the program chooses its own chip and problems", flag.name),
        instead_of(flag.name));
  }
  return {};
}

}  // namespace

bool names_program(const std::string& word) {
  std::error_code failure;
  return word.find('/') != std::string::npos && fs::is_regular_file(word, failure) &&
         access(word.c_str(), X_OK) == 0;
}

Result<ProfiledProgram> run_timed(const std::vector<std::string>& words, const fs::path& folder,
                                  const ProfiledProgramOptions& options) {
  const project::Scratch scratch;
  OPKIT_CHECK(scratch.check());
  std::vector<std::string> line = {"env",
                                   "OPKIT_MODE=timed",
                                   "OPKIT_TIMES=" + (scratch.path() / "times").string(),
                                   "OPKIT_PROFILE=" + fs::absolute(folder).string(),
                                   fmt::format("OPKIT_WARM={}", options.warm_runs),
                                   fmt::format("OPKIT_SCHEDULE_SEED={}", options.schedule_seed)};
  line.insert(line.end(), words.begin(), words.end());
  OPKIT_TRY(const ChildResult result, run_program(line));
  ProfiledProgram program{result.output, {}, {}};
  if (!result.ok()) {
    program.failure =
        Error("OPK-CLI-020",
              fmt::format("{} ended with exit code {}{}", words.front(), result.shell_code(),
                          result.output.empty() ? " and said nothing" : ""),
              "run it by itself, or with OPKIT_MODE=checked");
  }
  if (!launch_folders(folder).empty()) {
    OPKIT_TRY(program.launches, read_profiles(folder));
  }
  return program;
}

ProfiledProgramOptions program_options(const Arguments& arguments) {
  return {schedule_seed(arguments), static_cast<uint32_t>(arguments.integer("--warm"))};
}

Outcome profile_program(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_options(arguments));
  const project::Scratch scratch;
  OPKIT_CHECK(scratch.check());
  const fs::path folder = arguments.find("--out").value_or(scratch.path().string());
  const std::vector<std::string> words = arguments.all("op");
  OPKIT_TRY(const ProfiledProgram program, run_timed(words, folder, program_options(arguments)));
  console.show({{"program", words.front()},
                {"succeeded", !program.failure},
                {"output", program.output},
                {"launches", json_of(program.launches)}},
               program.output + table_of(program.launches));
  if (!program.failure) return kOk;
  console.note(*program.failure);
  return kFailed;
}

}  // namespace opkit::cli
