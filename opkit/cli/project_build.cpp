#include "opkit/cli/project_build.h"

#include <fmt/format.h>

#include "opkit/base/file.h"
#include "opkit/cli/build_log.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/process.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// A failed step as an error that shows what to look at first; the whole log is kept in a file.
Error step_failed(const BuildPlan& plan, const std::string& code, const std::string& step,
                  const std::string& log) {
  const fs::path file = plan.build / "opkit_build.log";
  const Status written = write_file(file, log);
  Error error(code, fmt::format("{} failed", step));
  if (const auto first = first_error(log)) {
    error.where = first->where;
    error.message += ": " + first->message;
    // The excerpt ends with a line end; the message does not.
    if (!first->excerpt.empty()) {
      error.message.append("\n").append(first->excerpt, 0, first->excerpt.size() - 1);
    }
  }
  error.trail.push_back(plan.project.string());
  error.action = written.ok()
                     ? fmt::format("correct it and build again; the whole log is {}", shown(file))
                     : "correct it and build again";
  return error;
}

}  // namespace

Status configure(const BuildPlan& plan, std::string& log) {
  std::vector<std::string> words = {
      "cmake",
      "-S",
      plan.source.string(),
      "-B",
      plan.build.string(),
      "-Dopkit_DIR=" + plan.sdk.cmake_dir.string(),
      "-DCMAKE_BUILD_TYPE=" + plan.build_type,
      fmt::format("-DOPKIT_OP_INCLUDES={}", fmt::join(plan.includes, ";")),
      fmt::format("-DOPKIT_OP_MACROS={}", fmt::join(plan.macros, ";"))};
  const bool first = !fs::exists(plan.build / "CMakeCache.txt");
  if (first && !find_program("ninja").empty()) words.insert(words.end(), {"-G", "Ninja"});
  OPKIT_TRY(const ProcessResult result, run_process(words));
  log += result.output;
  if (result.exit_code == 0) return {};
  Error error = step_failed(plan, "OPK-BUILD-003", "configuring", log);
  // A project that was copied or moved after it was built.
  if (log.find("is different than the directory") != std::string::npos) {
    error.action = fmt::format("opkit build {} --clean", plan.project.string());
  }
  return error;
}

Status compile(const BuildPlan& plan, const std::string& target, Progress& progress,
               std::string& log) {
  std::vector<std::string> words = {"cmake", "--build", plan.build.string(), "-j",
                                    std::to_string(plan.jobs)};
  if (!target.empty()) words.insert(words.end(), {"--target", target});
  OPKIT_TRY(const ProcessResult result, run_process(words, [&](const std::string& line) {
              if (const auto step = ninja_step(line))
                progress.advance(step->done, step->total, step->text);
            }));
  log += result.output;
  if (result.exit_code == 0) return {};
  return step_failed(plan, "OPK-BUILD-004", "compiling", log);
}

Result<registry::Package> built_package(const BuildPlan& plan, const fs::path& folder) {
  if (!fs::exists(folder / registry::kManifestName)) {
    return Error("OPK-BUILD-007",
                 fmt::format("the build of {} made no package in {}", plan.project.string(),
                             folder.string()),
                 "call opkit_add_op(...) in its CMakeLists.txt");
  }
  const registry::PackageCheck check =
      registry::check_package(folder, registry::HostFacts::of_this_process());
  if (!check.usable()) return check.worst().error;
  return check.package;
}

}  // namespace opkit::cli
