// TransDataTo5HD and Transpose: sixteen blocks against sixteen blocks. (Pages of those names.)
#include <cstring>

#include "opkit/core/isa/isa.h"
#include "opkit/core/isa/vector/call.h"

namespace opkit::core {
namespace {

constexpr uint32_t kList = 16;

// What one TransDataTo5HD does: flags bit 0 = dstHighHalf, bit 1 = srcHighHalf; param[0] and [1] =
// repeat strides of destination and source in blocks.
struct Blocks {
  const VectorCall& call;
  void* const* dst;
  void* const* src;
  uint32_t repeats;
  int64_t dst_step, src_step;    // bytes
  int64_t dst_first, src_first;  // bytes added to the first iteration
  uint32_t bytes;                // is the size of an element
};

Blocks blocks_of(const VectorCall& call, void* const* dst, void* const* src) {
  const opk_vector_v1& v = call.v;
  Blocks b{call,
           dst,
           src,
           v.repeat,
           v.param[0] * int64_t{kBlockBytes},
           v.param[1] * int64_t{kBlockBytes},
           0,
           0,
           call.bits(0) / 8};
  // With one repeat the strides move the first iteration too (page "TransDataTo5HD").
  if (v.repeat == 1) {
    b.dst_first = b.dst_step;
    b.src_first = b.src_step;
  }
  return b;
}

bool check_list(const VectorCall& call, void* const* list, int64_t first, int64_t step,
                unsigned side) {
  const uint64_t bytes = static_cast<uint64_t>(step) * (call.v.repeat - 1u) + kBlockBytes;
  for (uint32_t i = 0; i < kList; ++i) {
    opk_operand o = call.operand(side);
    o.address = static_cast<uint8_t*>(list[i]) + first;
    o.memory = OPK_MEM_UB;
    o.bytes = bytes;  // a list holds addresses, not tensors: the memory is the bound
    if (!check_local(call.core, o, bytes, kBlockBytes, {call.name(), role_of(call, side), call.pc}))
      return false;
  }
  return true;
}

bool admit(const Blocks& b) {
  const VectorCall& call = b.call;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  footprint.kind = InstructionKind::kTranspose16;
  for (const bool write : {true, false}) {
    for (uint32_t i = 0; i < kList; ++i) {
      Access& access =
          footprint.make([&] { return run_of(call, write ? 0 : 1, kBlockBytes, write); });
      access.memory = OPK_MEM_UB;
      access.address = static_cast<const uint8_t*>(write ? b.dst[i] : b.src[i]) +
                       (write ? b.dst_first : b.src_first);
      access.repeats = b.repeats;
      access.repeat_pitch = write ? b.dst_step : b.src_step;
      access.partial = write && b.bytes == 1;
    }
  }
  return call.core.observer->admit(call.core, footprint);
}

template <typename T>
void turn(const uint8_t (&in)[kList][kBlockBytes], uint8_t (&out)[kList][kBlockBytes],
          uint32_t dst_half, uint32_t src_half) {
  constexpr uint32_t kPerBlock = kBlockBytes / sizeof(T);
  constexpr uint32_t kRows = sizeof(T) == 4 ? 8 : 16;
  for (uint32_t i = 0; i < kRows; ++i) {
    for (uint32_t j = 0; j < kList; ++j) {
      const uint32_t block = sizeof(T) == 4 ? 2 * i + j / kPerBlock : i;
      const uint32_t lane = sizeof(T) == 4 ? j % kPerBlock : dst_half + j;
      std::memcpy(&out[block][lane * sizeof(T)], &in[j][(src_half + i) * sizeof(T)], sizeof(T));
    }
  }
}

void turn_repeat(const Blocks& b, uint32_t r) {
  alignas(64) uint8_t in[kList][kBlockBytes], out[kList][kBlockBytes];
  const int64_t to = b.dst_first + r * b.dst_step, from = b.src_first + r * b.src_step;
  for (uint32_t i = 0; i < kList; ++i) {
    std::memcpy(in[i], static_cast<uint8_t*>(b.src[i]) + from, kBlockBytes);
    std::memcpy(out[i], static_cast<uint8_t*>(b.dst[i]) + to, kBlockBytes);
  }
  switch (b.bytes) {
    case 1: turn<uint8_t>(in, out, b.call.v.flags & 1 ? 16 : 0, b.call.v.flags & 2 ? 16 : 0); break;
    case 2: turn<uint16_t>(in, out, 0, 0); break;
    default: turn<uint32_t>(in, out, 0, 0); break;
  }
  for (uint32_t i = 0; i < kList; ++i)
    std::memcpy(static_cast<uint8_t*>(b.dst[i]) + to, out[i], kBlockBytes);
}

}  // namespace

void exec_transpose16(Core& core, const void* pc, const opk_vector_v1* v, void* const* dst,
                      void* const* src) {
  const VectorCall call{core, *v, pc};
  if (v->repeat == 0) return;
  const uint32_t bits = call.bits(0);
  if (bits != 8 && bits != 16 && bits != 32) return refuse_dtypes(call);
  if (v->repeat > 255) {
    return refuse(call, "EK1201", "repeatTimes " + std::to_string(v->repeat) + " is above 255",
                  "split the instruction");
  }
  const Blocks blocks = blocks_of(call, dst, src);
  if (!check_list(call, src, blocks.src_first, blocks.src_step, 1)) return;
  if (!check_list(call, dst, blocks.dst_first, blocks.dst_step, 0)) return;
  if (!admit(blocks)) return;
  for (uint32_t r = 0; r < blocks.repeats; ++r) turn_repeat(blocks, r);
}

namespace {

// dst[n][h][w][c] = src[n][c][h][w], or the reverse.
template <typename T>
void move_channels(const VectorCall& call, bool channels_last) {
  const auto* in = reinterpret_cast<const T*>(call.address(1));
  auto* out = reinterpret_cast<T*>(call.address(0));
  const int32_t batch = call.v.param[0], channels = call.v.param[1];
  const int64_t plane = int64_t{call.v.param[2]} * call.v.param[3];
  for (int32_t n = 0; n < batch; ++n) {
    for (int64_t p = 0; p < plane; ++p) {
      for (int32_t c = 0; c < channels; ++c) {
        const int64_t first = (n * channels + c) * plane + p;
        const int64_t last = (n * plane + p) * channels + c;
        channels_last ? out[last] = in[first] : out[first] = in[last];
      }
    }
  }
}

bool admit_matrix(const VectorCall& call, uint64_t bytes) {
  if (!check_extent(call, 1, bytes, kBlockBytes) || !check_extent(call, 0, bytes, kBlockBytes))
    return false;
  if (!call.core.observer) return true;
  Footprint footprint = footprint_of(call);
  footprint.add(run_of(call, 0, bytes, true));
  footprint.add(run_of(call, 1, bytes, false));
  return call.core.observer->admit(call.core, footprint);
}

void transpose_square(const VectorCall& call) {
  constexpr uint64_t kBytes = uint64_t{kList} * kBlockBytes;
  if (call.bits(0) != 16 || call.bits(1) != 16) return refuse_dtypes(call);
  if (!admit_matrix(call, kBytes)) return;
  uint8_t in[kList][kBlockBytes], out[kList][kBlockBytes];
  std::memcpy(in, call.address(1), kBytes);
  turn<uint16_t>(in, out, 0, 0);
  std::memcpy(call.address(0), out, kBytes);
}

}  // namespace

// mode 0: one 16x16 matrix of 16-bit elements; 1: NCHW to NHWC; 2: NHWC to NCHW, with param[0..3] =
// n, c, h, w.
void run_transpose(const VectorCall& call) {
  if (call.v.mode == 0) return transpose_square(call);
  const uint32_t bits = call.bits(0);
  if (call.v.mode > 2 || bits != call.bits(1) || (bits != 8 && bits != 16 && bits != 32))
    return refuse_dtypes(call);
  uint64_t elements = 1;
  for (int i = 0; i < 4; ++i) elements *= static_cast<uint16_t>(call.v.param[i]);
  if (elements == 0 || !admit_matrix(call, elements * bits / 8)) return;
  const bool channels_last = call.v.mode == 1;
  switch (bits) {
    case 8: return move_channels<uint8_t>(call, channels_last);
    case 16: return move_channels<uint16_t>(call, channels_last);
    default: return move_channels<uint32_t>(call, channels_last);
  }
}

}  // namespace opkit::core
