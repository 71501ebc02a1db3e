#include "opkit/isolation/channel.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

namespace opkit::isolation {
namespace {

// Without sleep, for the next question of a host that asks one after the other.
constexpr std::chrono::microseconds kSpin{30};

}  // namespace

std::optional<Request> Channel::next() const {
  FrameHead head;
  if (!read_whole(&head, sizeof head)) return std::nullopt;
  if (head.protocol != kProtocol || head.kind >= static_cast<uint32_t>(Ask::kCount))
    return std::nullopt;
  Request request;
  request.ask = static_cast<Ask>(head.kind);
  request.body.resize(head.bytes);
  if (!read_whole(request.body.data(), request.body.size())) return std::nullopt;
  return request;
}

void Channel::answer(Reply reply, std::string_view body) const {
  FrameHead head;
  head.kind = static_cast<uint32_t>(reply);
  head.bytes = body.size();
  std::string frame(reinterpret_cast<const char*>(&head), sizeof head);
  frame.append(body);
  write_whole(frame.data(), frame.size());
}

bool Channel::read_whole(void* into, size_t bytes) const {
  using Clock = std::chrono::steady_clock;
  auto* at = static_cast<char*>(into);
  const Clock::time_point spin = Clock::now() + kSpin;
  while (bytes > 0) {
    const int flags = Clock::now() < spin ? MSG_DONTWAIT : 0;
    const ssize_t got = ::recv(fd_, at, bytes, flags);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

void Channel::write_whole(const void* from, size_t bytes) const {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = ::send(fd_, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(1);  // nobody is there to be told
    at += sent;
    bytes -= static_cast<size_t>(sent);
  }
}

}  // namespace opkit::isolation
