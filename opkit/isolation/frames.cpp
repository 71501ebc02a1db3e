#include "opkit/isolation/frames.h"

#include <cstring>
#include <utility>

namespace opkit::isolation {

void append_frame(std::string& to, uint32_t kind, std::string_view body) {
  FrameHead head;
  head.kind = kind;
  head.bytes = body.size();
  to.append(reinterpret_cast<const char*>(&head), sizeof head);
  to.append(body);
}

FrameReader::Found FrameReader::next(Frame& frame) {
  FrameHead head;
  if (parts_.size() < sizeof head) return Found::kNothing;
  std::memcpy(&head, parts_.data(), sizeof head);
  if (head.protocol != kProtocol || head.kind >= kinds_ || head.bytes > most_)
    return Found::kNonsense;
  if (parts_.size() - sizeof head < head.bytes) return Found::kNothing;
  frame.kind = head.kind;
  if (parts_.size() - sizeof head == head.bytes) {
    frame.body = std::move(parts_);
    frame.body.erase(0, sizeof head);
    parts_.clear();
  } else {
    frame.body = parts_.substr(sizeof head, head.bytes);
    parts_.erase(0, sizeof head + head.bytes);
  }
  return Found::kFrame;
}

}  // namespace opkit::isolation
