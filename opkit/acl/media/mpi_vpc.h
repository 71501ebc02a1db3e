// What every call of hi_mpi_vpc_* comes down to: work on pictures, done while the program sends it,
// whose result waits under the number of a task.
#ifndef OPKIT_ACL_MEDIA_MPI_VPC_H_
#define OPKIT_ACL_MEDIA_MPI_VPC_H_

#include <functional>
#include <vector>

#include "opkit/acl/media/dvpp_vpc.h"
#include "opkit/acl/media/mpi_call.h"

namespace opkit::acl {

// One call: who it is from, and where the task's number goes to.
struct VpcCall {
  const char* name;
  hi_vpc_chn channel;
  hi_u32* task_id;
  hi_s32 milliseconds;
};
using VpcWork = std::vector<std::function<void()>>;

// judge(channel, work) says what is to be done, with the lock held; then it is done.
using VpcJudge = std::function<hi_s32(const VpcChannel&, VpcWork&)>;
hi_s32 run_vpc(const VpcCall& call, const VpcJudge& judge);

// The picture's fields; its memory is there and large enough. word: "the input". REQUIRES: the lock
// is held.
hi_s32 take_vpc_picture(const char* word, const hi_vpc_pic_info* picture, PictureFields& fields);

// Adds the work of an item: its crop, paste, border and interpolation. REQUIRES: the same.
hi_s32 add_vpc_item(const VpcChannel& channel, const hi_vpc_pic_info* from,
                    const hi_vpc_pic_info* to, VpcItem item, VpcWork& work);

// The picture as it stands, without any other than the VPC's rules. REQUIRES: the same.
hi_s32 take_whole_picture(const PictureSide& side, const hi_vpc_pic_info* picture,
                          image::Picture& taken);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_MEDIA_MPI_VPC_H_
