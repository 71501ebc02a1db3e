// Copies between GM and a core: what L2 and HBM have of every piece, and when it is through.
#include <algorithm>

#include "opkit/core/modes/timed/replay.h"

namespace opkit::core::timed {
namespace {

// Pieces in which copies compete. Small enough for sharing to be fair, large enough to be cheap.
constexpr uint64_t kCopiedPiece = 8192;

// Returns how much of the rest of a row goes into the room of a piece: all of it, or up to the end
// of a sector, so that no sector is asked for twice.
uint64_t part_of_row(uint64_t rest, uint64_t room, uint64_t from) {
  return rest <= room ? rest : room - std::min(room, (from + room) % L2Cache::kSector);
}

}  // namespace

// Counts cache lines that other cores have just read past L2 too: such requests queue up behind
// each other.
uint64_t Replay::shared_lines(uint32_t index, uint64_t address, uint64_t bytes, uint64_t time) {
  constexpr uint64_t kLine = 512;
  uint64_t extra = 0;
  for (uint64_t line = address / kLine; line <= (address + bytes - 1) / kLine; ++line) {
    const auto [found, fresh] = read_past_l2_.try_emplace(line, LastRead{time, index});
    LastRead& last = found->second;
    if (!fresh && last.core != index && time < last.time + ticks(rates_.same_line_cycles))
      extra += rates_.same_line_bytes;
    last = {time, index};
  }
  return extra;
}

// As many whole rows as make up a piece.
Replay::Served Replay::touch_whole_rows(Pipe& pipe, const Transfer& t) {
  Served s;
  s.rows = std::min<uint64_t>(t.rows - pipe.moved_rows, kCopiedPiece / t.row_bytes);
  const L2Cache::Rows rows = l2_->touch_rows(
      t.address + static_cast<uint64_t>(static_cast<int64_t>(pipe.moved_rows) * t.pitch), t.pitch,
      t.row_bytes, s.rows, t.write);
  pipe.moved_rows += s.rows;
  s.bytes = s.rows * t.row_bytes;
  s.hit_sectors = rows.hits;
  s.missed_sectors = rows.misses;
  s.written_back = rows.written_back;
  if (!t.write) {
    s.from_hbm = rows.misses * L2Cache::kSector;
    s.hbm = s.from_hbm + rows.missed_rows * rates_.row_overhead;
  }
  return s;
}

// The rows of a copy, or parts of them, that make up a piece.
Replay::Served Replay::touch_rows(uint32_t index, Pipe& pipe, const Transfer& t, uint64_t time) {
  Served s;
  if (pipe.moved_bytes == 0 && !t.uncached) s = touch_whole_rows(pipe, t);
  uint64_t address =
      t.address + static_cast<uint64_t>(static_cast<int64_t>(pipe.moved_rows) * t.pitch);
  while (s.bytes < kCopiedPiece && pipe.moved_rows < t.rows) {
    const uint64_t from = address + pipe.moved_bytes;
    const uint64_t part = part_of_row(t.row_bytes - pipe.moved_bytes, kCopiedPiece - s.bytes, from);
    if (part == 0) break;
    L2Cache::Touched touched;
    if (t.uncached) {
      touched.misses = static_cast<uint32_t>(L2Cache::sectors(from, part));
    } else {
      touched = l2_->touch(from, part, t.write);
    }
    const uint64_t missed = touched.misses * L2Cache::kSector;
    s.hit_sectors += touched.hits;
    s.missed_sectors += touched.misses;
    s.written_back += touched.written_back;
    if (missed && (!t.write || t.uncached)) {
      s.from_hbm += missed;
      s.hbm += missed + (pipe.moved_bytes == 0 ? rates_.row_overhead : 0);
      if (t.uncached && !t.write) s.hbm += shared_lines(index, from, part, time);
    }
    s.bytes += part;
    pipe.moved_bytes += part;
    if (pipe.moved_bytes < t.row_bytes) break;
    ++pipe.moved_rows, ++s.rows, pipe.moved_bytes = 0;
    address += static_cast<uint64_t>(t.pitch);
  }
  return s;
}

// Returns how long the core's own path takes: whole sectors, each at the rate of where it comes
// from.
uint64_t Replay::own_ticks(const Served& s, const Transfer& t) const {
  const uint64_t hits = s.hit_sectors * L2Cache::kSector;
  const uint64_t missed = s.missed_sectors * L2Cache::kSector;
  uint64_t own = t.write ? ticks(hits + missed) / rates_.gm_write
                         : ticks(missed) / rates_.gm_read + ticks(hits) / rates_.l2_read;
  if (t.most_rate) {
    const uint64_t converted = ticks(s.bytes) / t.most_rate;
    own = t.write ? converted : std::max(own, converted);
  }
  return t.rows > 1 ? std::max(own, s.rows * t.row_eighths * (kTick / 8)) : own;
}

void Replay::count(const Served& s, const Transfer& t, Traffic& traffic) {
  (t.write ? traffic.l2_write_hits : traffic.l2_read_hits) += s.hit_sectors;
  (t.write ? traffic.l2_write_misses : traffic.l2_read_misses) += s.missed_sectors;
  (t.write ? traffic.hbm_write : traffic.hbm_read) += s.from_hbm;
  traffic.hbm_write += s.written_back;
}

// One piece of a copy has its turn at `time`; returns when the core may ask for the next one.
uint64_t Replay::serve(uint32_t index, Pipe& pipe, const Transfer& t, uint64_t time) {
  const Served s = touch_rows(index, pipe, t, time);
  count(s, t, times(index).traffic);
  pipe.latency = std::max<uint64_t>(pipe.latency, t.write            ? rates_.write_latency
                                                  : s.missed_sectors ? rates_.miss_latency
                                                                     : rates_.hit_latency);
  uint64_t end = time + own_ticks(s, t);
  const uint64_t hbm = s.hbm + s.written_back;
  if (hbm) end = std::max(end, hbm_free_ = std::max(hbm_free_, time) + ticks(hbm) / rates_.hbm);
  if (!t.uncached) {
    const uint64_t bytes = (s.hit_sectors + s.missed_sectors) * L2Cache::kSector;
    l2_free_ = std::max(l2_free_, time) + ticks(bytes) / rates_.l2;
    end = std::max(end, l2_free_);
  }
  return end;
}

void Replay::move_piece(const Piece& piece) {
  Pipe& pipe = cores_[piece.core].pipes[piece.pipe];
  const Transfer& t = recording_->transfers[pipe.transfer.event->value];
  const uint64_t end = serve(piece.core, pipe, t, piece.time);
  if (pipe.moved_rows < t.rows) {
    pieces_.push({end, piece.core, piece.pipe});
  } else {
    finish_transfer(piece.core, piece.pipe, end);
  }
}

// The pipe is free for the next copy when the last byte was asked for; the data arrive later.
void Replay::finish_transfer(uint32_t index, uint8_t p, uint64_t time) {
  Pipe& pipe = cores_[index].pipes[p];
  const RecordedEvent& e = *pipe.transfer.event;
  const Transfer& t = recording_->transfers[e.value];
  pipe.free = std::max(time, pipe.transfer_start + ticks(std::max(e.extra, rates_.copy_issue)));
  const uint64_t end = pipe.free + ticks(pipe.latency);
  pipe.done = std::max(pipe.done, end);
  note(index, p, e, pipe.transfer_start, end, uint64_t{t.rows} * t.row_bytes);
  pipe.moving = false;
  advance(index);
}

}  // namespace opkit::core::timed
