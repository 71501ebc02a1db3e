// L1 and L0C of a cube core, lent to the core that runs a Matmul object while functions of the
// author's move a block (MatmulCallBackFunc). They are bytes of their own, so that what a cube core
// keeps in its L1 stays.
#ifndef OPKIT_CORE_STATE_LENT_MEMORY_H_
#define OPKIT_CORE_STATE_LENT_MEMORY_H_

#include <cstdint>

#include "opkit/abi/core.h"
#include "opkit/core/fractals/aligned_row.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

// What the author's functions do in GM, as work of the object; what they do in lent memories is
// nobody's affair.
class LentObserver : public Observer {
 public:
  void watch_for(Observer* inner) { inner_ = inner; }

  bool admit(Core& core, const Footprint& f) override;
  bool recover(Core& core, const Fault& fault) override { return inner_->recover(core, fault); }
  bool forbids_excess() const override { return inner_->forbids_excess(); }
  bool sees_data() const override { return inner_->sees_data(); }
  int64_t cycle(Core& core) override { return inner_->cycle(core); }

 private:
  Observer* inner_ = nullptr;
};

class LentMemory {
 public:
  // Puts them in the place of a core's own, and returns who observes the core from now on.
  // REQUIRES: they are not lent, and nothing is put off.
  Observer* lend(opk_core& core, Observer* observer);
  // Puts the core's own ones back and returns its own observer. REQUIRES: they are lent, and
  // nothing is put off.
  Observer* take_back(opk_core& core);
  bool is_lent() const { return lent_; }
  // Called when a block ends, maybe while they are lent: the core's own memories are put back.
  void forget(opk_core& core);

 private:
  struct Place {
    uint8_t* memory = nullptr;
    uint32_t size = 0;
  };
  void put_back(opk_core& core);

  AlignedRow<uint8_t> l1_, l0c_;
  Place own_l1_, own_l0c_;
  Observer* observer_ = nullptr;
  LentObserver watch_;
  bool lent_ = false;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_LENT_MEMORY_H_
