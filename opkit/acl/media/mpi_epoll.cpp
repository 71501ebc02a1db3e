// Waiting for several channels at once. A channel's descriptor is the system's own, and so is the
// set of them.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/mpi.h"
#include "opkit/acl/media/mpi_call.h"

namespace opkit::acl {
namespace {

constexpr hi_s32 kMostEvents = 4096;

hi_s32 find_epoll(hi_s32 epoll) {
  const Lock lock;
  if (const hi_s32 code = check_ready(HI_ID_SYS)) return code;
  if (media().epolls.contains(epoll)) return HI_SUCCESS;
  return fail(HI_ERR_SYS_UNEXIST,
              "%d is none of hi_mpi_sys_create_epoll, or was closed; create one first", epoll);
}

hi_s32 control(hi_s32 epoll, hi_s32 operation, hi_s32 fd, const hi_dvpp_epoll_event* event) {
  if (const hi_s32 code = find_epoll(epoll)) return code;
  if (operation < HI_DVPP_EPOLL_CTL_ADD || operation > HI_DVPP_EPOLL_CTL_MOD)
    return fail(HI_ERR_SYS_ILLEGAL_PARAM,
                "operation %d; 1 (add), 2 (delete), 3 (modify) are "
                "possible",
                operation);
  if (!event && operation != HI_DVPP_EPOLL_CTL_DEL) return no_pointer(HI_ID_SYS, "event");
  epoll_event wanted = {};
  if (event) {
    wanted.events = event->events;
    wanted.data.ptr = event->data;
  }
  if (::epoll_ctl(epoll, operation, fd, &wanted) == 0) return HI_SUCCESS;
  return fail(HI_ERR_SYS_ILLEGAL_PARAM,
              "descriptor %d, operation %d: %s; take what hi_mpi_vdec_get_fd or hi_mpi_venc_get_fd "
              "gave",
              fd, operation, std::strerror(errno));
}

hi_s32 wait_epoll(hi_s32 epoll, hi_dvpp_epoll_event* events, hi_s32 most, hi_s32 milliseconds,
                  hi_s32& count) {
  if (const hi_s32 code = find_epoll(epoll)) return code;
  if (const hi_s32 code = check_wait(HI_ID_SYS, milliseconds)) return code;
  if (most < 1)
    return fail(HI_ERR_SYS_ILLEGAL_PARAM, "room for %d events; at least 1 is needed", most);
  std::vector<epoll_event> found(static_cast<size_t>(std::min(most, kMostEvents)));
  const int ready = ::epoll_wait(epoll, found.data(), static_cast<int>(found.size()), milliseconds);
  count = std::max(ready, 0);
  for (hi_s32 i = 0; i < count; ++i)
    events[i] = {found[static_cast<size_t>(i)].events, found[static_cast<size_t>(i)].data.ptr};
  return HI_SUCCESS;
}

hi_s32 create_epoll(hi_s32 size, hi_s32& epoll) {
  const Lock lock;
  if (const hi_s32 code = check_ready(HI_ID_SYS)) return code;
  if (size < 1) return fail(HI_ERR_SYS_ILLEGAL_PARAM, "size %d; it is at least 1", size);
  epoll = ::epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0)
    return fail(HI_ERR_SYS_NO_MEM, "the system has no descriptor: %s", std::strerror(errno));
  media().epolls.insert(epoll);
  return HI_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_create_epoll(hi_s32 size, hi_s32* epoll) {
  return told(__func__, epoll ? create_epoll(size, *epoll) : no_pointer(HI_ID_SYS, "epoll_fd"));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_ctl_epoll(hi_s32 epoll, hi_s32 operation, hi_s32 fd,
                                             hi_dvpp_epoll_event* event) {
  return told(__func__, control(epoll, operation, fd, event));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_wait_epoll(hi_s32 epoll, hi_dvpp_epoll_event* events,
                                              hi_s32 most, hi_s32 milliseconds, hi_s32* count) {
  if (!events || !count) return told(__func__, no_pointer(HI_ID_SYS, "events or event_num"));
  return told(__func__, wait_epoll(epoll, events, most, milliseconds, *count));
}
OPKIT_ACL_EXPORT hi_s32 hi_mpi_sys_close_epoll(hi_s32 epoll) {
  if (const hi_s32 code = find_epoll(epoll)) return told(__func__, code);
  const Lock lock;
  media().epolls.erase(epoll);
  ::close(epoll);
  return HI_SUCCESS;
}
