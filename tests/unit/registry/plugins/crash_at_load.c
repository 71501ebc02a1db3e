/* A static initialiser that dies, as a plugin with a broken global object does. */
#include <stdlib.h>

__attribute__((constructor)) static void start(void) { abort(); }
