// Capture: streams whose work is kept in a graph in place of being done, from
// aclmdlRICaptureBegin to -End.
#ifndef OPKIT_ACL_STREAMS_CAPTURE_H_
#define OPKIT_ACL_STREAMS_CAPTURE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "opkit/acl/streams/graph.h"
#include "opkit/acl/streams/stream.h"

namespace opkit::acl {

// All members are used with the runtime's lock held.
class Capture : public std::enable_shared_from_this<Capture> {
 public:
  Capture(CapturedGraph& graph, aclmdlRICaptureMode mode) : graph_(graph), mode_(mode) {}

  CapturedGraph& graph() const { return graph_; }
  aclmdlRICaptureMode mode() const { return mode_; }
  bool of_this_thread() const { return thread_ == std::this_thread::get_id(); }
  bool is_origin(const Stream& stream) const { return !streams_.empty() && streams_[0] == &stream; }

  void draw_in(Stream& stream);
  // The stream's next step.
  aclError add(const Stream& stream, Task task);
  aclError add_record(const Stream& stream, Event& event);
  aclError add_wait(const Stream& stream, const Event& event);

  // The capture cannot succeed any more; the text says why.
  void spoil(std::string why);
  bool spoiled() const { return !why_.empty(); }
  aclError tell_spoiled() const;
  // Nothing: the graph is whole.
  aclError check_end() const;
  // Ends the capture of its streams.
  void let_go();

  aclError begin_group(const Stream& stream);
  aclError end_group(const Stream& stream, aclrtTaskGrp* handle);

 private:
  size_t number_of(const Stream& stream) const;
  CapturedStep& push(const Stream& stream, CapturedStepKind kind);
  aclError check_group(const Stream& stream, TaskKind kind) const;

  CapturedGraph& graph_;
  const aclmdlRICaptureMode mode_;
  const std::thread::id thread_ = std::this_thread::get_id();
  std::vector<Stream*> streams_;  // holds the streams by their number in the graph
  std::map<const Stream*, std::unique_ptr<TaskGroup>> groups_;  // that are open
  std::string why_;
};

// Holds the captures that are under way. Used with the runtime's lock held, but for the mode, which
// is a thread's own.
class Captures {
 public:
  bool any() const { return !all_.empty(); }
  void begin(Stream& stream, CapturedGraph& graph, aclmdlRICaptureMode mode);
  void end(Capture& capture);
  static aclmdlRICaptureMode exchange_mode(aclmdlRICaptureMode mode);
  // Checks whether this thread may copy and set memory by itself; if not, captures that forbid it
  // are spoiled.
  aclError check_memory_call(const char* call) const;
  // Error: some stream is captured, and `call` concerns all.
  aclError check_none(const char* call) const;

 private:
  std::vector<std::shared_ptr<Capture>> all_;
};

// 107027: the stream is captured, and `call` cannot be made of it. REQUIRES: the lock is held.
aclError check_not_captured(const Stream& stream, const char* call);
// Refuses work as the default stream and streams whose capture was spoiled do. REQUIRES: the same.
OPKIT_ACL_SHARED aclError check_captures(aclrtStream handle, const Stream& stream);
// 107028: the event is captured. REQUIRES: the same.
aclError check_not_captured(const Event& event, const char* call);
// Returns those that the program has, made on first use and never destroyed. REQUIRES: the lock is
// held.
Captures& captures();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_STREAMS_CAPTURE_H_
