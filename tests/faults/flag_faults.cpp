// EK1306, EK1307, EK1308, EK1310: flags that do not pair, event ids that do not exist.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1306, EK1307, EK1308: pairing ------------------------------------------------------------

template <bool kFault>
void sets_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  DataCopy(t.y, t.gy, kTile);
  if constexpr (!kFault) WaitFlag<HardEvent::MTE2_V>(0);
  SetFlag<HardEvent::MTE2_V>(0);  // FAULT: sets_twice
  WaitFlag<HardEvent::MTE2_V>(0);
}

template <bool kFault>
void sets_twice_in_a_loop(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < 2; ++i) {
    DataCopy(t.x[i * 64], t.gx[i * 64], 64);
    SetFlag<HardEvent::MTE2_V>(kFault ? 3 : i);  // FAULT: sets_twice_in_a_loop
  }
  for (uint32_t i = 0; i < (kFault ? 1 : 2); ++i) WaitFlag<HardEvent::MTE2_V>(kFault ? 3 : i);
  Add(t.z, t.x, t.x, 128);
}

template <bool kFault>
void sets_queue_style_flag_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  TQueSync<PIPE_MTE2, PIPE_V> sync;
  DataCopy(t.x, t.gx, kTile);
  sync.SetFlag(2);
  if constexpr (kFault) sync.SetFlag(2);  // FAULT: sets_queue_style_flag_twice
  sync.WaitFlag(2);
}

template <bool kFault>
void waits_for_nothing(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if constexpr (!kFault) SetFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::V_MTE2>(0);  // FAULT: waits_for_nothing
  DataCopy(t.x, t.gx, kTile);
}

template <bool kFault>
void waits_for_another_id(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  if constexpr (kFault) WaitFlag<HardEvent::MTE2_V>(1);  // FAULT: waits_for_another_id
  WaitFlag<HardEvent::MTE2_V>(0);
}

template <bool kFault>
void waits_for_another_event(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  SetFlag<HardEvent::V_MTE3>(0);
  if constexpr (kFault) WaitFlag<HardEvent::V_MTE2>(0);  // FAULT: waits_for_another_event
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(t.gz, t.z, kTile);
}

template <bool kFault>
void leaves_a_flag_up(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < kTiles; ++i) {
    if (i > 0) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(t.x, t.gx[i * kTile], kTile);
    order<HardEvent::MTE2_V>();
    Add(t.z, t.x, t.x, kTile);
    if (kFault || i + 1 < kTiles) SetFlag<HardEvent::V_MTE2>(0);  // FAULT: leaves_a_flag_up
  }
}

template <bool kFault>
void leaves_prologue_flags_up(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (int32_t id = 0; id < 2; ++id)
    SetFlag<HardEvent::V_MTE2>(id);  // FAULT: leaves_prologue_flags_up
  WaitFlag<HardEvent::V_MTE2>(0);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) WaitFlag<HardEvent::V_MTE2>(1);
}

// Both branches end alike; the report names the end of the one that ran.
template <bool kFault>
void sets_in_either_branch(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if (GetBlockNum() == 1) {
    Duplicate(t.z, 0.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(5);  // FAULT: sets_in_either_branch
  } else {
    Duplicate(t.z, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(5);
  }
  if constexpr (!kFault) {
    WaitFlag<HardEvent::V_MTE3>(5);
    DataCopy(t.gz, t.z, kTile);
  }
}

template <bool kFault>
void sets_in_the_other_branch(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if (GetBlockNum() > 1) {
    Duplicate(t.z, 0.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(5);
  } else {
    Duplicate(t.z, 1.0f, kTile);
    SetFlag<HardEvent::V_MTE3>(5);  // FAULT: sets_in_the_other_branch
  }
  if constexpr (!kFault) {
    WaitFlag<HardEvent::V_MTE3>(5);
    DataCopy(t.gz, t.z, kTile);
  }
}

template <bool kFault>
void forgets_the_wait(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  SetFlag<HardEvent::V_MTE3>(4);  // FAULT: forgets_the_wait
  if constexpr (!kFault) WaitFlag<HardEvent::V_MTE3>(4);
  DataCopy(t.gz, t.z, kTile);
}

// --- EK1310: event ids that do not exist --------------------------------------------------------

template <bool kFault>
void copies_with_event_eight(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(kFault ? 8 : 7);  // FAULT: copies_with_event_eight
  WaitFlag<HardEvent::MTE2_V>(kFault ? 8 : 7);
}

template <bool kFault>
void uses_an_id_that_was_never_given(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  int32_t id = -1;
  if constexpr (!kFault) id = 2;
  DataCopy(t.x, t.gx, kTile);
  SetFlag<HardEvent::MTE2_V>(id);  // FAULT: uses_an_id_that_was_never_given
  WaitFlag<HardEvent::MTE2_V>(id);
}

// The tile's number as the event's id.
template <bool kFault>
void numbers_events_by_tiles(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < (kFault ? 10u : 8u); ++i) {
    DataCopy(t.x[i * 8], t.gx[i * 8], 8);
    SetFlag<HardEvent::MTE2_V>(i);  // FAULT: numbers_events_by_tiles
    WaitFlag<HardEvent::MTE2_V>(i);
    Exp(t.z[i * 8], t.x[i * 8], 8);
  }
}

}  // namespace

Family flag_faults() {
  return {
      VECTOR_FAULT("EK1306", sets_twice, "already up").between_two(),
      VECTOR_FAULT("EK1306", sets_twice_in_a_loop, "MTE2_V>(3)").between_two(),
      VECTOR_FAULT("EK1306", sets_queue_style_flag_twice, "MTE2_V>(2)").between_two(),
      VECTOR_FAULT("EK1307", waits_for_nothing, "was not set before"),
      VECTOR_FAULT("EK1307", waits_for_another_id, "MTE2_V>(1)"),
      VECTOR_FAULT("EK1307", waits_for_another_event, "V_MTE2>(0)"),
      VECTOR_FAULT("EK1308", leaves_a_flag_up, "V_MTE2>(0)"),
      VECTOR_FAULT("EK1308", leaves_prologue_flags_up, "V_MTE2>(1)"),
      VECTOR_FAULT("EK1308", sets_in_either_branch, "V_MTE3>(5)"),
      VECTOR_FAULT("EK1308", sets_in_the_other_branch, "V_MTE3>(5)"),
      VECTOR_FAULT("EK1308", forgets_the_wait, "V_MTE3>(4)").then("EK1303"),
      VECTOR_FAULT("EK1310", copies_with_event_eight, "event id 8"),
      VECTOR_FAULT("EK1310", uses_an_id_that_was_never_given, "event id -1"),
      VECTOR_FAULT("EK1310", numbers_events_by_tiles, "event id 8").then("EK1303"),
  };
}

}  // namespace faults
