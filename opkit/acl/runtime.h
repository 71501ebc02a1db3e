// Runtime: what a stand-alone program has of the emulated chip: the root that the C API's calls
// start from. They look up what the program hands in, and pass the objects on.
#ifndef OPKIT_ACL_RUNTIME_H_
#define OPKIT_ACL_RUNTIME_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "acl/acl_op_compiler.h"
#include "opkit/acl/aipp.h"
#include "opkit/acl/binary.h"
#include "opkit/acl/callback.h"
#include "opkit/acl/callers.h"
#include "opkit/acl/capture.h"
#include "opkit/acl/context.h"
#include "opkit/acl/data_buffer.h"
#include "opkit/acl/device.h"
#include "opkit/acl/dvpp.h"
#include "opkit/acl/exception.h"
#include "opkit/acl/faults.h"
#include "opkit/acl/graph_update.h"
#include "opkit/acl/model.h"
#include "opkit/acl/model_config.h"
#include "opkit/acl/model_dataset.h"
#include "opkit/acl/mpi.h"
#include "opkit/acl/nn_executor.h"
#include "opkit/acl/nn_object.h"
#include "opkit/acl/nn_op.h"
#include "opkit/acl/op_attr.h"
#include "opkit/acl/op_handle.h"
#include "opkit/acl/pinned_uses.h"
#include "opkit/acl/profile.h"
#include "opkit/acl/retired_memory.h"
#include "opkit/acl/scheduler.h"
#include "opkit/acl/subscription.h"
#include "opkit/acl/virtual_memory.h"
#include "opkit_launch/program.h"

namespace opkit::acl {

// What `opkit cc` says of the program: a table, or one per object that was linked.
struct Program {
  std::vector<opkit_program_v1> tables;
  std::map<std::string, opk_kernel_fn> cube_entries;
  // Holds the mode that the unit-test API has set.
  int32_t kernel_mode = 0;
  uint64_t tiling_key = 0;
};

// REQUIRES: every member is used with `mutex` held, but `callbacks`, `profile`,
// `subscriptions`, `exceptions`, `faults`, scheduler(), and what Device says of itself. Tasks
// run without it, and no call waits for one with it.
class Runtime {
 public:
  // Made on first use and never destroyed: destructors of the program may still call in.
  static Runtime& instance();

  std::recursive_mutex mutex;
  Callbacks callbacks;
  Profile profile;
  Subscriptions subscriptions;
  Exceptions exceptions;
  Faults faults;
  Program program;
  PinnedMemory host_memory;
  PinnedUses pinned_uses;
  RetiredMemory retired;
  VirtualMemory virtual_memory;
  HandleTable<Event> events{"event"};
  Contexts contexts;
  HandleTable<Binary> binaries{"binary"};
  HandleTable<Graph> graphs{"aclmdlRI"};
  Captures captures;
  NnObjects nn;
  NnOps nn_ops;
  HandleTable<aclOpExecutor> executors{"aclOpExecutor"};
  HandleTable<aclDataBuffer> buffers{"aclDataBuffer"};
  HandleTable<aclTensorDesc> tensor_descs{"aclTensorDesc"};
  // Maps the first of several descriptions that were given at once to all of them.
  std::map<const aclTensorDesc*, std::vector<aclTensorDesc*>> desc_rows;
  HandleTable<aclmdlDesc> model_descs{"aclmdlDesc"};
  HandleTable<aclmdlConfigHandle> model_configs{"aclmdlConfigHandle"};
  HandleTable<aclmdlDataset> datasets{"aclmdlDataset"};
  HandleTable<aclmdlAIPP> aipps{"aclmdlAIPP"};
  HandleTable<aclopAttr> op_attrs{"aclopAttr"};
  HandleTable<aclopHandle> op_handles{"aclopHandle"};
  HandleTable<acldvppChannelDesc> channels{"acldvppChannelDesc"};
  HandleTable<acldvppPicDesc> pictures{"acldvppPicDesc"};
  HandleTable<acldvppBatchPicDesc> batches{"acldvppBatchPicDesc"};
  HandleTable<acldvppRoiConfig> regions{"acldvppRoiConfig"};
  HandleTable<acldvppResizeConfig> resize_configs{"acldvppResizeConfig"};
  HandleTable<acldvppBorderConfig> border_configs{"acldvppBorderConfig"};
  HandleTable<acldvppJpegeConfig> jpeg_configs{"acldvppJpegeConfig"};
  Media media;
  HandleTable<aclprofConfig> prof_configs{"aclprofConfig"};
  HandleTable<aclprofSubscribeConfig> subscribe_configs{"aclprofSubscribeConfig"};
  HandleTable<Stamp> stamps{"stamp"};
  Models models;
  Dumps dumps;
  Callers callers;
  std::map<aclCompileOpt, std::string> compile_options;  // that were set
  std::chrono::seconds event_patience{0};                // of waits of streams; 0: any time
  uint64_t initialized = 0;                              // calls of aclInit that count
  bool nn_initialized = false;                           // by aclnnInit
  bool nn_met = false;                                   // one of them was called at some time
  int32_t next_stream = 1, next_event = 0;  // of those to come; the default stream has 0

  // The program's chip, with the table of what its cores execute. Its texts live as long as the
  // process.
  opk_soc_v1 soc() const;
  // The one device, made on first use: the chip is the program's from then on.
  Device& device();
  // What OPKIT_STREAMS asks for, from the first call on.
  Scheduler& scheduler();
  // For tests that compare schedulers. REQUIRES: the one before has nothing to do.
  void use(std::unique_ptr<Scheduler> scheduler) { scheduler_ = std::move(scheduler); }
  // Tells whether the calling thread has a context.
  bool has_context() const { return contexts.current() != nullptr; }

 private:
  std::unique_ptr<Device> device_;
  std::once_flag scheduled_;
  std::unique_ptr<Scheduler> scheduler_;
};

using Lock = std::lock_guard<std::recursive_mutex>;

// A captured graph whose capture has ended. REQUIRES: the lock is held.
aclError find_graph(Runtime& runtime, aclmdlRI model, Graph*& graph);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_RUNTIME_H_
