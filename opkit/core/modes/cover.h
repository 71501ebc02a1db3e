// Cover: the observer that keeps which bytes of GM a launch writes and who writes them, and how
// much local memory its buffers take. Inside Dry it judges a tiling for shapes that no host could
// hold.
#ifndef OPKIT_CORE_MODES_COVER_H_
#define OPKIT_CORE_MODES_COVER_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "opkit/core/state/launch_request.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

struct CoverOptions {
  uint64_t max_instructions = uint64_t{1} << 22;  // a launch beyond gives up
  size_t max_pieces = size_t{1} << 21;
};

// A core of a launch: the block, and 0 = cube core or the only core of the block, 1, 2 = vector
// cores.
struct CoverWriter {
  uint32_t block = 0, lane = 0;
  bool operator==(const CoverWriter&) const = default;
};

struct CoverClash {
  uint64_t begin = 0, end = 0;  // bytes
  CoverWriter first, second;
};

// Tells what was covered of one writable GM range, in bytes.
struct CoverOfRange {
  GmRange range;
  uint64_t written = 0;   // counts bytes that were written at least once
  uint64_t repeated = 0;  // written again: 3 for a byte that is written four times
  uint64_t atomic = 0;    // counts the written bytes that were added to what was there
  uint64_t missing = 0;
  std::vector<std::pair<uint64_t, uint64_t>> holes;  // begin and end of each part nobody writes
  uint64_t clashing = 0;  // written again by another core, and nothing orders the two
  CoverClash clash;       // the first such part
};

struct CoverBuffer {
  opk_memory memory = OPK_MEM_UB;
  uint32_t count = 0, bytes = 0;  // bytes: of each
};

struct CoverReport {
  std::vector<CoverOfRange> ranges;            // the writable ones, as the launch lists them
  std::array<uint64_t, OPK_MEM_COUNT> peak{};  // bytes that the buffers of one core take
  std::vector<CoverBuffer> buffers;            // lists the buffers of the core that takes most
  uint64_t instructions = 0;
  uint64_t digest = 0;  // covers all that was written, and in which order per core
  std::string gave_up;  // why the launch was not watched to its end; a sentence
};

class Cover : public Observer {
 public:
  explicit Cover(CoverOptions options = {});

  // Takes the report of the last launch.
  CoverReport take_report();

  void launch_begins(const LaunchRequest& request) override;
  void core_begins(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  bool forbids_excess() const override { return true; }
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override;

 private:
  struct Piece {
    uint64_t begin, end;
    CoverWriter writer;
    uint32_t round;  // counts rounds of SyncAll
    bool atomic;
  };
  struct Range {
    GmRange range;
    std::vector<Piece> pieces;
  };

  void write(Core& core, const Access& access);
  void add(Core& core, Range& range, uint64_t begin, uint64_t bytes);
  void remember(std::string why);
  void give_up(Core& core);
  CoverOfRange judge(Range& range) const;
  void find_clashes(const std::vector<Piece>& pieces, CoverOfRange& found) const;
  bool ordered(const CoverWriter& a, const CoverWriter& b) const;

  CoverOptions options_;
  std::vector<Range> ranges_;
  size_t pieces_ = 0;
  std::vector<CoverBuffer> current_;  // since the core began
  uint64_t most_ = 0;                 // bytes that report_.buffers take
  bool block_orders_ = false;         // the cores of a block waited for flags
  bool launch_orders_ = false;        // blocks waited for flags or words
  CoverReport report_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_COVER_H_
