// Keeps drivers' chatter off standard error: some compilers print "2 errors generated." there from inside a build,
// where this tool promises one line of its own.

#ifndef CLREDUCE_TOOL_HUSH_H
#define CLREDUCE_TOOL_HUSH_H

// Sends standard error nowhere until hush_end, which takes what hush_begin returned. Where that cannot be done, all
// stays as it is.
int hush_begin(void);
void hush_end(int kept);

#endif
