// The end of a channel of hi_mpi_*: who waits for it returns, and its memory goes back.
#ifndef OPKIT_ACL_MPI_CLOSE_H_
#define OPKIT_ACL_MPI_CLOSE_H_

#include "opkit/acl/mpi_call.h"

namespace opkit::acl {

// REQUIRES: the lock is held.
void close_channel(Runtime& runtime, VpcChannel& channel);
void close_channel(Runtime& runtime, Decoder& decoder);
void close_channel(Runtime& runtime, Encoder& encoder);
void close_channel(Runtime& runtime, PngDecoder& decoder);

template <typename Channel>
hi_s32 destroy_media_channel(const char* call, MediaChannels<Channel> Media::*kind, hi_s32 number) {
  Runtime& runtime = Runtime::instance();
  return with_channel(call, kind, number, [&](Channel& channel) {
    close_channel(runtime, channel);
    (runtime.media.*kind).remove(number);
    return HI_SUCCESS;
  });
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MPI_CLOSE_H_
