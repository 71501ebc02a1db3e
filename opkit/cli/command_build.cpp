#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/arguments.h"
#include "opkit/cli/build_log.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/op_choice.h"
#include "opkit/cli/op_project.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/process.h"
#include "opkit/cli/progress.h"
#include "opkit/cli/sdk.h"
#include "opkit/contract/op_contract.h"
#include "registry/package.h"
#include "registry/report.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

struct Plan {
  fs::path project, build;
  Sdk sdk;
  int64_t jobs = 0;
  std::string build_type;
};

Status check_project(const fs::path& project) {
  for (const char* name : {"CMakeLists.txt", "op_contract.yaml"}) {
    if (fs::exists(project / name)) continue;
    return Error("OPK-BUILD-001",
                 fmt::format("{} is no op project: it has no {}", project.string(), name),
                 "opkit new MyFused --template elementwise makes one");
  }
  const auto contract = OpContract::load(project / "op_contract.yaml");
  if (!contract) return contract.error();
  return {};
}

// A failed step as an error that shows what to look at first; the whole log is kept in a file.
Error step_failed(const Plan& plan, const std::string& code, const std::string& step,
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

Status configure(const Plan& plan, std::string& log) {
  std::vector<std::string> words = {"cmake",
                                    "-S",
                                    plan.project.string(),
                                    "-B",
                                    plan.build.string(),
                                    "-Dopkit_DIR=" + plan.sdk.cmake_dir.string(),
                                    "-DCMAKE_BUILD_TYPE=" + plan.build_type};
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

Status compile(const Plan& plan, Progress& progress, std::string& log) {
  const std::vector<std::string> words = {"cmake", "--build", plan.build.string(), "-j",
                                          std::to_string(plan.jobs)};
  OPKIT_TRY(const ProcessResult result, run_process(words, [&](const std::string& line) {
              if (const auto step = ninja_step(line))
                progress.advance(step->done, step->total, step->text);
            }));
  log += result.output;
  if (result.exit_code == 0) return {};
  return step_failed(plan, "OPK-BUILD-004", "compiling", log);
}

// What was built must be a package that this host takes.
Result<registry::Package> built_package(const Plan& plan) {
  const fs::path folder = plan.build / "package";
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

std::string told(const registry::Package& package, double seconds, const Palette& palette) {
  return fmt::format("{} {} in {:.1f} s: {} ({} kernels)\nnext: opkit install {}\n",
                     palette.paint(Style::kGreen, "built"), package.to_string(), seconds,
                     shown(package.root), package.manifest.kernels.size(), shown(package.root));
}

Result<Plan> plan_of(const Arguments& arguments) {
  Plan plan;
  plan.project = arguments.get("project").empty() ? "." : arguments.get("project");
  OPKIT_CHECK(check_project(plan.project));
  OPKIT_TRY(plan.sdk, find_sdk());
  plan.build = arguments.has("--build-dir") ? fs::path(arguments.get("--build-dir"))
                                            : build_folder(plan.project);
  plan.jobs = arguments.has("--jobs") ? arguments.integer("--jobs")
                                      : std::max(1u, std::thread::hardware_concurrency());
  plan.build_type = arguments.get("--build-type");
  std::error_code failure;
  if (arguments.has("--clean") && fs::exists(plan.build / "CMakeCache.txt")) {
    fs::remove_all(plan.build, failure);
  }
  fs::create_directories(plan.build, failure);
  if (!failure) return plan;
  return Error("OPK-ENV-004",
               fmt::format("cannot make {}: {}", plan.build.string(), failure.message()),
               "choose a folder that you may write with --build-dir");
}

Outcome run(const Arguments& arguments, Console& console) {
  const auto started = std::chrono::steady_clock::now();
  OPKIT_TRY(const Plan plan, plan_of(arguments));
  Progress progress(console, fmt::format("build {}", shown(plan.project)));
  std::string log;
  progress.step("configuring");
  OPKIT_CHECK(configure(plan, log));
  progress.step("compiling");
  OPKIT_CHECK(compile(plan, progress, log));
  progress.finish();
  OPKIT_TRY(const registry::Package package, built_package(plan));
  OPKIT_TRY(const LoadedOp loaded, load_package(package, console));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  console.show({{"op", package.manifest.op},
                {"version", package.manifest.version},
                {"vendor", package.manifest.vendor},
                {"package", fs::absolute(package.root).lexically_normal().string()},
                {"kernels", package.manifest.kernels.size()},
                {"seconds", took.count()}},
               told(package, took.count(), console.out()));
  return kOk;
}

}  // namespace

Command build_command() {
  return {
      .name = "build",
      .summary = "compile an op project to a package",
      .details =
          "Checks the contract, runs cmake with this SDK, compiles kernel and host code into one\n"
          "plugin and seals the package in <build>/package. Of a failure the first error is shown.",
      .positionals = {{.name = "project",
                       .help = "the op project's folder [.]",
                       .complete = Complete::kDirectory,
                       .required = false}},
      .flags = {{.name = "--build-dir",
                 .value = "PATH",
                 .help = "where to build [<project>/build]",
                 .complete = Complete::kDirectory},
                {.name = "--jobs",
                 .value = "N",
                 .help = "compile N files at once [number of CPUs]",
                 .integer = true,
                 .least = 1,
                 .most = 1024},
                {.name = "--build-type",
                 .value = "TYPE",
                 .help = "how to compile",
                 .choices = {"Release", "Debug", "RelWithDebInfo"},
                 .preset = "Release"},
                {.name = "--clean", .value = "", .help = "forget what was built before"}},
      .examples = {{"opkit build my_fused",
                    "the project in ./my_fused, into my_fused/build/package"},
                   {"opkit build my_fused --clean --build-type Debug",
                    "again from nothing, for a debugger"}},
      .run = run,
  };
}

}  // namespace opkit::cli
