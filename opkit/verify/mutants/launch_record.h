// LaunchRecord: what a launch did to its outputs and which instructions it took, in a form that two
// builds of one kernel can be compared by.
#ifndef OPKIT_VERIFY_MUTANTS_LAUNCH_RECORD_H_
#define OPKIT_VERIFY_MUTANTS_LAUNCH_RECORD_H_

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "opkit/core/machine.h"

namespace opkit::verify {

struct LaunchRecord {
  // Records all instructions that touch a byte, in the order of each core: what they do, to which
  // bytes.
  std::string instructions;
  // Likewise, but what they leave in the bytes that they write in place of how they come to it.
  std::string results;
  int64_t unwritten = 0;  // bytes of outputs that nothing wrote
  int64_t repeated = 0;   // bytes of outputs that were written more than once

  bool writes_each_once() const { return unwritten == 0 && repeated == 0; }
};

// Watches one launch. Masked writes count as written: REQUIRES nothing more precise.
class LaunchRecorder : public core::Observer {
 public:
  // Watches a launch that may touch `gm`; of this it records the coverage of `outputs`.
  LaunchRecorder(std::vector<core::GmRange> gm, std::vector<core::GmRange> outputs);

  bool admit(core::Core& core, const core::Footprint& footprint) override;
  void flag(core::Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override;
  void barrier(core::Core& core, opk_pipe pipe, const void* pc) override;
  void cross_flag(core::Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void sync_all(core::Core& core, opk_sync_op op, uint32_t bits, const void* pc) override;
  void gm_word(core::Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void core_ends(core::Core& core) override;

  LaunchRecord record() const;

 private:
  struct Hash {
    uint64_t value = 14695981039346656037u;
    void add(uint64_t word);
    void add(const uint8_t* bytes, uint64_t count);
  };
  struct Trace {
    Hash instructions, results;
    // Holds what the last instruction wrote, whose bytes are not taken yet.
    std::vector<core::Access> written;
  };
  Trace& of(const core::Core& core);
  void add_event(const core::Core& core, std::initializer_list<uint64_t> words);
  static void take_results(Trace& trace);
  void add_access(const core::Core& core, const core::Access& access, Hash& hash);
  void note_write(const core::Access& access);
  void note_run(const uint8_t* from, uint64_t bytes);

  std::vector<core::GmRange> gm_, outputs_;
  std::vector<std::vector<uint8_t>> writes_;  // counts for each byte of an output: 0, 1, 2 = more
  std::map<std::pair<uint32_t, int>, Trace> traces_;
};

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_MUTANTS_LAUNCH_RECORD_H_
