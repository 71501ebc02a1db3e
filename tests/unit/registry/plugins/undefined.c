/* Calls a function that no library has. */
void function_that_nobody_has(void);
void call_it(void);

__attribute__((visibility("default"))) void call_it(void) { function_that_nobody_has(); }
