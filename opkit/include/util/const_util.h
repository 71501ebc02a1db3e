#ifndef OPKIT_INCLUDE_UTIL_CONST_UTIL_H_
#define OPKIT_INCLUDE_UTIL_CONST_UTIL_H_

#include "opkit_host/repository_helpers.h"

#endif  // OPKIT_INCLUDE_UTIL_CONST_UTIL_H_
