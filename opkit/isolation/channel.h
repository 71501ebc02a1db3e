// Channel: the worker's end of the socket.
#ifndef OPKIT_ISOLATION_CHANNEL_H_
#define OPKIT_ISOLATION_CHANNEL_H_

#include <optional>
#include <string>
#include <string_view>

#include "opkit/isolation/requests.h"

namespace opkit::isolation {

struct Request {
  Ask ask = Ask::kOpen;
  std::string body;
};

class Channel {
 public:
  explicit Channel(int fd) : fd_(fd) {}
  // Nothing: the host is gone, or of another build.
  std::optional<Request> next() const;
  void answer(Reply reply, std::string_view body) const;

 private:
  bool read_whole(void* into, size_t bytes) const;
  void write_whole(const void* from, size_t bytes) const;

  int fd_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CHANNEL_H_
