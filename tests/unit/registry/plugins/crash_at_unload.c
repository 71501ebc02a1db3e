/* A static destructor that dies. */
#include <stdlib.h>

__attribute__((destructor)) static void stop(void) { abort(); }
