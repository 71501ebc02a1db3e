// CUST_KERNEL_LOG_* ("AI CPU API", Dump Log APIs). Warnings and errors stand in the message of a
// Compute that fails; there is no dump, so debug and info are type-checked and dropped.
#ifndef OPKIT_INCLUDE_AICPU_CUST_CPU_UTILS_H_
#define OPKIT_INCLUDE_AICPU_CUST_CPU_UTILS_H_

#include "aicpu/cpu_kernel.h"
#include "opkit_host/report.h"

#define OPKIT_CPU_SAY(ctx, ...) (ctx).opkit_say(::opkit_host::format(__VA_ARGS__))
#define OPKIT_CPU_DROP(ctx, ...)                                   \
  do {                                                             \
    if (false) (ctx).opkit_say(::opkit_host::format(__VA_ARGS__)); \
  } while (0)

#define CUST_KERNEL_LOG_ERROR(ctx, ...) OPKIT_CPU_SAY(ctx, __VA_ARGS__)
#define CUST_KERNEL_LOG_WARNING(ctx, ...) OPKIT_CPU_SAY(ctx, __VA_ARGS__)
#define CUST_KERNEL_LOG_INFO(ctx, ...) OPKIT_CPU_DROP(ctx, __VA_ARGS__)
#define CUST_KERNEL_LOG_DEBUG(ctx, ...) OPKIT_CPU_DROP(ctx, __VA_ARGS__)

#endif  // OPKIT_INCLUDE_AICPU_CUST_CPU_UTILS_H_
