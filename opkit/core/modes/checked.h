// Checked: the observer that judges a launch. It keeps what the chip does not: which bytes were
// ever written, by which pipe, and what orders one pipe after another. It reports; it never
// repairs. docs/checked.md lists the codes.
#ifndef OPKIT_CORE_MODES_CHECKED_H_
#define OPKIT_CORE_MODES_CHECKED_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

struct CheckedOptions {
  // The vendor's compiler orders V-V, V-S, MTE2-S and MTE3-S on the vector core by itself (page on
  // synchronisation inside a core). False: the source has to; what a library call does inside is
  // the library's affair.
  bool automatic_order = true;
  bool races = true;
  bool initialisation = true;
  bool needless_sync = true;
  bool poison = true;  // local memories start as 0xFF bytes, which are NaN in every float type
  // First inf or NaN out of finite inputs, overflow of half, sums in half that lose their terms;
  // reads every operand and result.
  bool numerics = false;
  // Least cost of a synchronisation in cycles, to weigh needless ones; see TimingRates.
  uint32_t flag_cycles = 15, barrier_cycles = 4, vector_barrier_cycles = 54;
  uint32_t capacity_percent = 80;  // note when TPipe gave out more of UB; 0 = never
};

// One party of a finding: an executed instruction.
struct FindingPlace {
  const void* pc = nullptr;  // return address in the kernel; nullptr = not known
  std::string instruction;   // "DataCopy on MTE2"
  std::string operands;      // "writes UB 0..1024; reads GM 'x' 0..1024"; empty = not known
  uint32_t block = 0;
  int sub_block = -1;       // AIV 0 or 1 of the block; -1 = cube core or an unsplit core
  uint64_t occurrence = 0;  // this was the n-th time that this instruction ran in its core, from 1
};

// Equal buffers of one InitBuffer.
struct BufferLine {
  std::string where;                       // "UB 0..65536"
  std::string what;                        // "2 x 32768 bytes, queue 1, VECIN, depth 2"
  const void* made_pc;                     // InitBuffer
  const void *first_use_pc, *last_use_pc;  // nullptr: never used
};

struct Finding {
  std::string code;     // stable, "EK1303"
  std::string message;  // one sentence with the values
  std::string action;   // one suggestion
  bool warning = false;
  bool note = false;  // a warning that asks for nothing
  FindingPlace at;
  FindingPlace other;               // pc == nullptr and empty instruction: there is no second party
  FindingPlace near;                // who wrote the bytes in front of those in question, likewise
  uint64_t count = 1;               // how often; the places are those of the first
  std::vector<BufferLine> buffers;  // fill the memory that is full
};

struct CheckedReport {
  std::vector<Finding> findings;  // keeps the order of their first occurrence
  size_t errors() const;
  size_t warnings() const { return findings.size() - errors(); }
};

const char* severity_name(const Finding& finding);  // "error", "warning", "note"
// Returns the warnings of a launch that nobody judged, in the form of findings.
CheckedReport report_of(const Faults& warnings);

// Turns a pc into "file:line"; an empty answer means unknown. When the file can be read, buffers
// are called by the names that they have there.
using PlaceNames = std::function<std::string(const void* pc)>;

// Several lines of text, ending in a newline.
std::string to_text(const Finding& finding, const PlaceNames& names);
std::string to_text(const CheckedReport& report, const PlaceNames& names);

class Checked : public Observer {
 public:
  explicit Checked(const CheckedOptions& options = {});
  ~Checked() override;

  // Returns what was found since the last call. `launch` adds what only the engine can know
  // (deadlocks).
  CheckedReport take_report(const LaunchReport& launch);

  bool sees_data() const override;  // only for the numerics
  void launch_begins(const LaunchRequest& request) override;
  void core_begins(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  bool recover(Core& core, const Fault& fault) override;
  bool forbids_excess() const override { return true; }
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override;
  void barrier(Core& core, opk_pipe pipe, const void* pc) override;
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) override;
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override;
  void library_call(Core& core) override;
  void cache_cleaned(Core& core, const uint8_t* line) override;
  void core_ends(Core& core) override;
  void launch_ends() override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_CHECKED_H_
