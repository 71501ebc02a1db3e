// Frames: what both ends of a mailbox send, a head and a body each, out of parts as they come.
#ifndef OPKIT_ISOLATION_FRAMES_H_
#define OPKIT_ISOLATION_FRAMES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace opkit::isolation {

// Both ends must have the same; a worker of another build is refused.
inline constexpr uint32_t kProtocol = 2;

struct FrameHead {
  uint32_t protocol = kProtocol;
  uint32_t kind = 0;   // Ask, or Reply
  uint64_t bytes = 0;  // that follow
};

struct Frame {
  uint32_t kind = 0;
  std::string body;
};

void append_frame(std::string& to, uint32_t kind, std::string_view body);

class FrameReader {
 public:
  // Kinds are below `kinds`; a body has at most `most` bytes.
  FrameReader(uint32_t kinds, uint64_t most) : kinds_(kinds), most_(most) {}

  // Parts are appended here as they come, so that memory is taken by bytes that are there, not by
  // what a head says.
  std::string& parts() { return parts_; }
  enum class Found : uint8_t { kNothing, kFrame, kNonsense };
  // Takes the first frame off, when it is whole.
  Found next(Frame& frame);
  bool empty() const { return parts_.empty(); }

 private:
  uint32_t kinds_;
  uint64_t most_;
  std::string parts_;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_FRAMES_H_
