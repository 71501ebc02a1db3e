#include "opkit/cli/profile_program.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "opkit/base/file.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/process.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

struct TimedLaunch {
  std::string kernel;
  uint64_t ns = 0, cycles = 0;
  uint32_t blocks = 0;
};

// What the runtime wrote to the file that OPKIT_TIMES names.
std::vector<TimedLaunch> launches_of(const std::string& text) {
  std::vector<TimedLaunch> launches;
  std::istringstream lines(text);
  TimedLaunch one;
  while (lines >> one.kernel >> one.ns >> one.cycles >> one.blocks) launches.push_back(one);
  return launches;
}

// A file of its own, removed at the end.
class ScratchFile {
 public:
  ScratchFile() {
    std::string pattern = (fs::temp_directory_path() / "opkit-times-XXXXXX").string();
    const int file = mkstemp(pattern.data());
    if (file < 0) return;
    close(file);
    path_ = pattern;
  }
  ~ScratchFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove(path_, ignored);
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string table_of(const std::vector<TimedLaunch>& launches) {
  std::string text;
  for (const TimedLaunch& one : launches) {
    text += fmt::format("{:<32} {:>12.3f} us {:>12} cycles {:>6} blocks\n", one.kernel,
                        static_cast<double>(one.ns) / 1e3, one.cycles, one.blocks);
  }
  return text.empty() ? "the program launched no kernel\n" : text;
}

Json json_of(const std::vector<TimedLaunch>& launches) {
  Json list = Json::array();
  for (const TimedLaunch& one : launches) {
    list.push_back({{"kernel", one.kernel},
                    {"task_us", static_cast<double>(one.ns) / 1e3},
                    {"cycles", one.cycles},
                    {"blocks", one.blocks}});
  }
  return list;
}

Status check_options(const Arguments& arguments) {
  for (const char* name : {"--shape", "--dtype", "--attr", "--in", "--trace", "--warm", "--seed"}) {
    if (!arguments.has(name)) continue;
    return Error("OPK-CLI-019",
                 fmt::format("{} is for ops; the program chooses its own problems", name),
                 "leave it out; --out writes a timeline of every launch");
  }
  return {};
}

}  // namespace

bool names_program(const std::string& word) {
  std::error_code failure;
  return word.find('/') != std::string::npos && fs::is_regular_file(word, failure) &&
         access(word.c_str(), X_OK) == 0;
}

Outcome profile_program(const Arguments& arguments, Console& console) {
  OPKIT_CHECK(check_options(arguments));
  const ScratchFile times;
  if (times.path().empty()) {
    return Error("OPK-ENV-004", "cannot make a temporary file",
                 "set TMPDIR to a folder that you may write");
  }
  const std::string program = arguments.get("op");
  std::vector<std::string> words = {"env", "OPKIT_MODE=timed", "OPKIT_TIMES=" + times.path()};
  if (const auto folder = arguments.find("--out")) {
    words.push_back("OPKIT_PROFILE=" + fs::absolute(*folder).string());
  }
  words.push_back(program);
  OPKIT_TRY(const ProcessResult result, run_process(words));
  OPKIT_TRY(const std::string text, read_file(times.path()));
  if (result.exit_code != 0) {
    console.say(result.output);
    return Error("OPK-CLI-020",
                 fmt::format("{} ended with exit code {}", program, result.exit_code),
                 "run it by itself, or with OPKIT_MODE=checked");
  }
  const std::vector<TimedLaunch> launches = launches_of(text);
  console.show({{"program", program}, {"output", result.output}, {"launches", json_of(launches)}},
               result.output + table_of(launches));
  return kOk;
}

}  // namespace opkit::cli
