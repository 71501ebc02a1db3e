// Compiling and linking a stand-alone program, or an object of kernels, from its plan.
#ifndef OPKIT_BUILD_PROJECT_PROGRAM_BUILD_H_
#define OPKIT_BUILD_PROJECT_PROGRAM_BUILD_H_

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/build/project/build_events.h"
#include "opkit/build/project/sdk.h"
#include "opkit/build/source_text/program.h"

namespace opkit::project {

struct ProgramBuild {
  Sdk sdk;
  bool kernels_only = false;  // an object that programs load
  bool object = false;        // makes one source an object for a linker
  std::string level = "2";    // -O
  std::vector<std::string> macros, includes;
  std::vector<std::string> words = {};  // more for the compiler
  // Names a makefile's rule for the object, with what was included; none when it is empty.
  std::filesystem::path rule = {};
  std::filesystem::path output;
  // What the compiler and the linker say, warnings included.
  std::function<void(const std::string& text)> said;
};

// Writes the headers of the plan to the folder.
Status write_launchers(const source_text::ProgramPlan& plan, const std::filesystem::path& folder);

// Sources are compiled side by side. OPK-CC-008: the compiler; -009: the linker.
Status build_program(const source_text::ProgramPlan& plan, const ProgramBuild& build,
                     BuildEvents& events);

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_PROGRAM_BUILD_H_
