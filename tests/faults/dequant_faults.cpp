// EK1216 and EK1217: CastDequant against what SetDeqScale prepared.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

template <typename T>
struct Narrowing {
  LocalTensor<T> narrow{TPosition::VECOUT, 0, 512};
  LocalTensor<int16_t> wide{TPosition::VECIN, 512, 256};
  LocalTensor<uint64_t> words{TPosition::VECCALC, 1024, 16};
  __aicore__ inline Narrowing() {
    Duplicate(wide, int16_t(100), 256);
    Duplicate(narrow.template ReinterpretCast<int16_t>(), int16_t(0), 256);
  }
  // One scale per element of a block; the sign of the last one is `last`.
  __aicore__ inline void set_words(bool sign, bool last) {
    VdeqInfo info;
    for (int i = 0; i < 16; ++i) {
      info.vdeqScale[i] = 0.5f;
      info.vdeqSignMode[i] = i == 15 ? last : sign;
    }
    SetDeqScale(words, info);
    order<HardEvent::S_V>();
  }
};

// --- EK1216: the sign of the results ------------------------------------------------------------

template <bool kFault>
void unsigned_scale_for_int8(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<int8_t> t;
  SetDeqScale(0.5f, 3, !kFault);
  CastDequant<int8_t, int16_t, false>(t.narrow, t.wide, 128);  // FAULT: unsigned_scale_for_int8
}

template <bool kFault>
void signed_scale_for_uint8(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<uint8_t> t;
  SetDeqScale(2.0f, 0, kFault);
  CastDequant<uint8_t, int16_t, false>(t.narrow, t.wide, 128);  // FAULT: signed_scale_for_uint8
}

template <bool kFault>
void one_scale_of_another_sign(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<int8_t> t;
  t.set_words(true, !kFault);
  CastDequant<int8_t, int16_t>(t.narrow, t.wide, 128);  // FAULT: one_scale_of_another_sign
}

// --- EK1217: one scale or sixteen ---------------------------------------------------------------

template <bool kFault>
void forgets_the_default(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<int8_t> t;
  SetDeqScale(0.5f, 0, true);
  CastDequant<int8_t, int16_t, kFault>(t.narrow, t.wide, 128);  // FAULT: forgets_the_default
}

template <bool kFault>
void takes_one_of_sixteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<int8_t> t;
  t.set_words(true, true);
  CastDequant<int8_t, int16_t, !kFault>(t.narrow, t.wide, 128);  // FAULT: takes_one_of_sixteen
}

template <bool kFault>
void never_sets_a_scale(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Narrowing<uint8_t> t;
  if constexpr (!kFault) t.set_words(false, false);
  CastDequant<uint8_t, int16_t>(t.narrow, t.wide, 128);  // FAULT: never_sets_a_scale
}

}  // namespace

Family dequant_faults() {
  return {
      VECTOR_FAULT("EK1216", unsigned_scale_for_int8, "signMode is false"),
      VECTOR_FAULT("EK1216", signed_scale_for_uint8, "signMode is true"),
      VECTOR_FAULT("EK1216", one_scale_of_another_sign, "signMode of scale 15"),
      VECTOR_FAULT("EK1217", forgets_the_default, "gave no tensor of scales"),
      VECTOR_FAULT("EK1217", takes_one_of_sixteen, "gave a tensor of scales"),
      VECTOR_FAULT("EK1217", never_sets_a_scale, "gave no tensor of scales"),
  };
}

}  // namespace faults
