// EK1303, EK1304: two pipes, or two instructions of one pipe, without order.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1303: two pipes --------------------------------------------------------------------------

template <bool kFault>
void load_then_add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kTile);  // FAULT: load_then_add
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
}

template <bool kFault>
void add_then_store(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kTile);
  if constexpr (!kFault) order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: add_then_store
}

// The first tile is right; the second load may overwrite what the first Add still reads.
template <bool kFault>
void next_load_overtakes(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    if (!kFault && i > 0) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.x, t.gx[i * kTile], kTile);  // FAULT: next_load_overtakes
    order<HardEvent::MTE2_V>();
    if (i > 0) WaitFlag<HardEvent::MTE3_V>(0);
    Add(t.z, t.x, t.x, kTile);
    if (!kFault && i + 1 < kTiles) SetFlag<HardEvent::V_MTE2>(0);
    order<HardEvent::V_MTE3>();
    DataCopy(t.gz[i * kTile], t.z, kTile);
    if (i + 1 < kTiles) SetFlag<HardEvent::MTE3_V>(0);
  }
}

template <bool kFault>
void wrong_event_id_pair(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  DataCopy(t.y, t.gy, kTile);
  SetFlag<HardEvent::MTE2_V>(1);
  WaitFlag<HardEvent::MTE2_V>(0);
  if constexpr (!kFault) WaitFlag<HardEvent::MTE2_V>(1);
  Add(t.z, t.x, t.y, kTile);  // FAULT: wrong_event_id_pair
  if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
}

// A workspace that one core writes and reads back needs MTE3 -> MTE2.
template <bool kFault>
void reads_workspace_back(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw, t.z, kTile);
  if constexpr (!kFault) order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw, kTile);  // FAULT: reads_workspace_back
}

// --- EK1304: one pipe ---------------------------------------------------------------------------

template <bool kFault>
void overlapping_loads(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_MTE2>();
  DataCopy(t.x, t.gy, kTile / 2);  // FAULT: overlapping_loads
}

template <bool kFault>
void overlapping_stores(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_MTE3>();
  DataCopy(t.gz[kTile - 8], t.z, kTile);  // FAULT: overlapping_stores
}

template <bool kFault>
void vector_chain(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, kTile);
  if constexpr (!kFault) PipeBarrier<PIPE_V>();
  Add(t.z, t.x, t.x, kTile);  // FAULT: vector_chain
}

// --- the cube core: the compiler orders nothing -----------------------------------------------

struct Matrices {
  LocalTensor<half> l1{TPosition::A1, 0, 4096}, a{TPosition::A2, 0, 256}, b{TPosition::B2, 0, 256};
  LocalTensor<float> c{TPosition::CO1, 0, 256};
  GlobalTensor<half> gx;
  GlobalTensor<float> gz;
  __aicore__ inline Matrices(GM_ADDR x, GM_ADDR z) {
    gx.SetGlobalBuffer((__gm__ half*)x, kElements * 2);
    gz.SetGlobalBuffer((__gm__ float*)z, kElements);
  }
  __aicore__ inline void load(const LocalTensor<half>& l0) {
    LoadData(l0, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  }
};
const MmadParams kSquare(16, 16, 16, 0, false, true);

template <bool kFault>
void multiplies_before_the_load_is_done(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Matrices m(x, z);
  DataCopy(m.l1, m.gx, 256);
  order<HardEvent::MTE2_MTE1>();
  m.load(m.b);
  if constexpr (kFault) order<HardEvent::MTE1_M>();
  m.load(m.a);
  if constexpr (!kFault) order<HardEvent::MTE1_M>();
  Mmad(m.c, m.a, m.b, kSquare);  // FAULT: multiplies_before_the_load_is_done
}

template <bool kFault>
void stores_before_the_product_is_done(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Matrices m(x, z);
  DataCopy(m.l1, m.gx, 256);
  order<HardEvent::MTE2_MTE1>();
  m.load(m.a);
  m.load(m.b);
  order<HardEvent::MTE1_M>();
  Mmad(m.c, m.a, m.b, kSquare);
  if constexpr (!kFault) order<HardEvent::M_FIX>();
  const FixpipeParamsV220 f(16, 16, 16, 16, false);
  Fixpipe(m.gz, m.c, f);  // FAULT: stores_before_the_product_is_done
}

template <bool kFault>
void refills_l1_too_early(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Matrices m(x, z);
  for (uint32_t i = 0; i < 3; ++i) {
    if (!kFault && i > 0) WaitFlag<HardEvent::MTE1_MTE2>(0);
    DataCopy(m.l1, m.gx[i * 256], 256);  // FAULT: refills_l1_too_early
    order<HardEvent::MTE2_MTE1>();
    m.load(m.a);
    if (!kFault && i < 2) SetFlag<HardEvent::MTE1_MTE2>(0);
  }
}

template <bool kFault>
void loads_one_piece_of_l1_twice(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  Matrices m(x, z);
  DataCopy(m.l1, m.gx, 256);
  DataCopy(m.l1[kFault ? 128 : 256], m.gx[256], 256);  // FAULT: loads_one_piece_of_l1_twice
}

// The scalar that is read waits for its own copy, not for the next one.
template <bool kFault>
void scalar_waits_for_another_load(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  const float first = t.x.GetValue(0);
  DataCopy(t.y, t.gy, kTile);
  if constexpr (!kFault) order<HardEvent::MTE2_V>();
  Adds(t.z, t.y, first, kTile);  // FAULT: scalar_waits_for_another_load
  t.store(kTile);
}

// Issues both copies before the scalar is read.
template <bool kFault>
void scalar_waits_for_the_first_of_two(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  DataCopy(t.y, t.gy, kTile);
  const float first = t.x.GetValue(0);
  if constexpr (!kFault) order<HardEvent::MTE2_V>();
  Adds(t.z, t.y, first, kTile);  // FAULT: scalar_waits_for_the_first_of_two
  t.store(kTile);
}

// Only when the source has to order everything itself.
template <bool kFault>
void scalar_follows_a_load(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) order<HardEvent::MTE2_S>();
  const float first = t.x.GetValue(0);  // FAULT: scalar_follows_a_load
  t.gz.SetValue(0, first);
}

TEST(RaceFaults, BothPartiesAndTheRoundAreNamed) {
  const auto report = check<next_load_overtakes<true>>();
  ASSERT_EQ(report.findings.size(), 1u) << all_text(report);
  const auto& finding = report.findings[0];
  EXPECT_EQ(finding.at.instruction, "DataCopy on MTE2");
  EXPECT_EQ(finding.at.occurrence, 2u);
  EXPECT_EQ(finding.other.instruction, "Add on V");
  EXPECT_EQ(finding.other.occurrence, 1u);
  EXPECT_EQ(finding.count, kTiles - 1);
  EXPECT_THAT(finding.message, ::testing::HasSubstr("write after read on bytes 0 to 1024 of UB"));
  EXPECT_THAT(finding.action, ::testing::HasSubstr("HardEvent::V_MTE2"));
}

TEST(RaceFaults, TheCompilerOrdersVectorInstructionsByDefault) {
  EXPECT_CLEAN(check<vector_chain<true>>());
}

opkit::core::CheckedOptions strict() {
  opkit::core::CheckedOptions options;
  options.automatic_order = false;
  return options;
}

}  // namespace

Family race_faults() {
  return {
      VECTOR_FAULT("EK1303", load_then_add, "read after write").between_two(),
      VECTOR_FAULT("EK1303", add_then_store, "read after write").between_two(),
      VECTOR_FAULT("EK1303", next_load_overtakes, "write after read").between_two(),
      VECTOR_FAULT("EK1303", wrong_event_id_pair, "of UB").between_two(),
      VECTOR_FAULT("EK1303", reads_workspace_back, "GM tensor 'workspace'").between_two(),
      VECTOR_FAULT("EK1303", scalar_waits_for_another_load, "read after write").between_two(),
      VECTOR_FAULT("EK1303", scalar_waits_for_the_first_of_two, "read after write").between_two(),
      CUBE_FAULT("EK1303", multiplies_before_the_load_is_done, "of L0A").between_two(),
      CUBE_FAULT("EK1303", stores_before_the_product_is_done, "of L0C").between_two(),
      CUBE_FAULT("EK1303", refills_l1_too_early, "write after read").between_two(),
      VECTOR_FAULT("EK1303", scalar_follows_a_load, "read after write")
          .with(strict())
          .between_two(),
      VECTOR_FAULT("EK1304", overlapping_loads, "write after write").between_two(),
      VECTOR_FAULT("EK1304", overlapping_stores, "of GM tensor 'z'").between_two(),
      VECTOR_FAULT("EK1304", vector_chain, "of UB").with(strict()).between_two(),
      CUBE_FAULT("EK1304", loads_one_piece_of_l1_twice, "of L1").between_two(),
  };
}

}  // namespace faults
