/* A function that says where it stands. */
#line MARKED_LINE
int marked(int x) { return x + MARKED_LINE; }
