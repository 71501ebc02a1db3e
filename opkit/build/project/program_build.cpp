#include "opkit/build/project/program_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "opkit/abi/types.h"
#include "opkit/base/file.h"
#include "opkit/build/project/build_log.h"
#include "opkit/build/project/compiler_advice.h"
#include "opkit/build/project/device_refusals.h"
#include "opkit/build/project/kernel_reach.h"
#include "opkit/build/project/object_symbols.h"
#include "opkit/build/project/parallel_steps.h"
#include "opkit/build/project/program_passes.h"
#include "opkit/build/project/scratch.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// Sources type-pun, as on the chip; -g1 lets faults name source lines. The device's compiler takes
// C++17 and finds function templates by their arguments; g++ does that in C++20 only.
const std::vector<std::string> kCompileWords = {"-std=c++20", "-c", "-g1", "-fno-strict-aliasing",
                                                // Reports know a place by its return address.
                                                "-fno-optimize-sibling-calls", "-fno-ipa-icf",
                                                "-fno-crossjumping", "-fno-tree-tail-merge",
                                                "-fno-gnu-unique", "-fstack-usage",
                                                // An object says what each of its kernels reaches.
                                                "-ffunction-sections"};
constexpr uint64_t kCoreStack = 32768;  // bytes; -cce-aicore-stack-size of the chip's compiler
// Objects may become libraries, whose functions others call.
const std::vector<std::string> kProgramWords = {"-fvisibility=hidden",
                                                "-fvisibility-inlines-hidden"};

// One compilation: a source in one pass.
struct Unit {
  fs::path file, source, beside;
  ProgramPass pass;
  size_t index;  // is the place in the plan's units
  size_t number;
  std::string object;
  std::string shown;
};

class Compiler {
 public:
  Compiler(const ProgramBuild& build, fs::path folder, BuildEvents& events)
      : build_(build), folder_(std::move(folder)), events_(events) {}

  Status run(const source_text::ProgramPlan& plan) {
    OPKIT_TRY(std::vector<Unit> units, write_units(plan));
    OPKIT_TRY(const Unit table, write_table(plan));
    if (plan.undecided.empty()) units.push_back(table);
    OPKIT_CHECK(compile(units));
    if (!plan.undecided.empty()) {
      OPKIT_CHECK(decide(plan, units));
      OPKIT_CHECK(compile({table}));
      units.push_back(table);
    }
    std::vector<std::string> objects, cube;
    for (const Unit& unit : units) {
      const bool source = unit.file.stem() != "kernels";
      if (source && (build_.object || plan.units.size() > 1)) OPKIT_CHECK(keep_own(unit.object));
      (unit.pass.number == OPK_CORE_AIC ? cube : objects).push_back(unit.object);
    }
    if (plan.cube_pass) {
      OPKIT_TRY(objects.emplace_back(), join(cube));
    }
    if (!build_.object) return link(objects);
    OPKIT_CHECK(write_rule(plan, units));
    return join_all(objects);
  }

 private:
  // Writes the generated files; returns what is to be compiled.
  Result<std::vector<Unit>> write_units(const source_text::ProgramPlan& plan) const {
    std::vector<Unit> units;
    for (const source_text::ProgramHeader& header : plan.headers) OPKIT_CHECK(write_header(header));
    for (size_t i = 0; i < plan.units.size(); ++i) {
      const fs::path staged = folder_ / fmt::format("unit{}.cpp", i);
      OPKIT_CHECK(write_file(staged, plan.units[i].text));
      units.push_back(unit_of(staged, plan.units[i].source, kVectorPass, i));
      if (plan.cube_pass) units.push_back(unit_of(staged, plan.units[i].source, kCubePass, i));
    }
    return units;
  }

  Result<Unit> write_table(const source_text::ProgramPlan& plan) const {
    const fs::path file = folder_ / "kernels.cpp";
    OPKIT_CHECK(write_file(file, plan.table));
    return unit_of(file, file, kVectorPass, 0);
  }

  Unit unit_of(const fs::path& file, const fs::path& source, const ProgramPass& pass,
               size_t index) const {
    const std::string stem = fmt::format("{}_{}", file.stem().string(), pass.word);
    const std::string name = source.filename().string();
    return {file,
            source,
            source.parent_path(),
            pass,
            index,
            build_.object ? number_of(source) : index,
            (folder_ / (stem + ".o")).string(),
            pass.number == OPK_CORE_AIC ? name + " for cube cores" : name};
  }

  // Says for which cores the kernels are that state none: a kernel is mixed when a pass of it
  // reaches the cube unit, or when its objects do not tell.
  Status decide(const source_text::ProgramPlan& plan, const std::vector<Unit>& units) {
    for (const source_text::UndecidedKernel& kernel : plan.undecided) {
      OPKIT_TRY(const CubeReach reach, reach_of(kernel, units));
      const bool mixed = reach.calls_cube || !reach.found;
      types_.push_back(fmt::format("-D{}={}", kernel.macro,
                                   static_cast<int>(mixed ? OPK_TASK_MIX_1_2 : OPK_TASK_AIV_ONLY)));
      if (!reach.calls_cube || !build_.said) continue;
      build_.said(
          fmt::format("note: kernel {} runs on cube and vector cores (mixed 1:2): it reaches {}{}; "
                      "KERNEL_TASK_TYPE_DEFAULT in the kernel states another type\n",
                      kernel.name, reach.call, reach.caller.empty() ? "" : " in " + reach.caller));
    }
    return {};
  }

  static Result<CubeReach> reach_of(const source_text::UndecidedKernel& kernel,
                                    const std::vector<Unit>& units) {
    CubeReach all;
    for (const Unit& unit : units) {
      if (std::count(kernel.units.begin(), kernel.units.end(), unit.index) == 0) continue;
      OPKIT_TRY(const CubeReach one, cube_reach(unit.object, kernel.name));
      if (one.calls_cube) return one;
      all.found = all.found || one.found;
    }
    return all;
  }

  Status write_header(const source_text::ProgramHeader& header) const {
    const fs::path file = folder_ / header.name;
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    return write_file(file, header.text);
  }

  Status compile(const std::vector<Unit>& units) {
    std::vector<std::vector<std::string>> commands;
    for (const Unit& unit : units) commands.push_back(words_of(unit, true));
    events_.step("compiling");
    OPKIT_TRY(std::vector<ChildResult> results,
              run_side_by_side(commands, [&](size_t which, size_t ended) {
                events_.advance(ended, units.size(), units[which].shown);
              }));
    for (size_t i = 0; i < units.size(); ++i) {
      if (!results[i].ok() && refuses_host_code_only(results[i].output)) {
        OPKIT_TRY(results[i], run_program(words_of(units[i], false)));
      }
      OPKIT_CHECK(judge("OPK-CC-008", "compiling", results[i]));
      OPKIT_CHECK(check_frames(units[i]));
    }
    return {};
  }

  // Without optimization variables share no room: what is small on the chip may look large.
  Status check_frames(const Unit& unit) const {
    const uint64_t limit = build_.level == "0" ? kCoreStack * 8 : kCoreStack;
    const auto refused =
        too_large_frame(fs::path(unit.object).replace_extension(".su"), limit, unit.source);
    return refused ? Status(*refused) : Status();
  }

  // strict: what the chip's compiler refuses of single halves is refused.
  std::vector<std::string> words_of(const Unit& unit, bool strict) const {
    std::vector<std::string> words = {"g++"};
    words.insert(words.end(), kCompileWords.begin(), kCompileWords.end());
    if (!build_.object) words.insert(words.end(), kProgramWords.begin(), kProgramWords.end());
    if (build_.kernels_only) words.push_back("-fPIC");
    words.push_back("-O" + build_.level);
    if (strict) words.push_back("-DOPKIT_DEVICE_SCALARS=1");
    if (build_.level == "0" || build_.level == "g") words.push_back("-g2");  // helps a debugger
    words.push_back(fmt::format("-DOPKIT_CORE_PASS={}", unit.pass.number));
    words.push_back(unit.pass.macro);
    words.push_back(fmt::format("-DOPKIT_LAUNCH_UNIT={}", unit.number));
    words.insert(words.end(), types_.begin(), types_.end());
    words.insert(words.end(), build_.words.begin(), build_.words.end());
    if (!build_.rule.empty()) words.insert(words.end(), {"-MMD", "-MF", unit.object + ".d"});
    for (const std::string& macro : build_.macros) words.push_back("-D" + macro);
    words.insert(words.end(), {"-iquote", unit.beside.empty() ? "." : unit.beside.string()});
    for (const std::string& folder : build_.includes) words.push_back("-I" + folder);
    words.push_back("-I" + folder_.string());
    const std::vector<std::string> headers = header_words(build_.sdk);
    words.insert(words.end(), headers.begin(), headers.end());
    words.insert(words.end(), {"-x", "c++", unit.file.string(), "-o", unit.object});
    return words;
  }

  // Each source is a device program of its own: what two of them define alike by templates and
  // inline functions may differ, and the linker would keep one for both.
  Status keep_own(const std::string& object) {
    const std::string whole = object + ".whole", list = object + ".names";
    OPKIT_CHECK(
        step("separating a source", {"ld", "-r", "--force-group-allocation", "-o", whole, object}));
    OPKIT_TRY(const ChildResult listing, run_program({"objdump", "-t", whole}));
    const std::vector<std::string> names = own_definitions(listing.output);
    OPKIT_CHECK(write_file(list, fmt::format("{}\n", fmt::join(names, "\n"))));
    return step("separating a source", {"objcopy", "--localize-symbols=" + list, whole, object});
  }

  // Joins the objects of two passes, which define the same names with different bodies: the cube
  // pass becomes one object that shows none of its names. Its kernels announce themselves when the
  // program starts.
  Result<std::string> join(const std::vector<std::string>& objects) {
    const std::string one = (folder_ / "cube.o").string();
    std::vector<std::string> words = {"ld", "-r", "--force-group-allocation", "-o", one};
    words.insert(words.end(), objects.begin(), objects.end());
    OPKIT_CHECK(step("joining the cube pass", words));
    OPKIT_CHECK(
        step("joining the cube pass", {"objcopy", "--keep-global-symbol=opkit_keeps_none", one}));
    return one;
  }

  Status join_all(const std::vector<std::string>& objects) {
    std::vector<std::string> words = {"ld", "-r", "-o", build_.output.string()};
    words.insert(words.end(), objects.begin(), objects.end());
    return step("joining the passes", words);
  }

  // What was made here is not there next time.
  Status write_rule(const source_text::ProgramPlan& plan, const std::vector<Unit>& units) const {
    if (build_.rule.empty()) return {};
    std::string text = escaped(build_.output) + ": " + escaped(plan.units[0].source);
    for (const Unit& unit : units) {
      OPKIT_TRY(const std::string made, read_file(unit.object + ".d"));
      std::istringstream words(made.substr(made.find(':') + 1));
      for (std::string word; words >> word;) {
        for (std::string more; word.size() > 1 && word.back() == '\\' && words >> more;)
          word += " " + more;  // a blank in a name
        if (word != "\\" && word.rfind(folder_.string(), 0) != 0) text += " \\\n  " + word;
      }
    }
    return write_file(build_.rule, text + "\n");
  }

  // Returns the name as makefiles write it.
  static std::string escaped(const fs::path& name) {
    std::string text;
    for (const char c : name.string()) text += c == ' ' ? std::string("\\ ") : std::string(1, c);
    return text;
  }

  // Kernels of two sources may have one name: a number that is the source's own.
  static size_t number_of(const fs::path& source) {
    uint32_t hash = 2166136261u;
    for (const char c : fs::absolute(source).string())
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash & 0x7fffffffu;
  }

  Status link(const std::vector<std::string>& objects) {
    const fs::path& runtime = build_.sdk.runtime;
    std::vector<std::string> words = {"g++", "-o", build_.output.string()};
    if (build_.kernels_only) words.insert(words.end(), {"-shared", "-Wl,-z,defs"});
    words.insert(words.end(), objects.begin(), objects.end());
    words.insert(words.end(),
                 {runtime.string(), "-Wl,-rpath," + runtime.parent_path().string(), "-pthread"});
    // Pictures and the front end of graphs, for programs that call them.
    if (!build_.kernels_only) {
      words.push_back("-Wl,--as-needed");
      for (const char* library : {"libopkit_media.so", "libopkit_ge.so"})
        words.push_back((runtime.parent_path() / library).string());
    }
    return step("linking", words);
  }

  Status step(const char* what, const std::vector<std::string>& words) {
    OPKIT_TRY(const ChildResult result, run_program(words));
    return judge("OPK-CC-009", what, result);
  }

  Status judge(const char* code, const char* what, const ChildResult& result) const {
    const auto first = result.ok() ? std::nullopt : first_error(result.output);
    const auto advice = first ? advice_for(first->message) : std::nullopt;
    if (build_.said && !advice) build_.said(result.output);  // its words are of opkit's own types
    if (result.ok()) return {};
    Error error(code, fmt::format("{} failed", what), "correct the first error above");
    if (first) {
      error.where = first->where;
      error.message += ": " + (advice ? advice->message : first->message);
      if (advice) error.action = advice->action;
    }
    return error;
  }

  const ProgramBuild& build_;
  fs::path folder_;
  BuildEvents& events_;
  std::vector<std::string> types_;  // macros of the kernels' types, once they are known
};

}  // namespace

Status write_launchers(const source_text::ProgramPlan& plan, const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  for (const source_text::ProgramHeader& header : plan.headers)
    OPKIT_CHECK(write_file(folder / header.name, header.text));
  return {};
}

Status build_program(const source_text::ProgramPlan& plan, const ProgramBuild& build,
                     BuildEvents& events) {
  const Scratch scratch;
  OPKIT_CHECK(scratch.check());
  return Compiler(build, scratch.path(), events).run(plan);
}

}  // namespace opkit::project
