#include "opkit/build/project/cmake_build.h"

#include <fmt/format.h>

#include <thread>

#include "opkit/base/file.h"
#include "opkit/base/process/child.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/build_log.h"
#include "opkit/build/project/compiler_advice.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// Returns a failed step as an error that shows what to look at first; the whole log is kept in a
// file.
Error step_failed(const BuildPlan& plan, const std::string& code, const std::string& step,
                  const std::string& log) {
  const fs::path file = plan.build / "opkit_build.log";
  const Status written = write_file(file, log);
  Error error(code, fmt::format("{} failed", step));
  std::string cure = "correct it and build again";
  if (const auto first = first_error(log)) {
    const auto advice = advice_for(first->message);
    if (advice) cure = advice->action;
    error.where = first->where;
    error.message += ": " + (advice ? advice->message : first->message);
    // The excerpt ends with a line end; the message does not.
    if (!first->excerpt.empty()) {
      error.message.append("\n").append(first->excerpt, 0, first->excerpt.size() - 1);
    }
  }
  error.trail.push_back(plan.project.string());
  error.action =
      written.ok() ? fmt::format("{}; the whole log is {}", cure, shown(file)) : std::move(cure);
  return error;
}

// The project's sources were built here from another folder, as when it has lost its
// CMakeLists.txt: CMake would refuse. A folder that was copied with its project is another matter.
void forget_other_source(const BuildPlan& plan) {
  const fs::path file = plan.build / "CMakeCache.txt";
  const auto cache = read_file(file);
  if (!cache.ok()) return;
  const auto says = [&](const char* key, const fs::path& path) {
    const std::string whole = fs::absolute(path).lexically_normal().string();
    return cache->find(fmt::format("{}:INTERNAL={}\n", key, whole)) != std::string::npos;
  };
  if (!says("CMAKE_CACHEFILE_DIR", plan.build) || says("CMAKE_HOME_DIRECTORY", plan.source)) return;
  std::error_code ignored;
  fs::remove(file, ignored);
  fs::remove_all(plan.build / "CMakeFiles", ignored);
}

constexpr const char* kStamp = "opkit_configured.txt";

std::vector<std::string> configure_words(const BuildPlan& plan) {
  return {"cmake",
          "-S",
          plan.source.string(),
          "-B",
          plan.build.string(),
          "-Dopkit_DIR=" + plan.sdk.cmake_dir.string(),
          "-DCMAKE_BUILD_TYPE=" + plan.build_type,
          fmt::format("-DOPKIT_OP_INCLUDES={}", fmt::join(plan.includes, ";")),
          fmt::format("-DOPKIT_OP_MACROS={}", fmt::join(plan.macros, ";")),
          plan.column.empty() ? "-UOPKIT_OP_COLUMN" : "-DOPKIT_OP_COLUMN=" + plan.column};
}

std::string time_of(const fs::path& file) {
  std::error_code failure;
  const auto time = fs::last_write_time(file, failure);
  return failure ? "" : std::to_string(time.time_since_epoch().count());
}

// What the folder is configured by beside the files that ninja watches: the words, where the
// folders are, the SDK, and the cache, into which others may have written.
std::string stamp_of(const BuildPlan& plan) {
  return fmt::format("{}\n{}\n{}\n{} {}\n{}\n", fmt::join(configure_words(plan), "\n"),
                     fs::absolute(plan.source).string(), fs::absolute(plan.build).string(),
                     identity_of(plan.sdk), time_of(plan.sdk.executable),
                     time_of(plan.build / "CMakeCache.txt"));
}

bool has_ninja_file(const BuildPlan& plan) {
  std::error_code ignored;
  return fs::exists(plan.build / "build.ninja", ignored);
}

// The next build runs CMake, whatever has changed.
void forget_configuration(const BuildPlan& plan) {
  std::error_code ignored;
  fs::remove(plan.build / kStamp, ignored);
}

std::vector<std::string> compile_words(const BuildPlan& plan, const std::string& target) {
  const int64_t jobs =
      plan.jobs != 0 ? plan.jobs : std::max(1u, std::thread::hardware_concurrency());
  const bool direct = has_ninja_file(plan) && !find_program("ninja").empty();
  std::vector<std::string> words = direct ? std::vector<std::string>{"ninja", "-C"}
                                          : std::vector<std::string>{"cmake", "--build"};
  words.insert(words.end(), {plan.build.string(), "-j", std::to_string(jobs)});
  if (!target.empty() && !direct) words.push_back("--target");
  if (!target.empty()) words.push_back(target);
  return words;
}

// Judges what the words of a configuration answered. `as_before`: ninja was asked.
Status configured(const BuildPlan& plan, const std::vector<std::string>& words, bool as_before,
                  std::string& log) {
  OPKIT_TRY(const ChildResult result,
            run_program(words, {.on_line = {}, .time_limit = plan.time_limit}));
  log += result.output;
  if (result.ok()) return as_before ? Status() : write_file(plan.build / kStamp, stamp_of(plan));
  forget_configuration(plan);
  Error error = step_failed(plan, "OPK-BUILD-003", "configuring", log);
  // A project that was copied or moved after it was built.
  if (log.find("is different than the directory") != std::string::npos) {
    error.action = fmt::format("opkit build {} --clean", shell_word(plan.project.string()));
  }
  return error;
}

}  // namespace

Status configure(const BuildPlan& plan, std::string& log) {
  forget_other_source(plan);
  const bool ninja = !find_program("ninja").empty();
  const auto earlier = read_file(plan.build / kStamp);
  if (ninja && has_ninja_file(plan) && earlier.ok() && *earlier == stamp_of(plan))
    return configured(plan, {"ninja", "-C", plan.build.string(), "build.ninja"}, true, log);
  forget_configuration(plan);
  std::vector<std::string> words = configure_words(plan);
  const bool first = !fs::exists(plan.build / "CMakeCache.txt");
  if (first && ninja) words.insert(words.end(), {"-G", "Ninja"});
  return configured(plan, words, false, log);
}

Status compile(const BuildPlan& plan, const std::string& target, BuildEvents& events,
               std::string& log) {
  ProgramOptions options{.on_line = {}, .time_limit = plan.time_limit};
  options.on_line = [&events](const std::string& line) {
    if (const auto step = ninja_step(line)) events.advance(step->done, step->total, step->text);
  };
  OPKIT_TRY(const ChildResult result, run_program(compile_words(plan, target), options));
  log += result.output;
  if (result.ok()) return {};
  // A header that is not there yet may say what is to be compiled.
  forget_configuration(plan);
  if (result.timed_out) log += "\nit did not end in time\n";
  return step_failed(plan, "OPK-BUILD-004", "compiling", log);
}

}  // namespace opkit::project
