#include "opkit/core/replay/loop_body.h"

namespace opkit::core {
namespace {

class BodyDigest {
 public:
  void add(uint64_t value) { state_ = (state_ ^ value) * 0x9e3779b97f4a7c15u + (state_ >> 29); }
  uint64_t take() const { return state_; }

 private:
  uint64_t state_ = 0;
};

}  // namespace

uint64_t LoopBody::digest() const {
  BodyDigest digest;
  digest.add(n);
  digest.add(row);
  for (const LoopStream& s : streams) digest.add(s.at << 8 | s.place << 1 | (s.in_gm ? 1 : 0));
  for (const LoopValue& v : values) digest.add(v.bits);
  for (const LaneStep& s : steps) digest.add(static_cast<uint64_t>(s.op) << 32 | s.a << 16 | s.to);
  return digest.take();
}

}  // namespace opkit::core
