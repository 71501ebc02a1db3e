// Both: two observers of one launch. Each sees everything, and has a state of its own in every
// core. An instruction is refused when one of them refuses it; faults are the first one's affair.
#ifndef OPKIT_CORE_MODES_BOTH_H_
#define OPKIT_CORE_MODES_BOTH_H_

#include <unordered_map>
#include <utility>

#include "opkit/core/state/core.h"
#include "opkit/core/state/observer.h"

namespace opkit::core {

class Both : public Observer {
 public:
  // The observers must outlive this one.
  Both(Observer& first, Observer& second) : all_{&first, &second} {}

  bool sees_data() const override { return all_[0]->sees_data() || all_[1]->sees_data(); }
  void launch_begins(const LaunchRequest& request) override {
    for (Observer* o : all_) o->launch_begins(request);
  }
  void core_begins(Core& core) override {
    states_[&core] = {};
    tell(core, [&](Observer& o) { o.core_begins(core); });
  }
  bool admit(Core& core, const Footprint& f) override {
    bool admitted = true;
    tell(core, [&](Observer& o) { admitted &= o.admit(core, f); });
    return admitted;
  }
  bool defers(Core& core, const opk_vector_v1& v) override {
    bool deferred = false;
    tell(core, [&](Observer& o) { deferred |= o.defers(core, v); });
    return deferred;
  }
  bool recover(Core& core, const Fault& fault) override {
    const Seat seat(*this, core, 0);
    return all_[0]->recover(core, fault);
  }
  bool forbids_excess() const override {
    return all_[0]->forbids_excess() || all_[1]->forbids_excess();
  }
  void flag(Core& core, opk_sync_op op, opk_pipe src, opk_pipe dst, int32_t id,
            const void* pc) override {
    tell(core, [&](Observer& o) { o.flag(core, op, src, dst, id, pc); });
  }
  void barrier(Core& core, opk_pipe pipe, const void* pc) override {
    tell(core, [&](Observer& o) { o.barrier(core, pipe, pc); });
  }
  void cross_flag(Core& core, opk_sync_op op, uint32_t mode, opk_pipe pipe, uint32_t id,
                  const void* pc) override {
    tell(core, [&](Observer& o) { o.cross_flag(core, op, mode, pipe, id, pc); });
  }
  void sync_all(Core& core, opk_sync_op op, uint32_t bits, const void* pc) override {
    tell(core, [&](Observer& o) { o.sync_all(core, op, bits, pc); });
  }
  void gm_word(Core& core, opk_sync_op op, const int32_t* word, const void* pc) override {
    tell(core, [&](Observer& o) { o.gm_word(core, op, word, pc); });
  }
  void buffer(Core& core, const opk_buffer_v1& event, const void* pc) override {
    tell(core, [&](Observer& o) { o.buffer(core, event, pc); });
  }
  void library_call(Core& core) override {
    tell(core, [&](Observer& o) { o.library_call(core); });
  }
  void cache_cleaned(Core& core, const uint8_t* line) override {
    tell(core, [&](Observer& o) { o.cache_cleaned(core, line); });
  }
  void kernel_returned(Core& core) override {
    tell(core, [&](Observer& o) { o.kernel_returned(core); });
  }
  void core_ends(Core& core) override {
    tell(core, [&](Observer& o) { o.core_ends(core); });
  }
  void launch_ends() override {
    for (Observer* o : all_) o->launch_ends();
    states_.clear();
  }

 private:
  using States = std::pair<void*, void*>;
  // Gives the core, as long as it lives, the state of one of the observers.
  class Seat {
   public:
    Seat(Both& both, Core& core, int which) : core_(core), states_(both.states_[&core]) {
      first_ = which == 0;
      core_.observer_state = first_ ? states_.first : states_.second;
    }
    ~Seat() { (first_ ? states_.first : states_.second) = core_.observer_state; }
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

   private:
    Core& core_;
    States& states_;
    bool first_;
  };
  template <typename Tell>
  void tell(Core& core, Tell&& f) {
    for (int i = 0; i < 2; ++i) {
      const Seat seat(*this, core, i);
      f(*all_[i]);
    }
  }

  Observer* all_[2];
  std::unordered_map<const Core*, States> states_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_BOTH_H_
