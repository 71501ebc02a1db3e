// Static objects of the libraries that programs link live as long as the process. Streams run on
// threads that may still be at work while exit() runs destructors, and what a program leaves behind
// is finished then (streams/program_scheduler.cpp): tables that functions keep in static objects
// would be gone under it.
//
// The compiler registers the destructor of a static object by __cxa_atexit ("Itanium C++ ABI",
// 3.3.6.3). This definition is seen inside the library only, and registers nothing.
extern "C" __attribute__((visibility("hidden"))) int __cxa_atexit(void (*)(void*), void*, void*) {
  return 0;
}
