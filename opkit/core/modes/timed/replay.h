// Replay: runs what all cores issued against clocks. Everything inside a core is computed as soon
// as it can be known; only pieces of GM copies, which compete for L2 and HBM, are taken in the
// order of time over all cores.
#ifndef OPKIT_CORE_MODES_TIMED_REPLAY_H_
#define OPKIT_CORE_MODES_TIMED_REPLAY_H_

#include <array>
#include <deque>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "opkit/core/modes/timed/l2_cache.h"
#include "opkit/core/modes/timed/recording.h"

namespace opkit::core::timed {

class Replay {
 public:
  explicit Replay(const TimingRates& rates) : rates_(rates) {}

  // resident: how many blocks run at once. Fills cores, spans and instructions of the result. Keeps
  // its memory for the next run.
  void run(const Recording& recording, L2Cache& l2, uint32_t resident, bool spans,
           TimedResult* result);

 private:
  // Times are in ticks, 256 per cycle.
  static constexpr uint64_t kTick = 256, kUnknown = UINT64_MAX;
  static constexpr size_t kMostQueued = 64;

  struct Queued {
    const RecordedEvent* event;
    uint64_t issued;
  };
  struct Pipe {
    std::array<Queued, kMostQueued> queue;
    // Holds when the last instructions began, by number.
    std::array<uint64_t, kMostQueued> starts;
    uint64_t entered = 0, left = 0;  // numbers of instructions
    uint64_t free = 0, done = 0, busy_until = 0;
    bool moving = false;
    Queued transfer;  // while moving
    uint64_t transfer_start = 0, moved_rows = 0, moved_bytes = 0, latency = 0;
  };
  // A piece of a copy: bytes, unless it says something else.
  struct Served {
    uint64_t bytes = 0, rows = 0, from_hbm = 0, written_back = 0;
    uint64_t hbm = 0;  // what HBM is busy with, in bytes
    uint64_t hit_sectors = 0, missed_sectors = 0;
  };
  // Work for the cube core of a block.
  struct Job {
    const RecordedEvent *first, *last;
    uint64_t time;
  };
  struct CoreClock {
    const RecordedEvent *next = nullptr, *end = nullptr;  // events to issue
    uint64_t scalar = 0;
    bool running = false, ended = false;
    const RecordedEvent* served = nullptr;  // is the first event for the cube core not posted yet
    std::deque<Job> posted;                 // are on their way to the cube core
    std::deque<Job> jobs;                   // are what a cube core was asked for
    uint32_t posts = 0;                     // that are still to come, from this core
    std::array<Pipe, kTimedPipes> pipes;
  };
  struct Piece {
    uint64_t time;
    uint32_t core;
    uint8_t pipe;
    bool operator>(const Piece& o) const {
      return std::tie(time, core, pipe) > std::tie(o.time, o.core, o.pipe);
    }
  };

  void prepare(uint32_t resident);
  void prepare_cores();
  void start_block(size_t first_core, uint64_t time);
  void advance(uint32_t core);
  void progress(uint32_t core);
  bool issue(uint32_t index, CoreClock& core);
  bool issue_scalar(uint32_t core, const RecordedEvent& e);
  bool enter_pipe(uint32_t index, CoreClock& core, const RecordedEvent& e);
  bool run_pipe(uint32_t index, uint8_t p, Pipe& pipe);
  void run_instruction(uint32_t core, uint8_t pipe, const Queued& head, uint64_t start);
  static void leave(Pipe& pipe, uint64_t start) {
    pipe.starts[pipe.left % kMostQueued] = start;
    ++pipe.left;
  }
  void move_piece(const Piece& piece);
  Served touch_rows(uint32_t core, Pipe& pipe, const Transfer& t, uint64_t time);
  Served touch_whole_rows(Pipe& pipe, const Transfer& t);
  uint64_t own_ticks(const Served& s, const Transfer& t) const;
  static void count(const Served& s, const Transfer& t, Traffic& traffic);
  uint64_t serve(uint32_t core, Pipe& pipe, const Transfer& t, uint64_t time);
  uint64_t shared_lines(uint32_t core, uint64_t address, uint64_t bytes, uint64_t time);
  void finish_transfer(uint32_t core, uint8_t pipe, uint64_t time);
  void note(uint32_t core, uint8_t pipe, const RecordedEvent& e, uint64_t start, uint64_t end,
            uint64_t bytes);
  // Notes that a pipe waited from `start` to `end`; what `from` means, Span::waits_for says.
  void note_wait(uint32_t core, uint8_t pipe, const RecordedEvent& e, uint8_t from, uint64_t start,
                 uint64_t end);
  void post(uint32_t core, const RecordedEvent& e);
  void receive(uint32_t vector_core);
  bool take_job(uint32_t core);
  bool expects_jobs(uint32_t core) const;
  void set_signal(const RecordedEvent& e, uint64_t time);
  uint64_t gate_time(uint32_t gate) const;
  std::optional<uint32_t> signal_of(const RecordedEvent& e) const;
  void end_core(uint32_t core);
  void start_waiting_blocks();
  void gather();
  CoreTimes& times(uint32_t core) { return result_->cores[core]; }
  static uint64_t ticks(uint64_t cycles) { return cycles * kTick; }

  const TimingRates& rates_;
  const Recording* recording_ = nullptr;
  L2Cache* l2_ = nullptr;
  bool spans_ = false;
  TimedResult* result_ = nullptr;
  std::vector<CoreClock> cores_;
  std::vector<uint64_t> signals_;
  std::vector<uint32_t> setter_;  // holds the site that sets each signal
  std::vector<uint8_t> signal_is_shared_;
  bool shared_signal_ = false;  // one was set since it was looked at
  std::priority_queue<Piece, std::vector<Piece>, std::greater<Piece>> pieces_;
  std::vector<size_t> blocks_;        // first core of each block, and the end
  std::vector<uint32_t> block_of_;    // holds the block of each core
  std::vector<uint32_t> unfinished_;  // cores by block
  std::vector<uint64_t> block_end_;   // holds the end of each block
  size_t next_block_ = 0;
  std::deque<std::pair<size_t, uint64_t>> startable_;  // block, ticks
  uint64_t hbm_free_ = 0, l2_free_ = 0;
  uint64_t depth_ = 1;  // instructions that may wait in front of a pipe
  struct LastRead {
    uint64_t time;
    uint32_t core;
  };
  std::unordered_map<uint64_t, LastRead> read_past_l2_;  // is keyed by line
  std::vector<InstructionTotals> by_site_;               // site * kTimedPipes + pipe
};

}  // namespace opkit::core::timed

#endif  // OPKIT_CORE_MODES_TIMED_REPLAY_H_
