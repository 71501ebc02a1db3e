// Dry: an observer's launch without arithmetic. What the kernel issues is checked and told to the
// inner observer, and then left out, so that tensors need no memory: a launch may be of any size.
// A value that the kernel asks for is made up; where it would read GM that has no contents, the
// launch ends, and must be run on data.
#ifndef OPKIT_CORE_MODES_DRY_H_
#define OPKIT_CORE_MODES_DRY_H_

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/core/modes/dry/phantom.h"
#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

// What a dry run answers where the kernel reads a value that was never computed. Runs with
// different answers in which the kernel does the same do not depend on data.
enum class DryAnswer : uint8_t { kZero, kOne, kOnes };  // kOnes: all bits set, a NaN, -1

struct DryOptions {
  DryAnswer answer = DryAnswer::kZero;
  // GM ranges without contents. They may have no memory either (kPhantomGm).
  std::vector<GmRange> unbacked;
  // 0: no limit. A core that has issued so many instructions leaves its block, and when all
  // together have issued so many, later blocks are not watched: the inner observer sees the first
  // part of the launch. For launches without SyncAll.
  uint64_t most_per_core = 0, most = 0;
};

struct DryReport {
  bool asked_for_data = false;  // a computed value was made up: compare runs with other answers
  std::string needs_data;       // why the launch cannot go on without data, a sentence; or empty
  bool cut = false;             // a limit was reached
  uint64_t instructions = 0;    // that were watched
};

// The inner observer must outlive this one.
class Dry : public Observer, public PhantomWatch {
 public:
  explicit Dry(Observer& inner, DryOptions options = {});

  // Returns the report of the last launch.
  const DryReport& report() const { return report_; }
  bool touched_phantom(const void* on_stack) override;

  void launch_begins(const LaunchRequest& request) override;
  void core_begins(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  // Offsets that nothing computed say nothing: they may choose any byte of their source.
  bool defers(Core&, const opk_vector_v1&) override { return true; }
  bool recover(Core& core, const Fault& fault) override;
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override;
  void barrier(Core& core, opk_pipe pipe, const void* pc) override;
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) override;
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override;
  void kernel_returned(Core& core) override;
  int64_t cycle(Core& core) override;
  void core_ends(Core& core) override;
  void launch_ends() override;

 private:
  struct Watched {
    bool passed_by = false;  // the inner observer does not know of this block
    uint64_t instructions = 0;
  };

  Watched& of(Core& core);
  // True: the core goes on, and the inner observer is told. Does not return when the core leaves.
  bool stays(Core& core);
  bool answers(Core& core, const Footprint& footprint);
  bool answers_scalar(Core& core, const Footprint& footprint);
  void remember(std::string why);
  void end_for_data(Core& core);

  Observer& inner_;
  DryOptions options_;
  DryReport report_;
  std::unordered_map<Core*, Watched> cores_;
  Core* last_ = nullptr;
  Watched* last_watched_ = nullptr;
  bool phantom_ = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_DRY_H_
