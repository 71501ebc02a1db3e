/* A static initialiser that never returns. */
#include <unistd.h>

__attribute__((constructor)) static void start(void) {
  for (;;) pause();
}
