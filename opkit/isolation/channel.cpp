#include "opkit/isolation/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace opkit::isolation {
namespace {

// For the next question of a host that asks one after the other.
constexpr std::chrono::microseconds kSpin{50};

}  // namespace

Channel::Channel(Mailbox& mailbox, int socket)
    : mailbox_(mailbox),
      socket_(socket),
      spin_(kSpin),
      frames_(static_cast<uint32_t>(Ask::kCount), std::numeric_limits<uint64_t>::max()) {}

template <typename Ready>
bool Channel::wait(std::atomic<uint32_t>& sleeps, Ready ready) {
  const auto began = std::chrono::steady_clock::now();
  const bool together = meet(mailbox_.worker_at, mailbox_.host_at);
  bool there = together ? ready() : spin_.until(ready);
  while (!there) {
    sleeps.store(1);
    if (ready()) break;
    char bells[64];
    const ssize_t got = ::recv(socket_, bells, sizeof bells, 0);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    there = ready();
  }
  spin_.learn(std::chrono::steady_clock::now() - began);
  return true;
}

std::optional<Request> Channel::next() {
  Lane& lane = mailbox_.to_worker;
  Frame frame;
  while (true) {
    const FrameReader::Found found = frames_.next(frame);
    if (found == FrameReader::Found::kNonsense) return std::nullopt;
    if (found == FrameReader::Found::kFrame)
      return Request{static_cast<Ask>(frame.kind), std::move(frame.body)};
    if (!wait(lane.reader_sleeps, [&lane] { return lane.filled.load() != 0; })) return std::nullopt;
    if (take(lane, frames_.parts(), socket_) == Taken::kNonsense) return std::nullopt;
  }
}

void Channel::answer(Reply reply, std::string_view body) {
  Lane& lane = mailbox_.to_host;
  out_.clear();
  append_frame(out_, static_cast<uint32_t>(reply), body);
  std::string_view left = out_;
  while (!left.empty()) {
    if (put(lane, left, socket_)) continue;
    if (!wait(lane.writer_sleeps, [&lane] { return lane.filled.load() == 0; })) ::_exit(1);
  }
}

}  // namespace opkit::isolation
