#include <fmt/format.h>

#include <chrono>

#include "opkit/abi/types.h"
#include "opkit/base/file.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/arguments.h"
#include "opkit/cli/build_log.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/opp_option.h"
#include "opkit/cli/parser.h"
#include "opkit/cli/process.h"
#include "opkit/cli/scratch.h"
#include "opkit/cli/sdk.h"
#include "opkit/launch/program.h"
#include "opkit/project/object_symbols.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace fs = std::filesystem;
namespace {

struct Pass {
  int number;  // OPKIT_CORE_PASS
  const char* word;
  const char* macro;
};
constexpr Pass kVector = {OPK_CORE_AIV, "aiv", "-D__DAV_C220_VEC__=1"};
constexpr Pass kCube = {OPK_CORE_AIC, "aic", "-D__DAV_C220_CUBE__=1"};

// Sources type-pun, as on the chip; -g1 lets faults name source lines. The device's compiler takes
// C++17 and finds function templates by their arguments; g++ does that in C++20 only.
const std::vector<std::string> kCompileWords = {"-std=c++20", "-c", "-g1", "-fno-strict-aliasing",
                                                // Reports know a place by its return address.
                                                "-fno-optimize-sibling-calls", "-fno-ipa-icf",
                                                "-fno-gnu-unique", "-fvisibility=hidden",
                                                "-fvisibility-inlines-hidden"};

class Compiler {
 public:
  Compiler(const Arguments& arguments, Console& console, Sdk sdk, fs::path folder)
      : arguments_(arguments),
        console_(console),
        sdk_(std::move(sdk)),
        folder_(std::move(folder)) {}

  Status build(const launch::ProgramPlan& plan, const fs::path& output) {
    std::vector<std::string> objects;
    OPKIT_CHECK(write_file(folder_ / "kernels.cpp", plan.table));
    OPKIT_TRY(objects.emplace_back(), compile(folder_ / "kernels.cpp", folder_, kVector));
    for (const launch::ProgramHeader& header : plan.headers) {
      OPKIT_CHECK(write_file(folder_ / header.name, header.text));
    }
    std::vector<std::string> cube;
    for (size_t i = 0; i < plan.units.size(); ++i) {
      const fs::path staged = folder_ / fmt::format("unit{}.cpp", i);
      const fs::path beside = plan.units[i].source.parent_path();
      OPKIT_CHECK(write_file(staged, plan.units[i].text));
      OPKIT_TRY(objects.emplace_back(), compile(staged, beside, kVector, i));
      if (plan.cube_pass) {
        OPKIT_TRY(cube.emplace_back(), compile(staged, beside, kCube, i));
      }
      if (plan.units.size() == 1) continue;
      OPKIT_CHECK(keep_own(objects.back()));
      if (plan.cube_pass) OPKIT_CHECK(keep_own(cube.back()));
    }
    if (plan.cube_pass) {
      OPKIT_TRY(objects.emplace_back(), isolate(cube));
    }
    return link(objects, output);
  }

 private:
  Result<std::string> compile(const fs::path& file, const fs::path& beside, const Pass& pass,
                              size_t unit = 0) {
    const fs::path object = folder_ / fmt::format("{}_{}.o", file.stem().string(), pass.word);
    std::vector<std::string> words = {"g++"};
    words.insert(words.end(), kCompileWords.begin(), kCompileWords.end());
    if (arguments_.has("--kernels")) words.push_back("-fPIC");
    words.push_back("-O" + arguments_.get("-O"));
    words.push_back(fmt::format("-DOPKIT_CORE_PASS={}", pass.number));
    words.push_back(pass.macro);
    words.push_back(fmt::format("-DOPKIT_LAUNCH_UNIT={}", unit));
    for (const std::string& macro : arguments_.all("-D")) words.push_back("-D" + macro);
    words.insert(words.end(), {"-iquote", beside.empty() ? "." : beside.string()});
    for (const std::string& folder : arguments_.all("-I")) words.push_back("-I" + folder);
    words.push_back("-I" + folder_.string());
    words.insert(words.end(), {"-isystem", sdk_.include.string(), "-isystem",
                               (sdk_.include / "opkit" / "include").string(), "-x", "c++",
                               file.string(), "-o", object.string()});
    OPKIT_CHECK(step("OPK-CC-008", "compiling", words));
    return object.string();
  }

  // Each source is a device program of its own: what two of them define alike by templates and
  // inline functions may differ, and the linker would keep one for both.
  Status keep_own(const std::string& object) {
    const std::string whole = object + ".whole", list = object + ".names";
    OPKIT_CHECK(step("OPK-CC-009", "separating a source",
                     {"ld", "-r", "--force-group-allocation", "-o", whole, object}));
    OPKIT_TRY(const ProcessResult listing, run_process({"objdump", "-t", whole}));
    OPKIT_CHECK(write_file(
        list, fmt::format("{}\n", fmt::join(project::own_definitions(listing.output), "\n"))));
    return step("OPK-CC-009", "separating a source",
                {"objcopy", "--localize-symbols=" + list, whole, object});
  }

  // Both passes define the same names with different bodies: the cube pass becomes one object that
  // shows none of its names. Its kernels announce themselves when the program starts.
  Result<std::string> isolate(const std::vector<std::string>& objects) {
    const std::string one = (folder_ / "cube.o").string();
    std::vector<std::string> words = {"ld", "-r", "--force-group-allocation", "-o", one};
    words.insert(words.end(), objects.begin(), objects.end());
    OPKIT_CHECK(step("OPK-CC-009", "joining the cube pass", words));
    OPKIT_CHECK(step("OPK-CC-009", "joining the cube pass",
                     {"objcopy", "--keep-global-symbol=opkit_keeps_none", one}));
    return one;
  }

  Status link(const std::vector<std::string>& objects, const fs::path& output) {
    std::vector<std::string> words = {"g++", "-o", output.string()};
    if (arguments_.has("--kernels")) words.insert(words.end(), {"-shared", "-Wl,-z,defs"});
    words.insert(words.end(), objects.begin(), objects.end());
    words.insert(words.end(), {sdk_.runtime.string(),
                               "-Wl,-rpath," + sdk_.runtime.parent_path().string(), "-pthread"});
    return step("OPK-CC-009", "linking", words);
  }

  Status step(const char* code, const char* what, const std::vector<std::string>& words) {
    OPKIT_TRY(const ProcessResult result, run_process(words));
    console_.say(result.output);
    if (result.exit_code == 0) return {};
    Error error(code, fmt::format("{} failed", what), "correct the first error above");
    if (const auto first = first_error(result.output)) {
      error.where = first->where;
      error.message += ": " + first->message;
    }
    return error;
  }

  const Arguments& arguments_;
  Console& console_;
  Sdk sdk_;
  fs::path folder_;
};

Result<std::string> chosen_soc(const Arguments& arguments, Console& console) {
  const std::string asked = arguments.find("--soc").value_or("Ascend910B1");
  OPKIT_TRY(const std::string name, checked_soc(asked, console));
  OPKIT_TRY(const SocMatch match, find_soc(name));
  if (match.spec->npu_arch == 2201) return match.spec->name;
  return Error("OPK-CC-002",
               fmt::format("{} has another architecture ({}) than the sources are compiled for "
                           "(2201)",
                           match.spec->name, match.spec->npu_arch),
               "--soc Ascend910B1");
}

Outcome run_plugin(const Arguments& arguments, Console& console) {
  const Command build = build_command();
  OPKIT_TRY(const Arguments given, Parser::parse(build, {arguments.get("--plugin")}));
  return build.run(given, console);
}

Outcome run(const Arguments& arguments, Console& console) {
  const std::vector<std::string> sources = arguments.all("source");
  if (arguments.has("--plugin") && sources.empty()) return run_plugin(arguments, console);
  if (sources.empty() || arguments.has("--plugin")) {
    return Error("OPK-CLI-003", "opkit cc needs either sources or --plugin <project>",
                 "opkit cc add.asc -o add");
  }
  const auto started = std::chrono::steady_clock::now();
  OPKIT_TRY(const Sdk sdk, find_sdk());
  launch::ProgramRequest request;
  request.kernels_only = arguments.has("--kernels");
  OPKIT_TRY(request.soc, chosen_soc(arguments, console));
  for (const std::string& source : sources) request.sources.push_back(fs::path(source));
  for (const std::string& folder : arguments.all("-I")) request.include_dirs.push_back(folder);
  OPKIT_TRY(const launch::ProgramPlan plan, launch::plan_program(request));
  const Scratch scratch;
  OPKIT_CHECK(scratch.check());
  Compiler compiler(arguments, console, sdk, scratch.path());
  const fs::path output = arguments.get("-o");
  OPKIT_CHECK(compiler.build(plan, output));
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
          "and acl calls, or a unit test with ICPU_RUN_KF. The program runs on this machine.",
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
                soc_flag("the chip that the program runs on [Ascend910B1]"),
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
                {.name = "--plugin",
                 .value = "DIR",
                 .help = "build the op project there to a package instead",
                 .complete = Complete::kDirectory}},
      .examples = {{"opkit cc add.asc -o add", "kernel and host in one file"},
                   {"opkit cc --kernels add.cpp -o add.o", "kernels to launch by handle"},
                   {"opkit cc main.cpp add.cpp -D ASCENDC_CPU_DEBUG -o add_test",
                    "a unit test with ICPU_RUN_KF"}},
      .run = run,
  };
}

}  // namespace opkit::cli
