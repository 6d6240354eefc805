// Suppresses messages of drivers on standard error. Some compilers print "2 errors generated." there during a build,
// but the tool promises one line.

#ifndef CLREDUCE_TOOL_HUSH_H
#define CLREDUCE_TOOL_HUSH_H

// Redirects standard error until hush_end, which takes the value that hush_begin returned. If redirecting fails,
// nothing changes.
int hush_begin(void);
void hush_end(int kept);

#endif
