// PictureUse: a picture as the task meets it that reads or writes it.
#ifndef OPKIT_ACL_MEDIA_DVPP_USE_H_
#define OPKIT_ACL_MEDIA_DVPP_USE_H_

#include <memory>
#include <string>

#include <string_view>

#include "opkit/acl/media/dvpp.h"
#include "opkit/acl/media/dvpp_rules.h"
#include "opkit/acl/runtime/submit.h"

namespace opkit::acl {

// Keeps a picture's description as it stood at the call; an input that an earlier task
// is still to write into is read when the task runs. Call members with the lock held, unless
// they say otherwise.
class PictureUse {
 public:
  static aclError of(const acldvppPicDesc* desc, PictureUse& use);

  bool is_awaited() const { return then_.awaited != 0; }
  // The fields that count; error: the description was destroyed before the task ran.
  aclError read_input(PictureFields& fields) const;
  aclError read_output(PictureFields& fields) const;
  // The task is to write into it.
  void await() const;
  // Without the lock: the task has done so. `fields` has sizes, strides and format as they came to
  // be; code: 0 or why nothing did.
  void answer(const PictureFields& fields, aclError code) const;

 private:
  aclError lock(std::shared_ptr<PictureFields>& live) const;

  std::weak_ptr<PictureFields> live_;
  PictureFields then_;
};

// Sizes, strides and format of a picture as it came to be.
PictureFields fields_of(const image::Picture& picture);

// A picture's side in a call, for messages.
struct PictureSide {
  const char* word = "";  // "input"
  bool is_output = false;
  const char* stride_cure = "0 lets the call choose";
};

// The picture that the fields describe, by the rules of the chip's VPC; strides that are 0 become
// the least. REQUIRES: the lock is held.
aclError judge_picture(const PictureFields& fields, const PictureSide& side,
                       image::Picture& picture);
// Checks that the picture's memory is there and large enough. REQUIRES: the same.
aclError judge_memory(const PictureFields& fields, const PictureSide& side,
                      const image::Picture& picture);
// The channel, ready for that mode. REQUIRES: the same.
aclError find_channel(const acldvppChannelDesc* desc, uint32_t mode, acldvppChannelDesc& channel);

// Bytes of a call in device memory; `word` names them. REQUIRES: the same.
aclError check_file(const void* data, uint64_t size, const char* word);
// A file that the call reads in host memory: its address is none of the device's.
aclError check_on_host(const void* data);
inline std::string_view file_of(const void* data, uint64_t size) {
  return {static_cast<const char*>(data), size};
}

// submit() for a call: its name stands in front of what it says.
template <typename Prepare>
aclError submit_call(const char* call, aclrtStream stream, Prepare prepare) {
  const aclError code = submit(stream, prepare);
  return code ? fail(code, "%s: %s", call, take_text().c_str()) : aclError{ACL_SUCCESS};
}

// Returns what a task says that cannot do its work; `call` had nothing to object.
aclError failed_task(const char* call);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_DVPP_USE_H_
