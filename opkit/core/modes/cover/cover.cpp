#include "opkit/core/modes/cover.h"

#include <algorithm>
#include <utility>

#include "opkit/core/state/core.h"

namespace opkit::core {
namespace {

CoverWriter writer_of(const Core& core) {
  return {core.block, static_cast<uint32_t>(core.lane + 1)};
}

// Sorts by begin and end. The pieces come in ascending runs, one for each copy of rows as a rule,
// which are merged; where the runs are short, sorting costs less.
template <typename Piece>
void sort_runs(std::vector<Piece>& pieces) {
  const auto before = [](const Piece& a, const Piece& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  };
  std::vector<size_t> ends = {0};
  for (size_t i = 1; i < pieces.size(); ++i) {
    if (before(pieces[i], pieces[i - 1])) ends.push_back(i);
  }
  ends.push_back(pieces.size());
  if (ends.size() > 2 + pieces.size() / 8) {
    return std::sort(pieces.begin(), pieces.end(), before);
  }
  std::vector<Piece> merged(ends.size() > 2 ? pieces.size() : 0);
  while (ends.size() > 2) {
    std::vector<size_t> joined = {0};
    for (size_t run = 0; run + 1 < ends.size(); run += 2) {
      const auto at = [&](size_t end) { return pieces.begin() + static_cast<int64_t>(end); };
      const size_t middle = ends[run + 1], end = ends[std::min(run + 2, ends.size() - 1)];
      std::merge(at(ends[run]), at(middle), at(middle), at(end),
                 merged.begin() + static_cast<int64_t>(ends[run]), before);
      joined.push_back(end);
    }
    pieces.swap(merged);
    ends = std::move(joined);
  }
}

void mix(uint64_t& digest, uint64_t value) {
  digest = (digest ^ value) * 0x100000001b3u;
  digest ^= digest >> 29;
}

}  // namespace

Cover::Cover(CoverOptions options) : options_(std::move(options)) {}

void Cover::launch_begins(const LaunchRequest& request) {
  report_ = {};
  report_.digest = 0xcbf29ce484222325u;
  ranges_.clear();
  pieces_ = 0;
  most_ = 0;
  block_orders_ = launch_orders_ = false;
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    if (!request.gm[i].writable) continue;
    // The memory of an in-place tensor is listed twice, as input and as output.
    const auto known = std::find_if(ranges_.begin(), ranges_.end(), [&](const Range& range) {
      return range.range.base == request.gm[i].base && range.range.bytes == request.gm[i].bytes;
    });
    if (known == ranges_.end()) {
      ranges_.push_back({request.gm[i], {}});
    } else if (request.gm[i].output) {
      known->range.output = true;
    }
  }
}

void Cover::core_begins(Core&) { current_.clear(); }

bool Cover::admit(Core& core, const Footprint& footprint) {
  if (++report_.instructions > options_.max_instructions) {
    remember("the launch takes more than " + std::to_string(options_.max_instructions) +
             " instructions");
    give_up(core);
    return false;
  }
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    const Access& access = footprint.access[i];
    if (access.write && access.memory == OPK_MEM_GM) write(core, access);
  }
  return true;
}

void Cover::write(Core& core, const Access& access) {
  const auto contains = [&](const Range& range) {
    return access.address >= range.range.base &&
           access.address < range.range.base + range.range.bytes;
  };
  const auto range = std::find_if(ranges_.begin(), ranges_.end(), contains);
  if (range == ranges_.end()) return;
  const auto start = static_cast<uint64_t>(access.address - range->range.base);
  if (is_dense(access)) {
    return add(core, *range, start, uint64_t{access.block_bytes} * access.blocks * access.repeats);
  }
  for (uint32_t r = 0; r < access.repeats; ++r) {
    for (uint32_t b = 0; b < access.blocks; ++b) {
      const int64_t offset = r * access.repeat_pitch + b * access.block_pitch;
      add(core, *range, start + static_cast<uint64_t>(offset), access.block_bytes);
    }
  }
}

void Cover::add(Core& core, Range& range, uint64_t begin, uint64_t bytes) {
  const CoverWriter writer = writer_of(core);
  const bool atomic = core.atomic != OPK_ATOMIC_NONE;
  uint64_t rounds = 0;
  for (const uint64_t round : core.sync_rounds) rounds += round;
  const auto round = static_cast<uint32_t>(rounds);
  mix(report_.digest, begin);
  mix(report_.digest, bytes * 2 + (atomic ? 1 : 0));
  mix(report_.digest, uint64_t{writer.block} * 4 + writer.lane);
  if (!range.pieces.empty()) {
    Piece& last = range.pieces.back();
    if (last.end == begin && last.writer == writer && last.round == round &&
        last.atomic == atomic) {
      last.end += bytes;
      return;
    }
  }
  if (++pieces_ > options_.max_pieces) {
    remember("the outputs are written in more than " + std::to_string(options_.max_pieces) +
             " pieces");
    return give_up(core);
  }
  range.pieces.push_back({begin, begin + bytes, writer, round, atomic});
}

void Cover::remember(std::string why) {
  if (report_.gave_up.empty()) report_.gave_up = std::move(why);
}

// Ends this block and keeps later ones from starting. Does not return: the caller must hold nothing
// that wants to be destroyed.
void Cover::give_up(Core& core) {
  Fault fault;
  fault.code = "EK1604";
  fault.message = "no longer watched: " + report_.gave_up;
  fault.action = "try a smaller shape";
  fault.resumable = false;
  core.refuse(std::move(fault));
}

void Cover::cross_flag(Core&, opk_sync_op, uint32_t mode, opk_pipe, uint32_t, const void*) {
  (mode == 0 ? launch_orders_ : block_orders_) = true;
}

void Cover::gm_word(Core&, opk_sync_op, const int32_t*, const void*) { launch_orders_ = true; }

void Cover::buffer(Core&, const opk_buffer_v1& event, const void*) {
  if (event.op == OPK_B_RESET) return current_.clear();
  if (event.op != OPK_B_INIT) return;
  const auto memory = static_cast<opk_memory>(event.memory);
  uint64_t& peak = report_.peak[memory];
  peak = std::max(peak, uint64_t{event.offset} + event.bytes);
  const uint32_t count = std::max<uint32_t>(event.count, 1);
  current_.push_back({memory, count, event.bytes / count});
  uint64_t sum = 0;
  for (const CoverBuffer& buffer : current_) sum += uint64_t{buffer.count} * buffer.bytes;
  if (sum <= most_) return;
  most_ = sum;
  report_.buffers = current_;
}

bool Cover::ordered(const CoverWriter& a, const CoverWriter& b) const {
  return a == b || launch_orders_ || (a.block == b.block && block_orders_);
}

// REQUIRES: pieces are of one round and sorted by their begin.
void Cover::find_clashes(const std::vector<Piece>& pieces, CoverOfRange& found) const {
  // The two pieces that reach furthest and have different writers, plain and atomic.
  std::array<std::array<const Piece*, 2>, 2> far{};
  for (const Piece& piece : pieces) {
    for (size_t atomic = 0; atomic < 2; ++atomic) {
      if (piece.atomic && atomic) continue;  // additions do not disturb each other
      for (const Piece* other : far[atomic]) {
        if (other == nullptr || other->end <= piece.begin || ordered(other->writer, piece.writer))
          continue;
        const uint64_t end = std::min(other->end, piece.end);
        if (found.clashing == 0) found.clash = {piece.begin, end, other->writer, piece.writer};
        found.clashing += end - piece.begin;
        break;
      }
    }
    auto& mine = far[piece.atomic];
    if (mine[0] && mine[0]->writer == piece.writer) {
      if (piece.end > mine[0]->end) mine[0] = &piece;
    } else if (!mine[0] || piece.end > mine[0]->end) {
      mine = {&piece, mine[0]};
    } else if (!mine[1] || piece.end > mine[1]->end) {
      mine[1] = &piece;
    }
  }
}

CoverOfRange Cover::judge(Range& range) const {
  CoverOfRange found;
  found.range = range.range;
  sort_runs(range.pieces);
  uint64_t reached = 0, all = 0;
  uint32_t rounds = 0;
  const auto gap = [&](uint64_t begin, uint64_t end) {
    if (begin >= end) return;
    found.holes.emplace_back(begin, end);
    found.missing += end - begin;
  };
  for (const Piece& piece : range.pieces) {
    gap(reached, piece.begin);
    reached = std::max(reached, piece.end);
    all += piece.end - piece.begin;
    if (piece.atomic) found.atomic += piece.end - piece.begin;
    rounds = std::max(rounds, piece.round);
  }
  gap(reached, range.range.bytes);
  found.written = range.range.bytes - found.missing;
  found.repeated = all - found.written;
  for (uint32_t round = 0; round <= rounds && found.repeated > 0; ++round) {
    std::vector<Piece> pieces;
    std::copy_if(range.pieces.begin(), range.pieces.end(), std::back_inserter(pieces),
                 [&](const Piece& piece) { return piece.round == round; });
    find_clashes(pieces, found);
  }
  return found;
}

CoverReport Cover::take_report() {
  for (Range& range : ranges_) report_.ranges.push_back(judge(range));
  ranges_.clear();
  return std::move(report_);
}

}  // namespace opkit::core
