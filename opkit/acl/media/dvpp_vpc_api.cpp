// The calls of the VPC.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/media/dvpp.h"
#include "opkit/acl/media/dvpp_vpc.h"

namespace opkit::acl {
namespace {

constexpr uint32_t kMostRegions = 256;

template <typename Config>
aclError take_config(const HandleTable<Config>& all, const Config* config,
                     std::optional<Config>& taken) {
  const Config* const found = all.find(config);
  if (!found) return all.unknown(config);
  taken = *found;
  return ACL_SUCCESS;
}

// What a call gives beside its pictures. nullptr: the call has no such thing.
struct VpcExtras {
  const acldvppRoiConfig* const* crop = nullptr;
  const acldvppRoiConfig* const* paste = nullptr;
  const acldvppBorderConfig* const* border = nullptr;
  const acldvppResizeConfig* const* resize = nullptr;
  bool keeps_size = false;
};

aclError fill_item(const acldvppPicDesc* from, const acldvppPicDesc* to, const VpcExtras& extras,
                   VpcItem& item) {
  item.keeps_size = extras.keeps_size;
  if (const aclError code = PictureUse::of(from, item.from)) return code;
  if (const aclError code = PictureUse::of(to, item.to)) return code;
  std::optional<acldvppResizeConfig> resize;
  if (extras.crop) {
    if (const aclError code = take_config(dvpp().regions, *extras.crop, item.crop)) return code;
  }
  if (extras.paste) {
    if (const aclError code = take_config(dvpp().regions, *extras.paste, item.paste)) return code;
  }
  if (extras.border) {
    if (const aclError code = take_config(dvpp().border_configs, *extras.border, item.border))
      return code;
  }
  if (extras.resize) {
    if (const aclError code = take_config(dvpp().resize_configs, *extras.resize, resize))
      return code;
  }
  item.interpolation = resize ? resize->interpolation : 0;
  return ACL_SUCCESS;
}

aclError vpc_single(const char* call, const acldvppChannelDesc* channel, const acldvppPicDesc* from,
                    const acldvppPicDesc* to, const VpcExtras& extras, aclrtStream stream) {
  return submit_call(call, stream, [&](Task& task) -> aclError {
    VpcTask vpc{call, std::vector<VpcItem>(1)};
    if (const aclError code = fill_item(from, to, extras, vpc.items[0])) return code;
    return prepare_vpc(channel, std::move(vpc), task);
  });
}

// The pictures of a batch call: regions [0, counts[0]) are of the first input, and so on.
struct VpcBatch {
  const acldvppBatchPicDesc *from, *to;
  const uint32_t* counts;
  uint32_t size;
};

aclError check_batch(const VpcBatch& batch, const acldvppBatchPicDesc& from,
                     const acldvppBatchPicDesc& to) {
  uint64_t regions = 0;
  if (!batch.counts || batch.size == 0 || batch.size > from.pictures.size())
    return fail(ACL_ERROR_INVALID_PARAM,
                "roiNums at %p has %u numbers; the input batch has %zu pictures",
                static_cast<const void*>(batch.counts), batch.size, from.pictures.size());
  for (uint32_t i = 0; i < batch.size; ++i) regions += batch.counts[i];
  if (regions == to.pictures.size() && regions <= kMostRegions) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM,
              "roiNums names %llu areas; the output batch has %zu pictures, one for each area",
              static_cast<unsigned long long>(regions), to.pictures.size());
}

// Returns the extras of area `i`.
VpcExtras at_area(VpcExtras extras, uint32_t i) {
  if (extras.crop) extras.crop += i;
  if (extras.paste) extras.paste += i;
  if (extras.border) extras.border += i;
  return extras;
}

aclError fill_batch(const VpcBatch& batch, const VpcExtras& extras, std::vector<VpcItem>& items) {
  const acldvppBatchPicDesc* const from = dvpp().batches.find(batch.from);
  const acldvppBatchPicDesc* const to = dvpp().batches.find(batch.to);
  if (!from || !to) return dvpp().batches.unknown(from ? batch.to : batch.from);
  if (const aclError code = check_batch(batch, *from, *to)) return code;
  items.resize(to->pictures.size());
  uint32_t area = 0;
  for (uint32_t i = 0; i < batch.size; ++i) {
    for (uint32_t j = 0; j < batch.counts[i]; ++j, ++area) {
      if (const aclError code =
              fill_item(from->pictures[i], to->pictures[area], at_area(extras, area), items[area]))
        return code;
    }
  }
  return ACL_SUCCESS;
}

aclError no_areas() {
  return fail(ACL_ERROR_INVALID_PARAM, "an array of areas or borders is a null pointer");
}

aclError vpc_batch(const char* call, const acldvppChannelDesc* channel, const VpcBatch& batch,
                   const VpcExtras& extras, bool whole, aclrtStream stream) {
  return submit_call(call, stream, [&](Task& task) -> aclError {
    if (!whole) return no_areas();
    VpcTask vpc{call, {}};
    if (const aclError code = fill_batch(batch, extras, vpc.items)) return code;
    return prepare_vpc(channel, std::move(vpc), task);
  });
}

aclError check_converts(const char* call) {
  const Lock lock;
  if (rules_of().converts) return ACL_SUCCESS;
  return fail(ACL_ERROR_API_NOT_SUPPORT, "%s: this chip does not do it", call);
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError acldvppVpcResizeAsync(acldvppChannelDesc* channel, acldvppPicDesc* from,
                                                acldvppPicDesc* to, acldvppResizeConfig* resize,
                                                aclrtStream stream) {
  const acldvppResizeConfig* const config = resize;
  VpcExtras extras;
  extras.resize = &config;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcCropAsync(acldvppChannelDesc* channel, acldvppPicDesc* from,
                                              acldvppPicDesc* to, acldvppRoiConfig* crop,
                                              aclrtStream stream) {
  VpcExtras extras;
  extras.crop = &crop;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcCropResizeAsync(acldvppChannelDesc* channel,
                                                    acldvppPicDesc* from, acldvppPicDesc* to,
                                                    acldvppRoiConfig* crop,
                                                    acldvppResizeConfig* resize,
                                                    aclrtStream stream) {
  VpcExtras extras;
  extras.crop = &crop;
  extras.resize = &resize;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcCropAndPasteAsync(acldvppChannelDesc* channel,
                                                      acldvppPicDesc* from, acldvppPicDesc* to,
                                                      acldvppRoiConfig* crop,
                                                      acldvppRoiConfig* paste, aclrtStream stream) {
  VpcExtras extras;
  extras.crop = &crop;
  extras.paste = &paste;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcCropResizePasteAsync(
    acldvppChannelDesc* channel, acldvppPicDesc* from, acldvppPicDesc* to, acldvppRoiConfig* crop,
    acldvppRoiConfig* paste, acldvppResizeConfig* resize, aclrtStream stream) {
  VpcExtras extras;
  extras.crop = &crop;
  extras.paste = &paste;
  extras.resize = &resize;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcBatchCropAsync(acldvppChannelDesc* channel,
                                                   acldvppBatchPicDesc* from, uint32_t* counts,
                                                   uint32_t size, acldvppBatchPicDesc* to,
                                                   acldvppRoiConfig* crops[], aclrtStream stream) {
  VpcExtras extras;
  extras.crop = crops;
  return vpc_batch(__func__, channel, {from, to, counts, size}, extras, crops, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcBatchCropResizeAsync(
    acldvppChannelDesc* channel, acldvppBatchPicDesc* from, uint32_t* counts, uint32_t size,
    acldvppBatchPicDesc* to, acldvppRoiConfig* crops[], acldvppResizeConfig* resize,
    aclrtStream stream) {
  VpcExtras extras;
  extras.crop = crops;
  extras.resize = &resize;
  return vpc_batch(__func__, channel, {from, to, counts, size}, extras, crops, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcBatchCropAndPasteAsync(
    acldvppChannelDesc* channel, acldvppBatchPicDesc* from, uint32_t* counts, uint32_t size,
    acldvppBatchPicDesc* to, acldvppRoiConfig* crops[], acldvppRoiConfig* pastes[],
    aclrtStream stream) {
  VpcExtras extras;
  extras.crop = crops;
  extras.paste = pastes;
  return vpc_batch(__func__, channel, {from, to, counts, size}, extras, crops && pastes, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcBatchCropResizePasteAsync(
    acldvppChannelDesc* channel, acldvppBatchPicDesc* from, uint32_t* counts, uint32_t size,
    acldvppBatchPicDesc* to, acldvppRoiConfig* crops[], acldvppRoiConfig* pastes[],
    acldvppResizeConfig* resize, aclrtStream stream) {
  VpcExtras extras;
  extras.crop = crops;
  extras.paste = pastes;
  extras.resize = &resize;
  return vpc_batch(__func__, channel, {from, to, counts, size}, extras, crops && pastes, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcBatchCropResizeMakeBorderAsync(
    acldvppChannelDesc* channel, acldvppBatchPicDesc* from, uint32_t* counts, uint32_t size,
    acldvppBatchPicDesc* to, acldvppRoiConfig* crops[], acldvppBorderConfig* borders[],
    acldvppResizeConfig* resize, aclrtStream stream) {
  if (const aclError code = check_converts(__func__)) return code;
  VpcExtras extras;
  extras.crop = crops;
  extras.border = borders;
  extras.resize = &resize;
  return vpc_batch(__func__, channel, {from, to, counts, size}, extras, crops && borders, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcConvertColorAsync(acldvppChannelDesc* channel,
                                                      acldvppPicDesc* from, acldvppPicDesc* to,
                                                      aclrtStream stream) {
  if (const aclError code = check_converts(__func__)) return code;
  VpcExtras extras;
  extras.keeps_size = true;
  return vpc_single(__func__, channel, from, to, extras, stream);
}

OPKIT_ACL_EXPORT aclError acldvppVpcMakeBorderAsync(const acldvppChannelDesc* channel,
                                                    const acldvppPicDesc* from, acldvppPicDesc* to,
                                                    const acldvppBorderConfig* border,
                                                    aclrtStream stream) {
  if (const aclError code = check_converts(__func__)) return code;
  VpcExtras extras;
  extras.border = &border;
  extras.keeps_size = true;
  return vpc_single(__func__, channel, from, to, extras, stream);
}
