// EK1316, EK1317: event ids that queues hold, too.
#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256;

// A queue and what goes through it once: load(), then use().
struct Through {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TBuf<TPosition::VECCALC> room;
  GlobalTensor<float> gx;

  __aicore__ inline explicit Through(GM_ADDR x) {
    gx.SetGlobalBuffer((__gm__ float*)x);
    pipe.InitBuffer(in, 1, kTile * 4);
    pipe.InitBuffer(room, kTile * 4);
  }
  __aicore__ inline void load() {
    auto t = in.AllocTensor<float>();
    DataCopy(t, gx, kTile);
    in.EnQue(t);
  }
  __aicore__ inline void use() {
    auto t = in.DeQue<float>();
    Adds(room.Get<float>(), t, 1.0f, kTile);
    in.FreeTensor(t);
  }
};

// --- EK1316: ids of the kernel's own choice ------------------------------------------------------

template <bool kFault>
void sets_the_flag_of_a_queued_tensor(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  const int32_t id = kFault ? 0 : t.pipe.AllocEventID<HardEvent::MTE2_V>();
  t.load();
  SetFlag<HardEvent::MTE2_V>(id);  // FAULT: sets_the_flag_of_a_queued_tensor
  WaitFlag<HardEvent::MTE2_V>(id);
  t.use();
}

template <bool kFault>
void sets_the_flag_of_a_freed_tensor(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  t.load();
  t.use();
  const int32_t id = kFault ? 0 : t.pipe.FetchEventID<HardEvent::V_MTE2>();
  SetFlag<HardEvent::V_MTE2>(id);  // FAULT: sets_the_flag_of_a_freed_tensor
  WaitFlag<HardEvent::V_MTE2>(id);
}

template <bool kFault>
void holds_a_flag_up_while_a_queue_sets_it(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  const int32_t id = kFault ? 0 : t.pipe.AllocEventID<HardEvent::MTE2_V>();
  SetFlag<HardEvent::MTE2_V>(id);  // FAULT: holds_a_flag_up_while_a_queue_sets_it
  t.load();
  t.use();
  WaitFlag<HardEvent::MTE2_V>(id);
}

// --- EK1317: ids that FetchEventID told before the queue took them -------------------------------

template <bool kFault>
void fetches_before_enque(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  int32_t id = t.pipe.FetchEventID<HardEvent::MTE2_V>();
  t.load();
  if constexpr (!kFault) id = t.pipe.FetchEventID<HardEvent::MTE2_V>();
  SetFlag<HardEvent::MTE2_V>(id);  // FAULT: fetches_before_enque
  WaitFlag<HardEvent::MTE2_V>(id);
  t.use();
}

template <bool kFault>
void fetches_before_free(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  int32_t id = t.pipe.FetchEventID(HardEvent::V_MTE2);
  t.load();
  t.use();
  if constexpr (!kFault) id = t.pipe.FetchEventID(HardEvent::V_MTE2);
  SetFlag<HardEvent::V_MTE2>(id);  // FAULT: fetches_before_free
  WaitFlag<HardEvent::V_MTE2>(id);
}

template <bool kFault>
void fetches_before_the_loop(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Through t(x);
  const int32_t id =
      kFault ? t.pipe.FetchEventID<HardEvent::MTE2_V>() : t.pipe.AllocEventID<HardEvent::MTE2_V>();
  for (int round = 0; round < 3; ++round) {
    t.load();
    SetFlag<HardEvent::MTE2_V>(id);  // FAULT: fetches_before_the_loop
    t.use();
    WaitFlag<HardEvent::MTE2_V>(id);
  }
}

}  // namespace

Family event_faults() {
  return {
      VECTOR_FAULT("EK1316", sets_the_flag_of_a_queued_tensor,
                   "SetFlag<HardEvent::MTE2_V>(0) names an id that a queue holds")
          .between_two(),
      VECTOR_FAULT("EK1316", sets_the_flag_of_a_freed_tensor, "HardEvent::V_MTE2").between_two(),
      VECTOR_FAULT("EK1316", holds_a_flag_up_while_a_queue_sets_it, "HardEvent::MTE2_V")
          .between_two(),
      VECTOR_FAULT("EK1317", fetches_before_enque, "FetchEventID").between_two(),
      VECTOR_FAULT("EK1317", fetches_before_free, "FetchEventID").between_two(),
      VECTOR_FAULT("EK1317", fetches_before_the_loop, "FetchEventID").between_two(),
  };
}

}  // namespace faults
