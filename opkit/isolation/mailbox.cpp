#include "opkit/isolation/mailbox.h"

#include <sched.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace opkit::isolation {
namespace {

void wake(std::atomic<uint32_t>& sleeps, int socket) {
  if (sleeps.exchange(0) == 0) return;
  const char bell = 0;
  // A full socket rings already; a closed one is found by whoever waits at it.
  static_cast<void>(::send(socket, &bell, 1, MSG_DONTWAIT | MSG_NOSIGNAL));
}

bool many_processors() {
  cpu_set_t mine;
  return ::sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 1;
}

}  // namespace

bool put(Lane& lane, std::string_view& left, int socket) {
  if (lane.filled.load() != 0) return false;
  const size_t bytes = std::min<size_t>(left.size(), Lane::kRoom);
  std::memcpy(lane.part, left.data(), bytes);
  left.remove_prefix(bytes);
  lane.filled.store(static_cast<uint32_t>(bytes));
  wake(lane.reader_sleeps, socket);
  return true;
}

Taken take(Lane& lane, std::string& into, int socket) {
  const uint32_t bytes = lane.filled.load();
  if (bytes == 0) return Taken::kNothing;
  if (bytes > Lane::kRoom) return Taken::kNonsense;
  into.append(reinterpret_cast<const char*>(lane.part), bytes);
  lane.filled.store(0);
  wake(lane.writer_sleeps, socket);
  return Taken::kPart;
}

bool meet(std::atomic<int>& mine, const std::atomic<int>& other) {
  const int here = ::sched_getcpu();
  if (mine.load(std::memory_order_relaxed) != here) mine.store(here, std::memory_order_relaxed);
  return here >= 0 && other.load(std::memory_order_relaxed) == here;
}

Spin::Spin(std::chrono::microseconds most)
    : most_(most), many_(many_processors()), worthwhile_(many_) {}

}  // namespace opkit::isolation
