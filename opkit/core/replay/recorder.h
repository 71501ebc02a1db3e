// ProgramRecorder: an observer's launch that computes nothing and makes a LaunchProgram of what the
// kernel issues. The kernel works on tensors that are not there: every look at data is a fault of
// the host, or told, so that a recorded kernel has looked at none. Why a launch cannot be recorded
// is told in a word.
#ifndef OPKIT_CORE_REPLAY_RECORDER_H_
#define OPKIT_CORE_REPLAY_RECORDER_H_

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/core/modes/dry/phantom.h"
#include "opkit/core/replay/known_blocks.h"
#include "opkit/core/replay/lower.h"
#include "opkit/core/replay/program.h"
#include "opkit/core/state/launch_request.h"

namespace opkit::core {

struct ProgramRecorderOptions {
  uint64_t most_bytes = 0;  // limits the program
  // What registers hold in which instructions leave results, so that kernels that look at them do
  // something else for another answer.
  uint64_t registers = 0;
  // Whether it is judged what blocks do to each other in GM, and with bytes of UB that they have
  // not written: both recordings of a launch are one program, so one judgement is enough.
  bool judges = true;
};

class ProgramRecorder : public Observer, private PhantomWatch {
 public:
  explicit ProgramRecorder(const ProgramRecorderOptions& options) : options_(options) {}

  // Why the last launch is none that can be run again: the rest of a sentence that begins with "the
  // kernel"; empty: it is one.
  const std::string& why() const { return why_; }
  // REQUIRES: why() is empty.
  LaunchProgram take_program() { return std::move(program_); }

  void launch_begins(const LaunchRequest& request) override;
  void launch_ends() override;
  void core_begins(Core& core) override;
  void core_ends(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  bool takes_all_parts() const override { return true; }
  // Offsets of Gather and Gatherb are data, which is not there.
  bool defers(Core&, const opk_vector_v1& v) override { return gathers(v); }
  void cross_flag(Core& core, opk_sync_op, uint32_t, opk_pipe, uint32_t, const void*) override;
  void sync_all(Core& core, opk_sync_op, uint32_t, const void*) override;
  void gm_word(Core& core, opk_sync_op, const int32_t*, const void*) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void*) override;
  void cache_cleaned(Core& core, const uint8_t*) override;
  void sees_memory(Core& core) override;
  void polls(Core& core) override;
  void prints(Core& core) override;
  int64_t cycle(Core& core) override;

 private:
  // A run of bytes of GM that a block touches.
  struct Run {
    uint64_t begin, end;
    uint32_t range, block;

    bool operator<(const Run& o) const {
      return range != o.range ? range < o.range : begin < o.begin;
    }
  };

  // What one core has done so far; cores of a launch take turns where they wait.
  struct Recorded {
    Core* core = nullptr;
    BlockSteps steps;
    bool tells_registers = false;
  };

  Recorded& of(const Core& core) { return *by_seat_.at(core.seat()); }
  bool touched_phantom(const void* on_stack) override;
  // Ends the block, and with it the launch. Does not return: the caller must hold nothing that
  // wants to be destroyed.
  void give_up(Core& core, const char* why);
  void remember(const char* why) {
    if (why_.empty()) why_ = why;
  }
  void note_runs(const BlockSteps& steps, uint32_t block);
  void note_runs(const Runs& runs, uint32_t block);
  void note_run(std::vector<Run>& runs, const Run& run);
  bool blocks_meet();
  const KnownBlocks::Known* add_known(Core& core, BlockSteps& steps);
  void shorten(BlockSteps& steps, BlockClass& done);
  uint32_t class_of(BlockClass&& done);
  void meets(Core& core, ProgramStep::Kind kind, uint32_t op, uint32_t mode, uint32_t pipe,
             uint32_t number);
  void add_block(uint32_t seat, uint32_t of_class, std::vector<BytePlace>&& places);

  const ProgramRecorderOptions options_;
  const LaunchRequest* request_ = nullptr;
  std::unordered_map<uint32_t, std::unique_ptr<Recorded>> by_seat_;
  LaunchProgram program_;
  KnownBlocks known_;
  std::unordered_multimap<uint64_t, uint32_t> by_digest_;  // classes of the program
  std::vector<Run> reads_, writes_;
  uint64_t bytes_ = 0;
  bool blocks_wait_ = false;  // for each other
  std::string why_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_RECORDER_H_
