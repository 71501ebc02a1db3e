// The end of a channel of hi_mpi_*: who waits for it returns, and its memory goes back.
#ifndef OPKIT_ACL_MEDIA_MPI_CLOSE_H_
#define OPKIT_ACL_MEDIA_MPI_CLOSE_H_

#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_call.h"

namespace opkit::acl {

// REQUIRES: the lock is held.
void close_channel(VpcChannel& channel);
void close_channel(Decoder& decoder);
void close_channel(Encoder& encoder);
void close_channel(PngDecoder& decoder);

template <typename Channel>
hi_s32 destroy_media_channel(const char* call, MediaChannels<Channel> Media::*kind, hi_s32 number) {
  return with_channel(call, kind, number, [&](Channel& channel) {
    close_channel(channel);
    (media().*kind).remove(number);
    return HI_SUCCESS;
  });
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_MPI_CLOSE_H_
