// Reorder: a legal schedule other than program order. What cores issue takes effect later than it
// is issued, as late as flags, queues and barriers allow or at moments that a seed picks, so that a
// kernel that relies on an order that nothing enforces gives other bits. Local memories start
// poisoned.
//
// Assumed to be ordered, as the vendor's compiler and hardware order it: instructions of one pipe
// (except plain copies of one MTE without a barrier between), scalar accesses through tensors
// against pending work on the same bytes (vector cores), mask and control registers, UnitFlag.
#ifndef OPKIT_CORE_MODES_REORDER_H_
#define OPKIT_CORE_MODES_REORDER_H_

#include <cstdint>
#include <memory>

#include "opkit/core/state/observer.h"

namespace opkit::core {

// Pseudo-random numbers that are the same on every machine.
class SeededChoice {
 public:
  explicit SeededChoice(uint64_t seed) : state_(seed) {}
  uint64_t next();
  // In [0, n). REQUIRES: n > 0.
  uint64_t below(uint64_t n) { return next() % n; }

 private:
  uint64_t state_;
};

// Passes everything on to another observer, which sees program order.
class Reorder : public Observer {
 public:
  // Seed 1: everything as late as possible. Others: moments and order by chance. inner may be
  // nullptr. REQUIRES: seed != 0; inner does not look at data.
  Reorder(uint64_t seed, Observer* inner);
  ~Reorder() override;

  void launch_begins(const LaunchRequest& request) override;
  void core_begins(Core& core) override;
  bool admit(Core& core, const Footprint& footprint) override;
  bool defers(Core& core, const opk_vector_v1& instruction) override;
  bool recover(Core& core, const Fault& fault) override;
  bool forbids_excess() const override;
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override;
  void barrier(Core& core, opk_pipe pipe, const void* pc) override;
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override;
  void sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) override;
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override;
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override;
  void library_call(Core& core) override;
  void cache_cleaned(Core& core, const uint8_t* line) override;
  int64_t cycle(Core& core) override;
  void kernel_returned(Core& core) override;
  void core_ends(Core& core) override;
  void launch_ends() override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_REORDER_H_
