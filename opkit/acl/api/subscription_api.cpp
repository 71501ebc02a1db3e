// The calls of subscriptions: who wants to hear of a model's steps, and what a record says.
#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "opkit/acl/base/ask.h"
#include "opkit/acl/base/lock.h"
#include "opkit/acl/models/model.h"
#include "opkit/acl/profile/profile.h"
#include "opkit/acl/profile/subscription.h"

namespace opkit::acl {
namespace {

bool can_write(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

// Returns what a record says, as a number; 0: there is no such record, and the text says so.
template <typename Value>
uint64_t number_of(const char* call, const void* data, size_t bytes, uint32_t index, Value value) {
  OpRecord record;
  return read_record(call, data, bytes, index, record) == ACL_SUCCESS ? value(record) : 0;
}

// The room that a text needs, with its end.
template <typename Text>
aclError text_length(const char* call, const void* data, size_t bytes, uint32_t index,
                     size_t* length, Text text) {
  if (!length) return fail(ACL_ERROR_INVALID_PARAM, "%s: no place for the length", call);
  OpRecord record;
  if (const aclError code = read_record(call, data, bytes, index, record)) return code;
  *length = std::strlen(text(record)) + 1;
  return ACL_SUCCESS;
}

// As much of the text as there is room for, with its end.
template <typename Text>
aclError text_of(const char* call, const void* data, size_t bytes, uint32_t index, char* room,
                 size_t length, Text text) {
  if (!room || length == 0)
    return fail(ACL_ERROR_INVALID_PARAM, "%s: no room for the text; ask %sLen for its length", call,
                call);
  OpRecord record;
  if (const aclError code = read_record(call, data, bytes, index, record)) return code;
  const size_t count = std::min(std::strlen(text(record)), length - 1);
  std::memcpy(room, text(record), count);
  room[count] = 0;
  return ACL_SUCCESS;
}

constexpr auto kType = [](const OpRecord& record) { return record.type; };
constexpr auto kName = [](const OpRecord& record) { return record.name; };

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t times,
                                                                      aclprofAicoreMetrics,
                                                                      void* fd) {
  if ((times == 0 || times == 1) && fd && can_write(*static_cast<const int*>(fd)))
    return make(subscribe_configs(),
                aclprofSubscribeConfig{*static_cast<const int*>(fd), times == 1});
  fail(ACL_ERROR_INVALID_PARAM,
       "aclprofCreateSubscribeConfig wants 1 or 0 and the address of a pipe's end for writing; "
       "call pipe(fd) and hand in &fd[1]");
  return nullptr;
}

OPKIT_ACL_EXPORT aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* config) {
  return destroy(subscribe_configs(), config);
}

OPKIT_ACL_EXPORT aclError aclprofModelSubscribe(uint32_t model,
                                                const aclprofSubscribeConfig* config) {
  return ask(subscribe_configs(), config, [&](const auto& found) -> aclError {
    if (!models().find(model)) return no_model(model);
    if (profile().begun())
      return fail(ACL_ERROR_PROF_ALREADY_RUN,
                  "aclprofModelSubscribe between aclprofInit and aclprofFinalize; call "
                  "aclprofFinalize first");
    return subscriptions().add(model, found);
  });
}

OPKIT_ACL_EXPORT aclError aclprofModelUnSubscribe(uint32_t model) {
  const Lock lock;
  return models().find(model) ? subscriptions().remove(model) : no_model(model);
}

OPKIT_ACL_EXPORT aclError aclprofGetOpDescSize(size_t* size) {
  if (!size) return fail(ACL_ERROR_INVALID_PARAM, "aclprofGetOpDescSize: no place for the size");
  *size = sizeof(OpRecord);
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclprofGetOpNum(const void* data, size_t bytes, uint32_t* number) {
  if (!number) return fail(ACL_ERROR_INVALID_PARAM, "aclprofGetOpNum: no place for the number");
  return count_records("aclprofGetOpNum", data, bytes, *number);
}

OPKIT_ACL_EXPORT aclError aclprofGetOpTypeLen(const void* data, size_t bytes, uint32_t index,
                                              size_t* length) {
  return text_length("aclprofGetOpTypeLen", data, bytes, index, length, kType);
}

OPKIT_ACL_EXPORT aclError aclprofGetOpType(const void* data, size_t bytes, uint32_t index,
                                           char* type, size_t length) {
  return text_of("aclprofGetOpType", data, bytes, index, type, length, kType);
}

OPKIT_ACL_EXPORT aclError aclprofGetOpNameLen(const void* data, size_t bytes, uint32_t index,
                                              size_t* length) {
  return text_length("aclprofGetOpNameLen", data, bytes, index, length, kName);
}

OPKIT_ACL_EXPORT aclError aclprofGetOpName(const void* data, size_t bytes, uint32_t index,
                                           char* name, size_t length) {
  return text_of("aclprofGetOpName", data, bytes, index, name, length, kName);
}

OPKIT_ACL_EXPORT uint64_t aclprofGetOpStart(const void* data, size_t bytes, uint32_t index) {
  return number_of("aclprofGetOpStart", data, bytes, index,
                   [](const OpRecord& record) { return record.start; });
}

OPKIT_ACL_EXPORT uint64_t aclprofGetOpEnd(const void* data, size_t bytes, uint32_t index) {
  return number_of("aclprofGetOpEnd", data, bytes, index,
                   [](const OpRecord& record) { return record.end; });
}

OPKIT_ACL_EXPORT uint64_t aclprofGetOpDuration(const void* data, size_t bytes, uint32_t index) {
  return number_of("aclprofGetOpDuration", data, bytes, index,
                   [](const OpRecord& record) { return record.end - record.start; });
}

OPKIT_ACL_EXPORT size_t aclprofGetModelId(const void* data, size_t bytes, uint32_t index) {
  return number_of("aclprofGetModelId", data, bytes, index,
                   [](const OpRecord& record) -> uint64_t { return record.model; });
}
