// Makes the loop of a group of joined steps.
#ifndef OPKIT_CORE_REPLAY_LOOP_BUILDER_H_
#define OPKIT_CORE_REPLAY_LOOP_BUILDER_H_

#include <optional>
#include <vector>

#include "opkit/core/replay/loop_body.h"
#include "opkit/core/replay/program.h"

namespace opkit::core {

// How a body is made; each is tried where the one before needs too many registers.
struct LoopForm {
  bool keeps_blocks = true;  // blocks of rows stay in registers
  bool keeps_loads = true;   // so do elements that were read once
};

// Tells which places of a class are one place.
class SamePlaces {
 public:
  SamePlaces(const std::vector<const std::vector<BytePlace>*>& blocks) : blocks_(blocks) {}
  enum class Answer : uint8_t { kNever, kAlways, kSometimes };
  Answer ask(uint32_t x, uint32_t y) const;

 private:
  const std::vector<const std::vector<BytePlace>*>& blocks_;
};

struct GroupLoop {
  LoopBody body;
  std::vector<uint32_t> places;  // holds the place of the class for each of the body
};

// Returns the loop for steps first to end - 1, which are joined; nullopt: one of them is not known
// here, or has no such form.
std::optional<GroupLoop> loop_of(const ProgramStep* first, const ProgramStep* end,
                                 const SamePlaces& same, const LoopForm& form);

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_LOOP_BUILDER_H_
