// Worker: one host thread's share of the machine: the cores it owns and the blocks that wait.
#ifndef OPKIT_CORE_WORKER_H_
#define OPKIT_CORE_WORKER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "opkit/core/modes/reorder.h"
#include "opkit/core/state/core.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {

class Worker {
 public:
  // Makes the worker that has this number, counted from 0, among the machine's.
  Worker(const opk_soc_v1& soc, unsigned number) : soc_(soc), number_(number) {}

  // Makes the cores of one block, so that a thread that comes late allocates nothing. REQUIRES:
  // this worker does not run.
  void provide(const Launch& launch);

  // Runs blocks until all are taken, then what waits; returns when its own blocks have ended.
  void run(Launch& launch);
  // Runs the launch on this thread alone; which core starts or goes on next is chance.
  void run_by_chance(Launch& launch, SeededChoice choice);

 private:
  // The cores of one block that run as fibers on this thread.
  struct Group {
    Core* lanes[3] = {};
    int count = 0;

    void remove(int i) {
      for (--count; i < count; ++i) lanes[i] = lanes[i + 1];
    }
  };
  // Locates a core that can go on: its group's index in waiting_, and its own in the group.
  using Place = std::pair<size_t, int>;

  uint32_t next_block(Launch& launch);
  Group begin(Launch& launch, uint32_t block);
  void add(Launch& launch, Group& group, opk_core_kind kind, uint32_t block, int lane,
           opk_kernel_fn entry);
  void provide(opk_core_kind kind, size_t idle);

  // What a core's fiber executes.
  static void run_kernel(void* core);
  // Begins the next block on a core that has returned, so that blocks of one core that wait for
  // nobody follow each other without a change of stacks. False leaves the core's end to end().
  bool goes_on(Core& core);

  // Resumes every core of the group that can go on, again and again while one of them moves. True
  // while a core is unfinished.
  bool step(Launch& launch, Group& group);
  // Cores that poll GM look again: once, when all others had their turn.
  void give_turns();
  // Steps every group that waits; true when one moved.
  bool sweep(Launch& launch);
  static bool ready(Launch& launch, const Group& group);
  std::vector<Place> ready_lanes(Launch& launch) const;
  void resume(Launch& launch, Place place);

  void drain(Launch& launch);
  // Ends what waits for a thing that nobody will give.
  void abandon(Launch& launch);
  void end(Launch& launch, Core* core);
  static void leave(Launch& launch, Core& core);

  const opk_soc_v1& soc_;
  const unsigned number_;
  bool in_order_ = true;
  std::vector<std::unique_ptr<Core>> owned_;
  std::vector<Core*> idle_[3];  // is indexed by opk_core_kind
  std::vector<Group> waiting_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_WORKER_H_
