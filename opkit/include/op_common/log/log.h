#ifndef OPKIT_INCLUDE_OP_COMMON_LOG_LOG_H_
#define OPKIT_INCLUDE_OP_COMMON_LOG_LOG_H_

#include "opkit_host/log.h"

#endif  // OPKIT_INCLUDE_OP_COMMON_LOG_LOG_H_
