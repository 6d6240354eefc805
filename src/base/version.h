// The library's version as text: for clred_version, and for files that other versions of the library must not read.
#pragma once

#include "clreduce.h"

#define CLR_TEXT_OF(x) #x
#define CLR_VERSION_TEXT(major, minor, patch) CLR_TEXT_OF(major) "." CLR_TEXT_OF(minor) "." CLR_TEXT_OF(patch)
#define CLR_VERSION CLR_VERSION_TEXT(CLRED_VERSION_MAJOR, CLRED_VERSION_MINOR, CLRED_VERSION_PATCH)
