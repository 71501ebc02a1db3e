#include "opkit/core/modes/timed/bank_conflicts.h"

#include <algorithm>

#include "opkit/core/isa/vector/call.h"

namespace opkit::core::timed {
namespace {

struct Blocks {
  std::array<uint8_t, 8> group;
  std::array<uint8_t, 8> bank;
  uint32_t count = 0;
  uint64_t offset = 0;

  // Bank by bank: the chip delays the write by one repeat, and nothing conflicts.
  bool coincide(const Blocks& o) const {
    for (uint32_t i = 0; i < std::min(count, o.count); ++i) {
      if (group[i] != o.group[i] || bank[i] != o.bank[i]) return false;
    }
    return true;
  }
  bool meets(const Blocks& o, bool same_bank) const {
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t k = 0; k < o.count; ++k) {
        if (group[i] == o.group[k] && (!same_bank || bank[i] == o.bank[k])) return true;
      }
    }
    return false;
  }
};

bool is_run(const BankOperand& o) { return o.blocks <= 1; }
int64_t pitch_of(const BankOperand& o) {
  return o.repeats > 1 ? o.repeat_pitch : int64_t{kRepeatBytes};
}

// The 32-byte blocks that a repeat of an operand touches. One whose block stride is 0 is told as
// one block: it is read once per repeat.
Blocks blocks_of(const TimingRates& rates, const BankOperand& o, uint32_t repeat) {
  Blocks blocks;
  blocks.offset = static_cast<uint64_t>(o.offset + repeat * pitch_of(o));
  const uint32_t bytes = is_run(o) ? std::min(o.block_bytes, kRepeatBytes) : 32 * o.blocks;
  blocks.count = std::min(8u, (bytes + 31) / 32);
  for (uint32_t i = 0; i < blocks.count; ++i) {
    const uint64_t at = blocks.offset + i * static_cast<uint64_t>(is_run(o) ? 32 : o.block_pitch);
    blocks.group[i] = static_cast<uint8_t>(at / rates.bank_block % rates.bank_groups);
    blocks.bank[i] = static_cast<uint8_t>(at / rates.bank_span);
  }
  return blocks;
}

// Blocks of one repeat in one bank group are written one after the other.
uint32_t write_write(const Blocks& dst) {
  std::array<uint8_t, 256> load{};
  for (uint32_t i = 0; i < dst.count; ++i) ++load[dst.group[i]];
  return 1000u * std::max<uint32_t>(1, *std::max_element(load.begin(), load.end()));
}

// A source whose repeat stride is 0 is read once for all repeats.
bool is_read_in(const BankOperand& source, uint32_t repeat) {
  return repeat == 0 || pitch_of(source) != 0;
}

uint32_t factor_of(const TimingRates& rates, const BankOperands& o, uint32_t repeat) {
  std::array<Blocks, 2> sources;
  uint32_t count = 0;
  for (uint32_t i = 0; i < o.source_count; ++i) {
    if (is_read_in(o.sources[i], repeat)) sources[count++] = blocks_of(rates, o.sources[i], repeat);
  }
  const Blocks target = blocks_of(rates, o.dst, repeat);
  uint32_t factor = write_write(target);
  if (count == 2 && sources[0].offset != sources[1].offset && sources[0].meets(sources[1], false))
    factor = std::max(factor, rates.read_read_conflict);
  for (uint32_t i = 0; i < count; ++i) {
    if (!sources[i].coincide(target) && sources[i].meets(target, true))
      factor = std::max(factor, rates.read_write_conflict);
  }
  return factor;
}

// Returns how many repeats tell what all do: operands that go on alike meet alike in every one;
// others come round when they have passed all groups.
uint32_t telling_repeats(const TimingRates& rates, const BankOperands& o) {
  uint32_t repeats = std::max(o.dst.repeats, 1u);
  bool alike = true;
  for (uint32_t i = 0; i < o.source_count; ++i) {
    alike = alike && pitch_of(o.sources[i]) == pitch_of(o.dst);
    repeats = std::max(repeats, o.sources[i].repeats);
  }
  return alike ? 1 : std::min(repeats, rates.bank_groups);
}

BankOperand operand_of(const uint8_t* ub, const Access& a) {
  return {static_cast<uint32_t>(a.address - ub),
          a.block_bytes,
          a.blocks,
          a.repeats,
          a.block_pitch,
          a.repeat_pitch};
}

// False: an operand lies elsewhere, or nothing is written.
bool in_ub(const uint8_t* ub, const Footprint& f, BankOperands& operands) {
  bool writes = false;
  for (uint32_t i = 0; i < f.access_count; ++i) {
    const Access& a = f.access[i];
    if (a.memory != OPK_MEM_UB) return false;
    if (a.write && !writes) operands.dst = operand_of(ub, a);
    writes |= a.write;
    if (!a.write && operands.source_count < 2)
      operands.sources[operands.source_count++] = operand_of(ub, a);
  }
  return writes;
}

// Tiles start at multiples of 32 bytes, and often at multiples of large powers of two.
size_t hash_of(const BankOperands& o) {
  uint64_t mixed = o.dst.offset;
  for (const BankOperand& source : o.sources)
    mixed = (mixed * 0x9e3779b97f4a7c15u) ^ source.offset ^ (uint64_t{source.block_bytes} << 32);
  return (mixed + o.dst.block_bytes) * 0x9e3779b97f4a7c15u >> 32;
}

}  // namespace

uint32_t bank_factor(const TimingRates& rates, const BankOperands& o) {
  const uint32_t repeats = telling_repeats(rates, o);
  uint32_t sum = 0;
  for (uint32_t r = 0; r < repeats; ++r) sum += factor_of(rates, o, r);
  return sum / repeats;
}

uint32_t BankConflicts::factor(const TimingRates& rates, const uint8_t* ub, const Footprint& f) {
  BankOperands operands;
  if (!in_ub(ub, f, operands)) return 1000;
  Known& known = known_[hash_of(operands) % kKnown];
  if (known.factor == 0 || !(known.operands == operands))
    known = {operands, bank_factor(rates, operands)};
  return known.factor;
}

}  // namespace opkit::core::timed
