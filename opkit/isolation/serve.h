// The worker: answers one host's questions about one plugin until the host is gone.
#ifndef OPKIT_ISOLATION_SERVE_H_
#define OPKIT_ISOLATION_SERVE_H_

namespace opkit::isolation {

// Does what opkit-worker does. Descriptors: 3 the socket, 4 and 5 the arenas of inputs and outputs,
// 6 the incident page. The first argument is the host's process id. Returns the exit code.
int serve(int argc, char** argv);

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SERVE_H_
