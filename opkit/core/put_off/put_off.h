// PutOff: what one core has put off in Fast mode, and the only way to it (docs/decisions/0003).
//
// An instruction that does not know how to work on what was put off calls about_to_read and
// about_to_write for the bytes that it touches, or settle(), which makes everything real that
// another instruction, core or the kernel could see. The dispatcher (isa/table.cpp) does that for
// instructions whose operands it cannot tell. Element-wise rows, copies and the cube unit go on
// with what was put off through the rest of this interface.
#ifndef OPKIT_CORE_PUT_OFF_PUT_OFF_H_
#define OPKIT_CORE_PUT_OFF_PUT_OFF_H_

#include <cstdint>

#include "opkit/abi/core.h"
#include "opkit/core/put_off/gm_views.h"
#include "opkit/core/put_off/l0_mirror.h"
#include "opkit/core/put_off/l1_floats.h"
#include "opkit/core/put_off/panel_views.h"
#include "opkit/core/put_off/row_chain.h"

namespace opkit::core {

class PutOff {
 public:
  // `core` must outlive this; its scalar_watch is on while something is put off.
  explicit PutOff(opk_core& core) : core_(core) {}
  PutOff(const PutOff&) = delete;
  PutOff& operator=(const PutOff&) = delete;

  // The core's memories are where they stay.
  void attach();
  // The block has ended, or has not begun: forgets everything.
  void clear();

  // Before an instruction reads these bytes of a memory.
  void about_to_read(uint32_t memory, const void* address, uint64_t bytes);
  // Before it overwrites them; whole: every byte of them.
  void about_to_write(uint32_t memory, const void* address, uint64_t bytes, bool whole);
  // Does what was put off: element-wise instructions, then noted copies.
  void settle() {
    run_chain();
    views_.settle();
    panels_.settle();
    l0b_.leave_gm();
    core_.scalar_watch = core_.observed || l0a_.is_ahead() || l0b_.is_ahead() || keeps_watch_;
  }
  // Makes real what vector instructions put off, and everything that local memories do not show
  // yet.
  void materialize() {
    l0a_.settle();
    l0b_.settle();
    l1_floats_.clear();
    settle();
  }

  // Element-wise instructions.
  // Where the bytes that UB means can be read. They must not be written through the answer.
  const uint8_t* source(const uint8_t* ub, uint64_t bytes) {
    if (chain_.has_strip()) flush_chain();
    return views_.read(ub, bytes);
  }
  // Returns the place of a step that writes these bytes of UB; after the last call of source() for
  // it. The caller sets every field; then compute_next() computes it later.
  RowStep& next_step(uint8_t* dst, uint64_t bytes, bool reads_dst);
  void compute_next(uint64_t n);
  // Returns the next strip; the caller leaves step.a and step.b out.
  RowStrip& next_strip() { return chain_.next_strip(); }
  void compute_next_strip();
  // Tells whether the instruction only goes on with the strip that waits; it is done then.
  bool goes_on(const opk_vector_v1& v) {
    if (!chain_.has_strip() || !panels_.empty() || !chain_.go_on(v, core_)) return false;
    complete_strip();
    return true;
  }
  // Returns the step issued last, when it is over n elements and writes `dst`; otherwise nullptr.
  RowStep* last_step(const uint8_t* dst, uint64_t n) {
    if (chain_.empty() || chain_.has_strip()) return nullptr;
    RowStep& last = chain_.last();
    return chain_.elements() == n && last.dst == dst && last.fold_row == 0 ? &last : nullptr;
  }
  // Called when another vector instruction runs: it finds its sources by source_now(), and says
  // which part of UB it overwrites.
  const uint8_t* source_now(const uint8_t* ub, uint64_t bytes) {
    run_chain();
    return views_.read(ub, bytes);
  }
  void about_to_change(const uint8_t* ub, uint64_t bytes) {
    run_chain();
    views_.make_parts_of(ub, bytes);
  }

  // Copies of one run.
  // A copy from GM that overwrites `filled` bytes of UB. True: it was put off; false: make it.
  bool copy_in_later(uint8_t* ub, const uint8_t* gm, uint64_t bytes, uint64_t filled);
  // A plain copy to GM. True: it was made together with the steps that compute its source; false:
  // nothing is left that touches the destination, so make it from source().
  bool copy_out_together(uint8_t* gm, uint8_t* ub, uint64_t bytes, uint32_t element_bytes);
  // A copy to GM that changes what is there: everything that touches the destination is done.
  void copy_out(uint8_t* gm, uint64_t bytes);
  // A change from rows in GM to panels in L1. True: it was put off; false: make it.
  // REQUIRES: about_to_write() was called for its destination.
  bool change_later(const PanelChange& change);

  // The cube unit reads and fills these itself; tell_ahead() behind every load.
  L0Mirror& l0a() { return l0a_; }
  L0Mirror& l0b() { return l0b_; }
  PanelViews& panels() { return panels_; }
  L1Floats& l1_floats() { return l1_floats_; }
  // From now on scalar accesses are told until the block ends: atomic additions wait for them.
  void keep_watch() { core_.scalar_watch = keeps_watch_ = true; }
  void tell_ahead() {
    if (l0a_.is_ahead() || l0b_.is_ahead()) core_.scalar_watch = 1;
  }

 private:
  void run_chain() {
    if (!chain_.empty()) flush_chain();
  }
  void flush_chain();
  void open_strip(RowStrip& strip);
  void complete_strip();
  void gm_written(const uint8_t* gm, uint64_t bytes);
  void l1_written(const uint8_t* l1, uint64_t bytes, bool whole);
  bool end_in_gm(uint8_t* gm, uint8_t* ub, uint64_t bytes);

  opk_core& core_;
  bool keeps_watch_ = false;
  RowChain chain_;
  GmViews views_;
  PanelViews panels_;
  L1Floats l1_floats_;
  L0Mirror l0a_, l0b_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_PUT_OFF_PUT_OFF_H_
