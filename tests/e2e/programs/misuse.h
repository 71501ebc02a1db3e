// Calls that must fail, counted.
#pragma once
#include <cstring>

#include "host.h"

inline int misuses = 0;

// word: of what the runtime says.
inline void Refused(const char* what, aclError code, aclError expected, const char* word) {
  const char* const said = aclGetRecentErrMsg();
  if (code != expected || !said || !std::strstr(said, word)) {
    std::printf("%s: %d %s\n", what, code, said ? said : "");
    std::exit(4);
  }
  ++misuses;
}

inline void Must(bool holds, const char* what) { Check(holds ? 0 : 1, what); }
