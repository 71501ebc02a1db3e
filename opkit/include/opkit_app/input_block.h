// The inputs of a frame side by side in one block, so that one copy takes all of them to the
// device: many small copies cost more than their bytes.
//
//   opkit_app::InputBlock block({image_bytes, shift_bytes});
//   if (block.allocate() != ACL_SUCCESS) ...         // aclGetRecentErrMsg says why
//   std::memcpy(block.host(1), shift, shift_bytes);
//   block.copy_in(stream);                            // one aclrtMemcpyAsync
//   aclCreateDataBuffer(block.device(1), shift_bytes);
#ifndef OPKIT_INCLUDE_OPKIT_APP_INPUT_BLOCK_H_
#define OPKIT_INCLUDE_OPKIT_APP_INPUT_BLOCK_H_

#include <cstddef>
#include <vector>

#include "acl/acl.h"

namespace opkit_app {

class InputBlock {
 public:
  explicit InputBlock(const std::vector<size_t>& sizes) {
    for (const size_t size : sizes) {
      offsets_.push_back(bytes_);
      bytes_ += (size + kAlignment - 1) / kAlignment * kAlignment;
    }
  }
  ~InputBlock() {
    if (host_) aclrtFreeHost(host_);
    if (device_) aclrtFree(device_);
  }
  InputBlock(const InputBlock&) = delete;
  InputBlock& operator=(const InputBlock&) = delete;

  // Before all else, once.
  aclError allocate() {
    const aclError code = aclrtMallocHost(&host_, bytes_);
    return code == ACL_SUCCESS ? aclrtMalloc(&device_, bytes_, ACL_MEM_MALLOC_HUGE_FIRST) : code;
  }

  // Where the program writes input i, and where the device finds it. REQUIRES: i is one of them.
  void* host(size_t i) const { return static_cast<char*>(host_) + offsets_[i]; }
  void* device(size_t i) const { return static_cast<char*>(device_) + offsets_[i]; }
  size_t bytes() const { return bytes_; }

  // All inputs, as they are when the stream comes to it.
  aclError copy_in(aclrtStream stream) const {
    return aclrtMemcpyAsync(device_, bytes_, host_, bytes_, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }

 private:
  static constexpr size_t kAlignment = 64;  // bytes, of every input

  std::vector<size_t> offsets_;
  size_t bytes_ = 0;
  void *host_ = nullptr, *device_ = nullptr;
};

}  // namespace opkit_app

#endif  // OPKIT_INCLUDE_OPKIT_APP_INPUT_BLOCK_H_
