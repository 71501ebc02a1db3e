// Capture of streams.
#include "opkit/acl/base/lock.h"
#include "opkit/acl/device/device.h"
#include "opkit/acl/runtime/submit.h"
#include "opkit/acl/streams/capture.h"
#include "opkit/acl/streams/graph.h"

namespace opkit::acl {
namespace {

bool is_mode(aclmdlRICaptureMode mode) {
  return mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
}

aclError no_mode(aclmdlRICaptureMode mode) {
  return fail(ACL_ERROR_INVALID_PARAM,
              "%d is no mode of capture; ACL_MODEL_RI_CAPTURE_MODE_GLOBAL, _THREAD_LOCAL and "
              "_RELAXED are",
              static_cast<int>(mode));
}

aclError find_stream(aclrtStream stream, Stream*& found) {
  if (!stream)
    return fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                "the default stream cannot be captured; create one by aclrtCreateStream");
  found = the_device().find(stream);
  return found ? aclError{ACL_SUCCESS} : no_stream(stream);
}

aclError not_captured(aclrtStream stream) {
  return fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
              "the stream %p is not captured; call aclmdlRICaptureBegin first", stream);
}

// Checks whether the capture may end by this call.
aclError check_end(const Stream& stream, const Capture& capture) {
  if (!capture.is_origin(stream))
    return fail(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                "the stream was drawn into the capture of another one by an event; end that one's");
  if (capture.mode() == ACL_MODEL_RI_CAPTURE_MODE_RELAXED || capture.of_this_thread())
    return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
              "another thread called aclmdlRICaptureBegin; end the capture there, or begin it with "
              "ACL_MODEL_RI_CAPTURE_MODE_RELAXED");
}

aclError begin(aclrtStream handle, aclmdlRICaptureMode mode) {
  Stream* stream = nullptr;
  if (const aclError code = find_stream(handle, stream)) return code;
  if (const aclError code = check_not_captured(*stream, "aclmdlRICaptureBegin")) return code;
  if (stream->update)
    return fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "the stream updates a group of tasks; call aclmdlRICaptureTaskUpdateEnd first");
  captures().begin(*stream, *graphs().add(std::make_unique<CapturedGraph>()), mode);
  return ACL_SUCCESS;
}

aclError end(aclrtStream handle, aclmdlRI* model) {
  Stream* stream = nullptr;
  if (const aclError code = find_stream(handle, stream)) return code;
  const std::shared_ptr<Capture> capture = stream->capture;
  if (!capture) return not_captured(handle);
  if (const aclError code = check_end(*stream, *capture)) return code;
  const aclError wrong = capture->check_end();
  captures().end(*capture);
  CapturedGraph& graph = capture->graph();
  graph.capturing = false;
  if (wrong) {
    graphs().destroy(&graph);
    return wrong;
  }
  *model = &graph;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace opkit::acl

using namespace opkit::acl;

OPKIT_ACL_EXPORT aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  if (!is_mode(mode)) return no_mode(mode);
  const Lock lock;
  return begin(stream, mode);
}

OPKIT_ACL_EXPORT aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  if (!modelRI) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureEnd wants a place");
  const Lock lock;
  return end(stream, modelRI);
}

OPKIT_ACL_EXPORT aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status,
                                                 aclmdlRI* modelRI) {
  if (!status || !modelRI)
    return fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureGetInfo wants two places");
  const Lock lock;
  const Stream* const found = the_device().find(stream);
  if (!found) return no_stream(stream);
  *status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  *modelRI = nullptr;
  if (!found->capture) return ACL_SUCCESS;
  *status = found->capture->spoiled() ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                                      : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE;
  *modelRI = &found->capture->graph();
  return ACL_SUCCESS;
}

OPKIT_ACL_EXPORT aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  if (!mode)
    return fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureThreadExchangeMode wants a place");
  if (!is_mode(*mode)) return no_mode(*mode);
  *mode = Captures::exchange_mode(*mode);
  return ACL_SUCCESS;
}

// A group of tasks is open on one stream of a capture.
OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  const Lock lock;
  Stream* found = nullptr;
  if (const aclError code = find_stream(stream, found)) return code;
  if (!found->capture) return not_captured(stream);
  if (const aclError code = check_captures(stream, *found)) return code;
  return found->capture->begin_group(*found);
}

OPKIT_ACL_EXPORT aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  if (!handle) return fail(ACL_ERROR_INVALID_PARAM, "aclmdlRICaptureTaskGrpEnd wants a place");
  const Lock lock;
  Stream* found = nullptr;
  if (const aclError code = find_stream(stream, found)) return code;
  if (!found->capture) return not_captured(stream);
  return found->capture->end_group(*found, handle);
}
