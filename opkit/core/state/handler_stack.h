// A stack of its own for the signal handlers of a host thread: a kernel may have filled its own.
#ifndef OPKIT_CORE_STATE_HANDLER_STACK_H_
#define OPKIT_CORE_STATE_HANDLER_STACK_H_

namespace opkit::core {

// Gives the calling thread one, once, until the thread ends; keeps one that somebody else has set.
// Without memory for it the thread goes on without.
void have_handler_stack();

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_HANDLER_STACK_H_
