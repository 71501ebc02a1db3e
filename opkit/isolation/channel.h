// Channel: the worker's end of the mailbox.
#ifndef OPKIT_ISOLATION_CHANNEL_H_
#define OPKIT_ISOLATION_CHANNEL_H_

#include <optional>
#include <string>
#include <string_view>

#include "opkit/isolation/frames.h"
#include "opkit/isolation/mailbox.h"
#include "opkit/isolation/requests.h"

namespace opkit::isolation {

struct Request {
  Ask ask = Ask::kOpen;
  std::string body;
};

class Channel {
 public:
  // Borrows the mailbox. `socket`: where the host rings, and where its end is seen.
  Channel(Mailbox& mailbox, int socket);
  // Returns nothing when the host is gone, or of another build.
  std::optional<Request> next();
  // Ends the process when nobody is there to be told.
  void answer(Reply reply, std::string_view body);

 private:
  // False: the host is gone.
  template <typename Ready>
  bool wait(std::atomic<uint32_t>& sleeps, Ready ready);

  Mailbox& mailbox_;
  int socket_;
  Spin spin_;
  FrameReader frames_;
  std::string out_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_CHANNEL_H_
