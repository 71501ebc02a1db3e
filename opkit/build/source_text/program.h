// From vendor-style sources to what a C++ compiler builds a stand-alone program of.
#ifndef OPKIT_BUILD_SOURCE_TEXT_PROGRAM_H_
#define OPKIT_BUILD_SOURCE_TEXT_PROGRAM_H_

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "opkit/base/status.h"

namespace opkit::source_text {

// The lines of a source, and of what it includes, that its conditional compilation leaves: by file
// and line, in which passes (bit 1 << opk_core_kind). A file that is not there was not read.
using LiveLines = std::map<std::filesystem::path, std::map<int, unsigned>>;

struct ProgramRequest {
  std::vector<std::filesystem::path> sources;
  std::vector<std::filesystem::path> include_dirs;  // where quoted includes are looked for, too
  std::string soc;                                  // full name
  bool kernels_only = false;  // makes an object that programs load, see opkit_launch/binary.h
  bool object = false;        // one of the objects of a program; others may have the kernels
  // Declares launchers of every kernel, whether a source includes aclrtlaunch_ or not.
  bool launchers = false;
  // Asked for sources whose kernels may stand behind #if; without it, or when it finds nothing,
  // every line counts.
  std::function<LiveLines(const std::filesystem::path& source)> live_lines;
};

struct ProgramUnit {
  std::filesystem::path source;
  std::string text;  // is compiled in its place; names the source's lines
};

// Holds a header that the sources find under its name.
struct ProgramHeader {
  std::string name, text;
};

// Stands for an opk_task_type in a plan: what the kernel's object reaches decides (project/).
inline constexpr int kTaskTypeByReach = -2;

// A kernel without a statement in a program that names calls of the cube unit.
struct UndecidedKernel {
  std::string name;
  std::vector<size_t> units;  // places in ProgramPlan::units
  std::string macro;          // that the table takes the kernel's opk_task_type from
};

struct ProgramPlan {
  std::vector<ProgramUnit> units;
  std::vector<ProgramHeader>
      headers;             // aclrtlaunch_<kernel>.h, when a source includes such; may name a folder
  std::string table;       // a C++ file that tells the runtime of the kernels
  bool cube_pass = false;  // the units must be compiled for cube cores as well
  std::vector<UndecidedKernel> undecided;
  bool kernels = false;  // else nothing in it is compiled for a chip
};

// OPK-CC-005: a header launches a kernel; -006: two kernels of one name want different cores;
// -007: there is no kernel; -010: a kernel that is launched by name has parameters that cannot be
// read; -011: something that an object of kernels cannot hold.
Result<ProgramPlan> plan_program(const ProgramRequest& request);

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_PROGRAM_H_
