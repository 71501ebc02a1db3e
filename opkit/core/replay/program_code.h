// ProgramCode: machine code for groups of joined steps of a program (docs/decisions/0048). Values
// that only a group uses live in registers. What it computes has the bits of the passes in run.cpp.
#ifndef OPKIT_CORE_REPLAY_PROGRAM_CODE_H_
#define OPKIT_CORE_REPLAY_PROGRAM_CODE_H_

#include <memory>
#include <string>
#include <vector>

#include "opkit/core/replay/code_pages.h"
#include "opkit/core/replay/loop_code.h"
#include "opkit/core/replay/program.h"

namespace opkit::core {

class ProgramCode {
 public:
  struct Group {
    LoopFn run = nullptr;
    uint64_t elements = 0;         // that run() computes; the passes compute those behind
    std::vector<uint32_t> places;  // names places of the class: the frame behind its first entry
  };
  // Counts groups of joined steps, such that have code, and different loops among them.
  struct Counts {
    uint64_t groups = 0, compiled = 0, loops = 0;
  };

  // Compiles what is worth it, in at most so many bytes of code. nullptr: nothing was compiled;
  // `why`, where it is not empty, is the rest of a sentence that begins with "passes run, because".
  static std::shared_ptr<const ProgramCode> make(const LaunchProgram& program, LoopHost host,
                                                 uint64_t most_bytes, std::string& why);

  // Returns the group that begins with a step of a class, if it has code; else nullptr.
  const Group* find(uint32_t of_class, size_t step) const {
    const std::vector<uint32_t>& of_step = group_of_step_[of_class];
    if (step >= of_step.size() || of_step[step] == kNone) return nullptr;
    return &groups_[of_step[step]];
  }
  const Counts& counts() const { return counts_; }
  uint64_t bytes() const;

 private:
  friend class ProgramCompiler;
  static constexpr uint32_t kNone = ~0u;
  ProgramCode() = default;

  std::vector<std::vector<uint32_t>> group_of_step_;  // by class and step
  std::vector<Group> groups_;
  std::unique_ptr<const CodePages> pages_;
  Counts counts_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_PROGRAM_CODE_H_
