// opkit-worker: the process in which one plugin's code runs. Started by opkit, never by hand.
#include "opkit/isolation/serve.h"

int main(int argc, char** argv) { return opkit::isolation::serve(argc, argv); }
