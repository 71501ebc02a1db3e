// Profiling: a program collects what its streams do, and names ranges and moments of its own.
// (Vendor's pages "aclprofInit", "aclprofCreateConfig", "aclprofCreateStamp", "aclprofMarkEx" and
// their neighbours.)
#ifndef OPKIT_INCLUDE_ACL_ACL_PROF_H_
#define OPKIT_INCLUDE_ACL_ACL_PROF_H_

#include "acl_base.h"
#include "acl_rt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies, in streams and in calls. */
#define ACL_PROF_ACL_API 0x0001ULL
/* Kernels, models and their steps. */
#define ACL_PROF_TASK_TIME 0x0002ULL
#define ACL_PROF_TASK_TIME_L0 0x0800ULL
/* Ranges and marks of the program's own. */
#define ACL_PROF_MSPROFTX 0x0080ULL
/* Taken, and not collected: this host has no such counters. */
#define ACL_PROF_AICORE_METRICS 0x0004ULL
#define ACL_PROF_AICPU 0x0008ULL
#define ACL_PROF_L2CACHE 0x0010ULL
#define ACL_PROF_HCCL_TRACE 0x0020ULL
#define ACL_PROF_TRAINING_TRACE 0x0040ULL
#define ACL_PROF_RUNTIME_API 0x0100ULL
#define ACL_PROF_TASK_MEMORY 0x1000ULL
#define ACL_PROF_OP_ATTR 0x4000ULL

typedef enum {
  ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
  ACL_AICORE_PIPE_UTILIZATION = 1,
  ACL_AICORE_MEMORY_BANDWIDTH = 2,
  ACL_AICORE_L0B_AND_WIDTH = 3,
  ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
  ACL_AICORE_MEMORY_UB = 5,
  ACL_AICORE_L2_CACHE = 6,
  ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
  ACL_AICORE_MEMORY_ACCESS = 8,
  ACL_AICORE_NONE = 0xFF
} aclprofAicoreMetrics;

typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;

/* The folder that gets the trace; it is made when it is not there. length: of the path. */
aclError aclprofInit(const char* profilerResultPath, size_t length);
/* Ends what aclprofStart began, and writes PROF_<number>/msprof.json in the folder. */
aclError aclprofFinalize(void);
/* aicoreEvents: NULL. NULL: the list names a device other than 0, or a type is none. */
aclprofConfig* aclprofCreateConfig(uint32_t* deviceIdList, uint32_t deviceNums,
                                   aclprofAicoreMetrics aicoreMetrics,
                                   const aclprofAicoreEvents* aicoreEvents,
                                   uint64_t dataTypeConfig);
aclError aclprofDestroyConfig(const aclprofConfig* profilerConfig);
aclError aclprofStart(const aclprofConfig* profilerConfig);
/* With the types of aclprofStart. */
aclError aclprofStop(const aclprofConfig* profilerConfig);

/* What follows may be called at any time; it is collected between aclprofStart and aclprofStop. */
void* aclprofCreateStamp(void);
void aclprofDestroyStamp(void* stamp);
/* Copied. The name of the ranges and marks that the stamp makes from then on. */
aclError aclprofSetStampTraceMessage(void* stamp, const char* msg, uint32_t msgLen);
aclError aclprofSetCategoryName(uint32_t category, const char* categoryName);
aclError aclprofSetStampCategory(void* stamp, uint32_t category);
aclError aclprofMark(void* stamp);
/* Ranges of one thread, nested. */
aclError aclprofPush(void* stamp);
aclError aclprofPop(void);
/* Ranges that another thread may end. */
aclError aclprofRangeStart(void* stamp, uint32_t* rangeId);
aclError aclprofRangeStop(uint32_t rangeId);
/* A mark in its place in the stream. */
aclError aclprofMarkEx(const char* msg, size_t msgLen, aclrtStream stream);

/* Subscriptions: after each run of the model a record per operator goes into the program's pipe.
   Not between aclprofInit and aclprofFinalize. (Vendor's pages "aclprofModelSubscribe" and its
   neighbours.) */
/* timeInfoSwitch: 1, or 0 for no records. fd: the address of the pipe's end for writing, which is
   closed when the last record has left. NULL: it is none. */
aclprofSubscribeConfig* aclprofCreateSubscribeConfig(int8_t timeInfoSwitch,
                                                     aclprofAicoreMetrics aicoreMetrics, void* fd);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig* profSubscribeConfig);
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig* profSubscribeConfig);
aclError aclprofModelUnSubscribe(uint32_t modelId);
/* Gives the size of one record: the pipe is read in multiples of it. */
aclError aclprofGetOpDescSize(size_t* opDescSize);
/* opInfo, opInfoLen: what was read. */
aclError aclprofGetOpNum(const void* opInfo, size_t opInfoLen, uint32_t* opNumber);
/* Lengths count the 0 behind a text; a text that has less room is cut. */
aclError aclprofGetOpTypeLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opTypeLen);
aclError aclprofGetOpType(const void* opInfo, size_t opInfoLen, uint32_t index, char* opType,
                          size_t opTypeLen);
aclError aclprofGetOpNameLen(const void* opInfo, size_t opInfoLen, uint32_t index,
                             size_t* opNameLen);
aclError aclprofGetOpName(const void* opInfo, size_t opInfoLen, uint32_t index, char* opName,
                          size_t opNameLen);
/* Nanoseconds; 0: there is no such record. */
uint64_t aclprofGetOpStart(const void* opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpEnd(const void* opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpDuration(const void* opInfo, size_t opInfoLen, uint32_t index);
size_t aclprofGetModelId(const void* opInfo, size_t opInfoLen, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif  // OPKIT_INCLUDE_ACL_ACL_PROF_H_
