// The command line: choose the command, parse, run, speak, exit.
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/left_out.h"
#include "opkit/cli/options/atc_words.h"
#include "opkit/cli/options/help.h"
#include "opkit/cli/options/msopgen_words.h"
#include "opkit/cli/options/parser.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/exit_guard.h"
#include "opkit/cli/terminal/limits_met.h"

namespace opkit::cli {
namespace {

// Returns the common options, read before anything can go wrong, so that errors look as asked for.
Console::Setup read_setup(const std::vector<std::string>& words) {
  Console::Setup setup;
  const auto end = std::find(words.begin(), words.end(), "--");
  for (auto word = words.begin(); word != end; ++word) {
    if (*word == "--json") setup.json = true;
    if (*word == "--quiet") setup.quiet = true;
    const bool apart = *word == "--color" && word + 1 != end;
    const std::string when = apart ? *(word + 1) : *word;
    if (when == "always" || when == "--color=always") setup.color = ColorMode::kAlways;
    if (when == "never" || when == "--color=never") setup.color = ColorMode::kNever;
  }
  return setup;
}

Outcome show_help(const Chosen& chosen, Console& console) {
  const Commands& commands = all_commands();
  std::string text = chosen.command          ? help_of_command(*chosen.command, console.out())
                     : !chosen.group.empty() ? help_of_group(commands, chosen.group, console.out())
                                             : help_of_program(commands, console.out());
  console.show(Json{{"help", text}}, text);
  return kOk;
}

Outcome no_command(const Chosen& chosen, Console& console) {
  const bool wants_version = !chosen.rest.empty() && chosen.rest[0] == "--version";
  if (wants_version && chosen.group.empty()) {
    OPKIT_TRY(const Arguments none, Parser::parse(version_command(), {}));
    return version_command().run(none, console);
  }
  if (chosen.rest.empty() && chosen.group.empty()) return show_help(chosen, console);
  const std::string what = chosen.group.empty() ? "opkit" : "opkit " + chosen.group;
  for (const std::string& word : chosen.rest) {
    const bool common = word == "--json" || word == "--quiet" || word.starts_with("--color");
    if (word.starts_with("-") && !common) {
      return Error("OPK-CLI-002", fmt::format("{} has no option {}", what, word), what + " --help");
    }
  }
  return Error("OPK-CLI-003", what + " needs a command", what + " --help");
}

// Relative paths lead nowhere without one.
Status check_working_folder() {
  char* folder = ::getcwd(nullptr, 0);
  const bool there = folder != nullptr || errno != ENOENT;
  std::free(folder);
  if (there) return {};
  return Error("OPK-ENV-006", "the working folder has been removed",
               "cd to a folder that is there");
}

// A build for ops alone has neither ATC nor models.
Status check_built(const std::vector<std::string>& words) {
  for (const std::string& left_out : left_out_words()) {
    if (words.empty() || words[0] != left_out) continue;
    return Error("OPK-CLI-001",
                 fmt::format("this opkit was built for ops alone, without {}", left_out),
                 "make sdk, and use build/release/sdk/bin/opkit");
  }
  return {};
}

Outcome dispatch(const std::vector<std::string>& words, Console& console) {
  OPKIT_CHECK(check_built(words));
  OPKIT_TRY(const Chosen chosen, choose(all_commands(), words));
  const bool raw = chosen.command && chosen.command->hidden;
  if (chosen.help && !raw) return show_help(chosen, console);
  if (!chosen.command) return no_command(chosen, console);
  if (!raw) OPKIT_CHECK(check_working_folder());
  auto arguments = Parser::parse(*chosen.command, chosen.rest);
  if (!arguments.ok()) {
    if (chosen.command->name == "atc") console.print(kAtcFailure);
    return std::move(arguments).error();
  }
  return chosen.command->run(*arguments, console);
}

// Nothing of ours throws; a library or the allocator may.
Outcome guarded(const std::vector<std::string>& words, Console& console) {
  try {
    return dispatch(words, console);
  } catch (const std::exception& failure) {
    if (auto lack = lack_of(failure)) return *std::move(lack);
    return Error("OPK-INTERNAL-001", fmt::format("unexpected exception: {}", failure.what()),
                 "report this with the command line");
  }
}

int run(const std::vector<std::string>& words) {
  Console console(read_setup(words));
  meet_limits(console.json());
  const Outcome outcome = [&] {
    const ExitGuard guard(console);
    return guarded(words, console);
  }();
  int code = outcome ? *outcome : exit_code_of(outcome.error());
  if (!outcome) console.fail(outcome.error());
  if (!console.flush()) {
    console.note(Error("OPK-ENV-002", "the result could not be written to standard output",
                       "check the space on the disk it goes to"));
    code = std::max(code, kEnvironment);
  }
  return code;
}

// Returns the words of the command line. Started by a name of the vendor (atc, npu-smi, msopgen),
// opkit is its command of that name.
std::vector<std::string> words_of(int count, char** words) {
  std::vector<std::string> all(words + std::min(count, 1), words + count);
  if (count == 0) return all;
  const std::string program = std::filesystem::path(words[0]).filename();
  for (const char* name : {"atc", "npu-smi", "msopgen"})
    if (program == name) all.insert(all.begin(), program);
  if (!all.empty() && all[0] == "msopgen") spell_msopgen(all);
  return all;
}

// A descriptor that is closed would be taken by the next file or socket, and then by what a child
// process gets in its place. Nothing can be written to these: who writes learns of it.
void fill_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    if (::open("/dev/null", O_RDONLY) != fd) return;  // it takes the lowest free one
  }
}

}  // namespace
}  // namespace opkit::cli

// The exit() that plugins find in place of the C library's: it speaks before any static object is
// destroyed, which other threads may use. The return from main does not come here.
extern "C" [[noreturn]] void exit(int code) noexcept {
  opkit::cli::ExitGuard::meet_exit(code);
  const auto usual = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "exit"));
  if (usual) usual(code);
  _exit(code);
}

int main(int count, char** words) {
  opkit::cli::fill_standard_descriptors();
  return opkit::cli::run(opkit::cli::words_of(count, words));
}
