#include "opkit/verify/mutants/launch_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "opkit/core/state/core.h"

namespace opkit::verify {
namespace {

bool touches(const core::Access& access) {
  return access.block_bytes > 0 && access.blocks > 0 && access.repeats > 0;
}

bool touches(const core::Footprint& footprint) {
  return std::any_of(footprint.access.begin(), footprint.access.begin() + footprint.access_count,
                     [](const core::Access& access) { return touches(access); });
}

// A word for an event, so that it cannot be mistaken for an instruction's first word.
constexpr uint64_t kFlagEvent = 0xf1a6, kBarrierEvent = 0xba55, kCrossFlagEvent = 0xc105,
                   kSyncAllEvent = 0x5a11, kGmWordEvent = 0x93d0;

}  // namespace

void LaunchRecorder::Hash::add(uint64_t word) {
  for (int byte = 0; byte < 8; ++byte) {
    value ^= (word >> (8 * byte)) & 0xff;
    value *= 1099511628211u;
  }
}

void LaunchRecorder::Hash::add(const uint8_t* bytes, uint64_t count) {
  uint64_t word = 0;
  for (; count >= sizeof word; count -= sizeof word, bytes += sizeof word) {
    std::memcpy(&word, bytes, sizeof word);
    value = (value ^ word) * 0x9e3779b97f4a7c15u;
    value ^= value >> 29;
  }
  for (; count > 0; --count) value = (value ^ *bytes++) * 1099511628211u;
}

LaunchRecorder::LaunchRecorder(std::vector<core::GmRange> gm, std::vector<core::GmRange> outputs)
    : gm_(std::move(gm)), outputs_(std::move(outputs)) {
  for (const core::GmRange& range : outputs_)
    writes_.emplace_back(static_cast<size_t>(range.bytes), uint8_t{0});
}

LaunchRecorder::Trace& LaunchRecorder::of(const core::Core& core) {
  return traces_[{core.block, core.lane}];
}

void LaunchRecorder::core_ends(core::Core& core) { take_results(of(core)); }

// Instructions run one after the other: what one has written is there when the next one comes.
void LaunchRecorder::take_results(Trace& trace) {
  for (const core::Access& access : trace.written) {
    for (uint32_t repeat = 0; repeat < access.repeats; ++repeat) {
      for (uint32_t block = 0; block < access.blocks; ++block)
        trace.results.add(
            access.address + repeat * access.repeat_pitch + block * access.block_pitch,
            access.block_bytes);
    }
  }
  trace.written.clear();
}

void LaunchRecorder::add_event(const core::Core& core, std::initializer_list<uint64_t> words) {
  Trace& trace = of(core);
  take_results(trace);
  for (const uint64_t word : words) {
    trace.instructions.add(word);
    trace.results.add(word);
  }
}

void LaunchRecorder::add_access(const core::Core& core, const core::Access& access, Hash& hash) {
  const uint8_t* base = core.memory[access.memory];
  hash.add(access.memory);
  if (base != nullptr) hash.add(static_cast<uint64_t>(access.address - base));
  for (size_t i = 0; base == nullptr && i < gm_.size(); ++i) {
    const uint8_t* from = gm_[i].base;
    if (access.address < from || access.address >= from + gm_[i].bytes) continue;
    hash.add(i);
    hash.add(static_cast<uint64_t>(access.address - from));
  }
  for (const uint64_t word : {uint64_t{access.block_bytes}, uint64_t{access.blocks},
                              static_cast<uint64_t>(access.block_pitch), uint64_t{access.repeats},
                              static_cast<uint64_t>(access.repeat_pitch), uint64_t{access.write}})
    hash.add(word);
}

bool LaunchRecorder::admit(core::Core& core, const core::Footprint& footprint) {
  if (!touches(footprint)) return true;
  Hash place;
  for (const char letter : std::string_view(footprint.name))
    place.add(static_cast<uint8_t>(letter));
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    if (touches(footprint.access[i])) add_access(core, footprint.access[i], place);
  }
  add_event(core, {place.value, static_cast<uint64_t>(footprint.pipe)});
  Trace& trace = of(core);
  if (footprint.kind == core::InstructionKind::kVector && footprint.instruction != nullptr) {
    const auto& vector = *static_cast<const opk_vector_v1*>(footprint.instruction);
    for (const uint64_t word :
         {uint64_t{vector.op}, uint64_t{vector.form}, uint64_t{vector.mode}, uint64_t{vector.flags},
          uint64_t{vector.count}, uint64_t{vector.repeat}, vector.mask[0], vector.mask[1],
          vector.scalar[0], vector.scalar[1]})
      trace.instructions.add(word);
  }
  for (uint32_t i = 0; i < footprint.access_count; ++i) {
    const core::Access& access = footprint.access[i];
    if (!access.write || !touches(access)) continue;
    trace.written.push_back(access);
    if (access.memory == OPK_MEM_GM) note_write(access);
  }
  return true;
}

void LaunchRecorder::flag(core::Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
                          const void*) {
  add_event(core, {kFlagEvent, static_cast<uint64_t>(op), static_cast<uint64_t>(src),
                   static_cast<uint64_t>(dst), static_cast<uint64_t>(id)});
}

void LaunchRecorder::barrier(core::Core& core, opk_pipe pipe, const void*) {
  add_event(core, {kBarrierEvent, static_cast<uint64_t>(pipe)});
}

void LaunchRecorder::cross_flag(core::Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe,
                                uint32_t id, const void*) {
  add_event(core,
            {kCrossFlagEvent, static_cast<uint64_t>(op), mode, static_cast<uint64_t>(pipe), id});
}

void LaunchRecorder::sync_all(core::Core& core, opk_sync_op op, uint32_t bits, const void*) {
  add_event(core, {kSyncAllEvent, static_cast<uint64_t>(op), bits});
}

void LaunchRecorder::gm_word(core::Core& core, opk_sync_op op, const int32_t*, const void*) {
  add_event(core, {kGmWordEvent, static_cast<uint64_t>(op)});
}

void LaunchRecorder::note_write(const core::Access& access) {
  for (uint32_t repeat = 0; repeat < access.repeats; ++repeat) {
    for (uint32_t block = 0; block < access.blocks; ++block)
      note_run(access.address + repeat * access.repeat_pitch + block * access.block_pitch,
               access.block_bytes);
  }
}

void LaunchRecorder::note_run(const uint8_t* from, uint64_t bytes) {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const uint8_t* base = outputs_[i].base;
    if (from < base || from >= base + outputs_[i].bytes) continue;
    const auto first = static_cast<uint64_t>(from - base);
    const uint64_t end = std::min(first + bytes, outputs_[i].bytes);
    for (uint64_t at = first; at < end; ++at)
      writes_[i][at] = static_cast<uint8_t>(std::min(writes_[i][at] + 1, 2));
  }
}

LaunchRecord LaunchRecorder::record() const {
  LaunchRecord record;
  for (const auto& [core, trace] : traces_) {
    const uint64_t which = core.first * 0x9e3779b97f4a7c15u;
    record.instructions += fmt::format("{:x}", trace.instructions.value ^ which);
    record.results += fmt::format("{:x}", trace.results.value ^ which);
  }
  for (const auto& bytes : writes_) {
    record.unwritten += std::count(bytes.begin(), bytes.end(), uint8_t{0});
    record.repeated += std::count(bytes.begin(), bytes.end(), uint8_t{2});
  }
  return record;
}

}  // namespace opkit::verify
