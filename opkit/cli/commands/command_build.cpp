#include <fmt/format.h>

#include <chrono>

#include "opkit/base/counted.h"
#include "opkit/base/shell_word.h"
#include "opkit/build/project/project_build.h"
#include "opkit/build/project/run_file.h"
#include "opkit/build/project/vendor_files.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/build_progress.h"
#include "opkit/cli/options/op_choice.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/isolation/probe_in_worker.h"
#include "registry/install.h"
#include "registry/package.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

std::string told(const registry::Package& package, double seconds, const Palette& palette) {
  return fmt::format("{} {} in {:.1f} s: {} ({})\n", palette.paint(Style::kGreen, "built"),
                     package.to_string(), seconds, shown(package.root),
                     counted(package.manifest.kernels.size(), "kernel"));
}

// Returns what the columns cost, where there are several.
std::string told_columns(const OpContract& contract, const std::string& only) {
  const size_t columns = contract.column_count();
  if (!only.empty())
    return fmt::format("only column {} was built, of {}; the others have no kernel\n", only,
                       columns);
  if (columns < 2) return {};
  return fmt::format(
      "each of its {} columns is compiled by itself; --column builds one of them, while you work\n",
      columns);
}

// A package that lacks columns is for its author alone.
Status check_column(const Arguments& arguments) {
  if (!arguments.has("--column")) return {};
  for (const char* flag : {"--install", "--run"}) {
    if (arguments.has(flag))
      return Error("OPK-CLI-003",
                   fmt::format("{} takes whole packages; with --column one column is built", flag),
                   fmt::format("leave --column or {} out", flag));
  }
  return {};
}

// Reads -I, -D and their like. Refuses folders that do not exist, which compilers pass over without
// a word, and ';', which separates the items of CMake's lists.
Status read_words(const Arguments& arguments, project::BuildRequest& request) {
  const auto refuse = [](const char* flag, const std::string& text, const char* what,
                         const char* action) {
    return Error("OPK-BUILD-011", fmt::format("{} {}: {}", flag, text, what), action);
  };
  for (const std::string& folder : arguments.all("-I")) {
    std::error_code failure;
    if (!fs::is_directory(folder, failure))
      return refuse("-I", folder, "there is no such folder",
                    "give one that exists; it is looked for from the current folder on");
    request.includes.push_back(fs::absolute(folder).lexically_normal().string());
    if (request.includes.back().find(';') != std::string::npos)
      return refuse("-I", folder, "its path has a ';', which CMake takes for its end",
                    "give the folder another name");
  }
  for (const std::string& macro : arguments.all("-D")) {
    if (macro.find(';') != std::string::npos)
      return refuse("-D", macro, "CMake takes the ';' for its end", "define it in a header");
    request.macros.push_back(macro);
  }
  return {};
}

Result<project::BuildRequest> request_of(const Arguments& arguments) {
  OPKIT_CHECK(check_column(arguments));
  project::BuildRequest request;
  request.project = arguments.get("project").empty() ? "." : arguments.get("project");
  request.build = arguments.get("--build-dir");
  OPKIT_TRY(request.sdk, project::find_sdk());
  if (arguments.has("--jobs")) request.jobs = arguments.integer("--jobs");
  request.build_type = arguments.get("--build-type");
  request.vendor = arguments.get("--vendor");
  request.column = arguments.get("--column");
  request.clean = arguments.has("--clean");
  OPKIT_CHECK(read_words(arguments, request));
  return request;
}

Json json_of(const registry::Package& package) {
  return {{"op", package.manifest.op},
          {"version", package.manifest.version},
          {"vendor", package.manifest.vendor},
          {"package", fs::absolute(package.root).lexically_normal().string()},
          {"kernels", package.manifest.kernels.size()}};
}

Result<std::string> install_package(const registry::Package& package, const fs::path& opp) {
  const registry::LayoutMaker layout = project::layout_maker();
  const registry::InstallRequest request{.source = package.root,
                                         .opp = opp,
                                         .force = true,
                                         .probe_options = {.prober = isolation::probe_in_worker},
                                         .layout = &layout};
  OPKIT_TRY(const registry::InstallReport report,
            registry::install(request, registry::HostFacts::of_this_process()));
  return fmt::format("{} to {}\n", report.replaced ? "replaced" : "installed",
                     shown(report.package.root));
}

Outcome run_build(const Arguments& arguments, Console& console) {
  const auto started = std::chrono::steady_clock::now();
  OPKIT_TRY(const project::BuildRequest request, request_of(arguments));
  BuildProgress progress(console, fmt::format("build {}", shown(request.project)));
  OPKIT_TRY(const std::vector<registry::Package> packages,
            project::build_project(request, progress));
  progress.finish();
  Json list = Json::array();
  std::string text;
  for (const registry::Package& package : packages) {
    OPKIT_TRY(const OpenedOp loaded, load_package(package, {}, console));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    text += told(package, took.count(), console.out());
    text += told_columns(loaded.contract, request.column);
    if (arguments.has("--install")) {
      OPKIT_TRY(const std::string installed, install_package(package, target_opp(arguments)));
      text += installed;
    } else {
      text += fmt::format("next: opkit install {}\n", shell_word(shown(package.root)));
    }
    list.push_back(json_of(package));
    list.back()["seconds"] = took.count();
  }
  if (const auto file = arguments.find("--run")) {
    OPKIT_CHECK(project::write_run_file(packages, *file));
    text += fmt::format("installer: {}\n", shown(*file));
  }
  Json document = list.front();
  if (list.size() > 1) document = {{"packages", list}};
  console.show(document, text);
  return kOk;
}

}  // namespace

Command build_command() {
  return {
      .name = "build",
      .summary = "compile an op project to a package",
      .details =
          "Checks the contract, runs cmake with this SDK, compiles kernel and host code into one\n"
          "plugin and seals the package in <build>/package. Of a failure the first error is "
          "shown.\n"
          "A contract, op_host and op_kernel are enough; a CMakeLists.txt of one's own says more.\n"
          "A folder with op_host and op_kernel in the vendor's layout and without a contract gets "
          "one\n"
          "that is made of its OpDef; what an OpDef does not say is listed.",
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
                {.name = "-I",
                 .value = "DIR",
                 .help = "look for headers there, too, before the SDK's",
                 .complete = Complete::kDirectory,
                 .repeated = true},
                {.name = "-D",
                 .value = "MACRO",
                 .help = "define a macro for host and kernel sources",
                 .repeated = true},
                {.name = "--column",
                 .value = "COLUMN",
                 .help = "build one column of the contract alone, by its number or dtype"},
                {.name = "--clean", .value = "", .help = "forget what was built before"},
                {.name = "--install",
                 .value = "",
                 .help = "install what was built, in place of the same version"},
                opp_flag(),
                {.name = "--run",
                 .value = "FILE",
                 .help = "write an installer of the packages, a file that a shell runs",
                 .complete = Complete::kFile},
                {.name = "--vendor",
                 .value = "NAME",
                 .help =
                     "of a project without a CMakeLists.txt [customize], or in the vendor's layout "
                     "[vendor_name of CMakePresets.json]"}},
      .examples = {{"opkit build my_fused",
                    "the project in ./my_fused, into my_fused/build/package"},
                   {"opkit build add_custom --install",
                    "an msOpGen project as it is, built and installed"},
                   {"opkit build add_custom --run add_custom.run",
                    "and an installer: ./add_custom.run --install-path=/opt/ops"},
                   {"opkit build repo/ops/add_custom -I repo/include -D NDEBUG",
                    "an op whose headers lie elsewhere in its repository"},
                   {"opkit build my_fused --clean --build-type Debug",
                    "again from nothing, for a debugger"}},
      .run = run_build,
  };
}

}  // namespace opkit::cli
