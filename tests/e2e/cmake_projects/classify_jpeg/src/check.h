#ifndef CHECK_H
#define CHECK_H
#include <cstdio>
#include <cstdlib>

#include "acl/acl.h"
#include "acl/ops/acl_dvpp.h"

inline void Check(aclError code, const char* what) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed: %d %s\n", what, code, text ? text : "");
  std::exit(1);
}
#endif
