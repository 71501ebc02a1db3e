// What every call of hi_mpi_* begins and ends with.
#ifndef OPKIT_ACL_MEDIA_MPI_CALL_H_
#define OPKIT_ACL_MEDIA_MPI_CALL_H_

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/mpi.h"

namespace opkit::acl {

// Returns how many channels of the module the chip has. (Vendor's pages "hi_mpi_vpc_create_chn",
// "hi_mpi_pngd_create_chn".) REQUIRES: the lock is held.
hi_s32 most_channels(hi_mod_id module);

// The module's code for one of the rest of the runtime, whose text it keeps.
hi_s32 media_code(hi_mod_id module, aclError code);

// The code, with the call's name in front of the text.
hi_s32 told(const char* call, hi_s32 code);

// 0, or the module's code when hi_mpi_sys_init is still to come. REQUIRES: the lock is held.
hi_s32 check_ready(hi_mod_id module);

// A time-out of milliseconds: -1 and more.
hi_s32 check_wait(hi_mod_id module, hi_s32 milliseconds);

hi_s32 no_pointer(hi_mod_id module, const char* what);

// Bytes of device memory. REQUIRES: the lock is held.
hi_s32 check_media_memory(hi_mod_id module, const char* word, const void* at, uint64_t bytes);

// A file that the call reads in the program's own memory.
hi_s32 check_media_host(hi_mod_id module, const void* data);

// REQUIRES: the lock is held.
template <typename Channel>
hi_s32 find_media_channel(MediaChannels<Channel> Media::*kind, hi_s32 number,
                          std::shared_ptr<Channel>& channel) {
  const MediaChannels<Channel>& all = media().*kind;
  if (const hi_s32 code = check_ready(all.module())) return code;
  return all.find(number, most_channels(all.module()), channel);
}

// use(channel), with the lock held.
template <typename Channel, typename Use>
hi_s32 with_channel(const char* call, MediaChannels<Channel> Media::*kind, hi_s32 number, Use use) {
  const Lock lock;
  std::shared_ptr<Channel> channel;
  const hi_s32 code = find_media_channel(kind, number, channel);
  return told(call, code ? code : use(*channel));
}

// *to = get(channel); what: the answer's name in the call.
template <typename Channel, typename Answer, typename Get>
hi_s32 answer_channel(const char* call, MediaChannels<Channel> Media::*kind, hi_s32 number,
                      Answer* to, const char* what, Get get) {
  if (!to) return told(call, no_pointer((media().*kind).module(), what));
  return with_channel(call, kind, number, [&](const Channel& channel) {
    *to = get(channel);
    return HI_SUCCESS;
  });
}

// Adds a channel of that number. REQUIRES: the lock is held.
template <typename Channel>
hi_s32 add_media_channel(MediaChannels<Channel> Media::*kind, hi_s32 number,
                         std::shared_ptr<Channel> channel) {
  MediaChannels<Channel>& all = media().*kind;
  if (const hi_s32 code = check_ready(all.module())) return code;
  if (const hi_s32 code = all.check_free(number, most_channels(all.module()))) return code;
  all.add(number, std::move(channel));
  return HI_SUCCESS;
}

// Returns what take() of a channel's queue answered, as a code.
template <typename Channel>
hi_s32 code_of(const MediaChannels<Channel>& all, hi_s32 number, Fetched taken) {
  if (taken == Fetched::kClosed) return all.gone(number);
  if (taken == Fetched::kResult) return HI_SUCCESS;
  return fail(all.error(HI_DVPP_BUF_EMPTY), "channel %d has nothing yet; send something, or wait",
              number);
}

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_MPI_CALL_H_
