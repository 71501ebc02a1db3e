#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "opkit/base/file.h"
#include "opkit/build/project/live_lines.h"
#include "opkit/build/project/nn_header.h"
#include "opkit/build/project/program_build.h"
#include "opkit/build/source_text/program.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/build_progress.h"
#include "opkit/cli/options/compiler_words.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/options/parser.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/soc/soc_names.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

// Returns the chip of --soc; without one that of `preset`, and of an empty preset the default one.
Result<SocMatch> chosen_soc(const Arguments& arguments, Console& console,
                            const std::string& preset = {}) {
  const std::string asked =
      arguments.find("--soc").value_or(preset.empty() ? default_soc() : preset);
  OPKIT_TRY(const std::string name, checked_soc(asked, console));
  return find_soc(name);
}

// Checks whether the plan's kernels can be compiled for the chip; a program without any runs on
// every one.
Status check_calls(const SocSpec& chip, const source_text::ProgramPlan& plan) {
  if (!plan.kernels || chip.arch->table().lacks_nothing) return {};
  return Error(
      "OPK-CC-002",
      fmt::format("the architecture of {} ({}) lacks calls of the headers that kernels of programs "
                  "are compiled with",
                  chip.name, chip.npu_arch),
      "--soc Ascend910B1");
}

// Sources find the calls of installed ops under both of the vendor's spellings, and their classes.
void add_op_headers(const registry::Registry& registry, source_text::ProgramPlan& plan,
                    Console& console) {
  const project::OpHeaders found = project::op_headers(registry);
  for (const Error& error : found.left_out) console.say(error.to_string() + "\n");
  plan.headers.push_back({"op_proto.h", found.op_proto});
  for (const project::NnHeader& header : found.calls) {
    plan.headers.push_back({header.name, header.text});
    plan.headers.push_back({"aclnnop/" + header.name, header.text});
  }
}

Outcome run_plugin(const Arguments& arguments, Console& console) {
  const Command build = build_command();
  OPKIT_TRY(const Arguments given, Parser::parse(build, {arguments.get("--plugin")}));
  return build.run(given, console);
}

// Words behind "--" are the compiler's.
void split(const std::vector<std::string>& given, std::vector<std::string>& sources,
           std::vector<std::string>& words) {
  const auto first = std::find_if(given.begin(), given.end(), [](const std::string& word) {
    return word.size() > 1 && word[0] == '-';
  });
  sources.assign(given.begin(), first);
  words.assign(first, given.end());
}

// Reads what stands before "--" as options of opkit, too.
Result<CompilerWords> all_words(const Arguments& arguments, const std::vector<std::string>& words) {
  OPKIT_TRY(CompilerWords read, read_compiler_words(words));
  for (const auto& [flag, into] :
       {std::pair{"-D", &read.macros}, std::pair{"-I", &read.includes}}) {
    const std::vector<std::string> given = arguments.all(flag);
    into->insert(into->begin(), given.begin(), given.end());
  }
  if (read.level.empty()) read.level = arguments.get("-O");
  return read;
}

// Makes a part of a program for build files: an object of one source for a linker, or the headers
// by which its kernels are launched.
Outcome run_part(const Arguments& arguments, Console& console) {
  std::vector<std::string> sources, words;
  split(arguments.all("source"), sources, words);
  if (sources.empty() || arguments.has("--kernels") || arguments.has("--plugin") ||
      (arguments.has("-c") && sources.size() != 1))
    return Error("OPK-CLI-003",
                 "-c takes one source, --launchers one or more; neither goes with --kernels or "
                 "--plugin",
                 "opkit cc -c add.asc -o add.o");
  OPKIT_TRY(const CompilerWords read, all_words(arguments, words));
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  source_text::ProgramRequest request;
  request.object = true;
  request.launchers = read.launchers || arguments.has("--launchers");
  OPKIT_TRY(const SocMatch chip, chosen_soc(arguments, console, read.soc));
  request.soc = chip.spec->name;
  for (const std::string& source : sources) request.sources.push_back(fs::path(source));
  for (const std::string& folder : read.includes) request.include_dirs.push_back(folder);
  request.live_lines = [&](const fs::path& source) {
    return project::live_lines(source,
                               {.sdk = sdk, .macros = read.macros, .includes = read.includes});
  };
  OPKIT_TRY(source_text::ProgramPlan plan, source_text::plan_program(request));
  OPKIT_CHECK(check_calls(*chip.spec, plan));
  if (arguments.has("--launchers")) {
    OPKIT_CHECK(project::write_launchers(plan, arguments.get("--launchers")));
    return kOk;
  }
  add_op_headers(open_registry(arguments, console), plan, console);
  BuildProgress progress(console, fmt::format("cc {}", shown(arguments.get("-o"))));
  OPKIT_CHECK(
      project::build_program(plan,
                             {.sdk = sdk,
                              .object = true,
                              .level = read.level,
                              .macros = read.macros,
                              .includes = read.includes,
                              .words = read.plain,
                              .rule = read.rule,
                              .output = arguments.get("-o"),
                              .said = [&console](const std::string& text) { console.say(text); }},
                             progress));
  progress.finish();
  return kOk;
}

// The kernel of an op's project takes its types and its tiling from the project.
Status check_sources(const std::vector<std::string>& sources) {
  for (const std::string& source : sources) {
    const fs::path folder = fs::absolute(source).parent_path();
    std::error_code code;
    if (folder.filename() != "op_kernel" ||
        !fs::is_directory(folder.parent_path() / "op_host", code))
      return {};
    const auto text = read_file(source);
    if (!text.ok() || text->find("GET_TILING_DATA") == std::string::npos) return {};
  }
  const fs::path project = fs::path(sources[0]).parent_path().parent_path();
  return Error("OPK-CC-014",
               fmt::format("{} is the kernel of an op, which has no main and takes its types and "
                           "tiling from its project",
                           sources[0]),
               "opkit build " + shown(project.empty() ? "." : project));
}

Outcome run_cc(const Arguments& arguments, Console& console) {
  if (arguments.has("-c") || arguments.has("--launchers")) return run_part(arguments, console);
  const std::vector<std::string> sources = arguments.all("source");
  if (arguments.has("--plugin") && sources.empty()) return run_plugin(arguments, console);
  if (sources.empty() || arguments.has("--plugin")) {
    return Error("OPK-CLI-003", "opkit cc needs either sources or --plugin <project>",
                 "opkit cc add.asc -o add");
  }
  if (!arguments.has("--kernels")) OPKIT_CHECK(check_sources(sources));
  const auto started = std::chrono::steady_clock::now();
  OPKIT_TRY(const project::Sdk sdk, project::find_sdk());
  source_text::ProgramRequest request;
  request.kernels_only = arguments.has("--kernels");
  OPKIT_TRY(const SocMatch chip, chosen_soc(arguments, console));
  request.soc = chip.spec->name;
  for (const std::string& source : sources) request.sources.push_back(fs::path(source));
  for (const std::string& folder : arguments.all("-I")) request.include_dirs.push_back(folder);
  request.live_lines = [&](const fs::path& source) {
    return project::live_lines(
        source, {.sdk = sdk, .macros = arguments.all("-D"), .includes = arguments.all("-I")});
  };
  OPKIT_TRY(source_text::ProgramPlan plan, source_text::plan_program(request));
  OPKIT_CHECK(check_calls(*chip.spec, plan));
  add_op_headers(open_registry(arguments, console), plan, console);
  const fs::path output = arguments.get("-o");
  BuildProgress progress(console, fmt::format("cc {}", shown(output)));
  OPKIT_CHECK(
      project::build_program(plan,
                             {.sdk = sdk,
                              .kernels_only = request.kernels_only,
                              .level = arguments.get("-O"),
                              .macros = arguments.all("-D"),
                              .includes = arguments.all("-I"),
                              .output = output,
                              .said = [&console](const std::string& text) { console.say(text); }},
                             progress));
  progress.finish();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  console.show({{request.kernels_only ? "kernels" : "program", output.string()},
                {"soc", request.soc},
                {"cube_pass", plan.cube_pass},
                {"seconds", took.count()}},
               "");
  return kOk;
}

}  // namespace

Command cc_command() {
  return {
      .name = "cc",
      .summary = "build a stand-alone program from Ascend C sources",
      .details =
          "Takes vendor-style sources (.asc, .cpp): kernels, the host's main with <<<>>> launches\n"
          "and acl calls, or a unit test with ICPU_RUN_KF. The program runs on this machine. Ops "
          "that\n"
          "vendors have installed are there as aclnn_<op>.h, with the two calls of each.",
      .positionals = {{.name = "source",
                       .help = "a source file; .cpp and .asc are the same",
                       .complete = Complete::kFile,
                       .required = false,
                       .repeated = true}},
      .flags = {{.name = "-o",
                 .value = "FILE",
                 .help = "the program",
                 .complete = Complete::kFile,
                 .preset = "a.out"},
                soc_flag("the chip that the program runs on [" + default_soc() + "]"),
                opp_flag(),
                {.name = "-I",
                 .value = "DIR",
                 .help = "look for headers there, too",
                 .complete = Complete::kDirectory,
                 .repeated = true},
                {.name = "-D",
                 .value = "MACRO",
                 .help = "define a macro, e.g. ASCENDC_CPU_DEBUG",
                 .repeated = true},
                {.name = "-O",
                 .value = "LEVEL",
                 .help = "how much to optimise",
                 .choices = {"0", "1", "2", "3", "g", "s"},
                 .preset = "2"},
                {.name = "--kernels",
                 .value = "",
                 .help = "build an object of kernels for aclrtBinaryLoadFromFile instead"},
                {.name = "-c",
                 .value = "",
                 .help = "build an object of one source for a linker; words behind -- are the "
                         "compiler's"},
                {.name = "--launchers",
                 .value = "DIR",
                 .help = "write aclrtlaunch_<kernel>.h of the sources' kernels there instead",
                 .complete = Complete::kDirectory},
                {.name = "--plugin",
                 .value = "DIR",
                 .help = "build the op project there to a package instead",
                 .complete = Complete::kDirectory}},
      .examples = {{"opkit cc add.asc -o add", "kernel and host in one file"},
                   {"opkit cc --kernels add.cpp -o add.o", "kernels to launch by handle"},
                   {"opkit cc app.cpp -o app", "a host program with aclnn calls of installed ops"},
                   {"opkit cc main.cpp add.cpp -D ASCENDC_CPU_DEBUG -o add_test",
                    "a unit test with ICPU_RUN_KF"}},
      .run = run_cc,
  };
}

}  // namespace opkit::cli
