// LaunchProgram: what the blocks of a launch do, recorded once and run again without the kernel's
// code (docs/decisions/0040, 0047). The instructions of each core of a block are steps over places:
// bytes of UB, or of a GM range of the launch. Cores with the same steps share them and differ in
// their places in GM.
#ifndef OPKIT_CORE_REPLAY_PROGRAM_H_
#define OPKIT_CORE_REPLAY_PROGRAM_H_

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "opkit/abi/core.h"
#include "opkit/core/replay/cube_calls.h"
#include "opkit/core/rows/rows.h"

namespace opkit::core {

struct Core;
class ProgramCode;

// Where an operand begins.
struct BytePlace {
  enum class In : uint8_t { kNowhere, kUb, kGm, kScratch };
  In in = In::kNowhere;
  // kGm: of the launch's ranges while a block is recorded; of the block's places in a program.
  uint32_t index = 0;
  uint64_t at = 0;  // bytes from the beginning of UB, of the range or of the scratch memory

  BytePlace plus(uint64_t bytes) const { return {in, index, at + bytes}; }
  bool operator==(const BytePlace&) const = default;
};

// Bytes that a step touches, from the first to behind the last.
struct ByteSpan {
  BytePlace from;
  uint64_t bytes = 0;
  bool write = false;
  bool whole = true;  // says of a write that it leaves no byte between alone

  bool is_in(const BytePlace& place) const {
    return from.in == place.in && from.index == place.index;
  }
  bool meets(const BytePlace& place, uint64_t n) const {
    return is_in(place) && from.at < place.at + n && place.at < from.at + bytes;
  }
  bool lies_in(const BytePlace& place, uint64_t n) const {
    return is_in(place) && from.at >= place.at && from.at + bytes <= place.at + n;
  }
  bool covers(const BytePlace& place, uint64_t n) const {
    return whole && is_in(place) && from.at <= place.at && from.at + bytes >= place.at + n;
  }
  bool operator==(const ByteSpan&) const = default;
};

// A vector instruction that the engine runs as it was issued: addresses are offsets in UB.
struct Issued {
  opk_vector_v1 v{};
  uint64_t mask[2] = {0, 0}, ctrl = 0;
  uint8_t mask_mode = 0;
  float deq_scale = 1.0f;
  uint32_t deq_offset_sign = 0;
  std::array<uint32_t, 32> lists{};  // are TransDataTo5HD's: 16 destinations, 16 sources
  std::vector<ByteSpan> spans;

  bool operator==(const Issued& other) const;
};

struct ProgramStep {
  enum class Kind : uint8_t {
    kRows,    // n elements, in any order
    kStrip,   // `rows` rows of n elements, `times` times each, in order
    kCopy,    // `rows` blocks of n bytes
    kPad,     // kCopy, and filler around each block
    kSums,    // gives one sum for each of `rows` rows of 64 floats
    kParts,   // gives eight sums or extremes, one for each of a row's blocks of 8
    kMost,    // gives the largest of each row of n floats
    kLeast,   // or the smallest
    kIssued,  // issued[number]
    kTurn,    // TransDataTo5HD: issued[number]
    // The cube unit's: number `number` of its kind in `cube`, with the block's places from number n
    // on; context.scalar[0] is the control register (run_cube.h).
    kCubeCopy,
    kLoad,
    kMmad,
    kFixpipe,
    kMatmul,
    kFlag,    // CrossCoreSetFlag or CrossCoreWaitFlag: op, mode `rows`, pipe `times`, id `number`
    kSyncAll  // bits `number`
  };
  Kind kind = Kind::kRows;
  uint8_t sources = 0;
  bool reads_to = false;
  // kRows, kStrip: fn is a Row's `folded`. kRows: every fold_row elements have one block of b.
  bool folded = false;
  bool joins = false;     // kRows: is computed together with the step before, chunk by chunk
  uint8_t dtype = 0;      // is the dtype of the result
  uint8_t src_dtype = 0;  // is the dtype of the sources, or of the result where there are none
  uint16_t op = 0;        // opk_vector_op
  int32_t saturate = -1;
  RowFn fn = nullptr;
  RowContext context;
  BytePlace to, a, b;
  uint64_t n = 0;
  uint32_t rows = 1, times = 1;
  int64_t to_pitch = 0, a_pitch = 0, b_pitch = 0;  // bytes
  uint32_t to_bytes = 0, src_bytes = 0;            // are sizes of elements
  uint32_t fold_row = 0, fold_pitch = 0;
  bool folds_a = false;                  // kRows: a, too, is one row of fold_row elements for all
  uint32_t pad_left = 0, pad_right = 0;  // kPad: bytes; the value lies in context.scalar
  bool pads_first = false;               // kPad: the filler is the block's first element
  uint32_t number = 0;

  bool operator==(const ProgramStep& other) const;
  bool is_rows() const { return kind == Kind::kRows || kind == Kind::kStrip; }
  // Tells whether the step runs as it was issued: its operands are not to, a and b.
  bool is_kept() const { return kind >= Kind::kIssued; }
  bool is_of_cube() const { return kind >= Kind::kCubeCopy && kind <= Kind::kMatmul; }
  // Tells whether other cores may see what was done so far, and do what is seen from here on.
  bool is_meeting() const { return kind >= Kind::kFlag; }
};

bool same(const RowContext& x, const RowContext& y);

// Equal for equal steps and instructions.
uint64_t digest_of(const std::vector<ProgramStep>& steps, const std::vector<Issued>& issued);

// What blocks have in common.
struct BlockClass {
  std::vector<ProgramStep> steps;
  std::vector<Issued> issued;
  CubeCalls cube;
  uint32_t places = 0;   // counts places in GM
  uint64_t scratch = 0;  // bytes

  // Tells whether both have equal steps and instructions; digest_of() is equal then.
  bool does_as(const BlockClass& other) const;
};

class LaunchProgram {
 public:
  static constexpr uint32_t kNoClass = ~0u;
  struct Block {
    uint32_t of_class = kNoClass;   // stays so for a seat that no core of the launch has
    std::vector<BytePlace> places;  // is indexed by range of the launch
  };

  // Runs the core's part of a block, inside its fiber; may suspend it. REQUIRES: the launch has the
  // ranges with which the program was recorded.
  void run(Core& core) const;

  const std::vector<BlockClass>& classes() const { return classes_; }
  // Indexed by the seats of cores.
  const std::vector<Block>& blocks() const { return blocks_; }
  uint64_t bytes() const;
  bool operator==(const LaunchProgram& other) const;

  // Lets groups of steps run as machine code from now on, which holds so many bytes. REQUIRES: it
  // was made for this program.
  void use(std::shared_ptr<const ProgramCode> code, uint64_t bytes) {
    code_ = std::move(code);
    code_bytes_ = bytes;
  }

 private:
  friend class ProgramRecorder;
  std::vector<BlockClass> classes_;
  std::vector<Block> blocks_;
  std::shared_ptr<const ProgramCode> code_;
  uint64_t code_bytes_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_PROGRAM_H_
