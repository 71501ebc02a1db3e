/* Has what a plugin's library has: exported and imported symbols, needed libraries, versions. */
#include <stdlib.h>

int opkit_fuzz_exported(int a) { return abs(a) + 1; }
