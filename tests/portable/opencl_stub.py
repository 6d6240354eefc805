#!/usr/bin/env python3
"""Prints the C text of an OpenCL loader without any driver: opencl_stub.py INCLUDE/CL/cl.h

Programs for systems without an OpenCL loader are linked with it, so that all names and calling conventions are checked.
Each function fails: functions with a status return CL_PLATFORM_NOT_FOUND_KHR, the others return 0.
"""
import re
import sys

PROTOTYPE = re.compile(r'extern CL_API_ENTRY\s+(.+?)\s+CL_API_CALL\s+(cl\w+)\s*\((.*?)\)\s*;', re.S)

HEAD = '''// Made by opencl_stub.py.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
'''


def body(returns):
    if returns == 'void':
        return ''
    return 'return -1001;' if returns == 'cl_int' else 'return 0;'


def main():
    with open(sys.argv[1]) as header:
        text = re.sub(r'/\*.*?\*/|//[^\n]*', '', header.read(), flags=re.S)
    text = re.sub(r'\bCL_(EXT|API)_PREFIX_\w+', '', text)
    text = re.sub(r'\bCL_(EXT|API)_SUFFIX_\w+', '', text)
    found = PROTOTYPE.findall(text)
    if len(found) < 100:
        sys.exit('only %d functions were found in %s' % (len(found), sys.argv[1]))
    print(HEAD)
    for returns, name, parameters in found:
        print('CL_API_ENTRY %s CL_API_CALL %s(%s) {%s}' % (returns, name, ' '.join(parameters.split()), body(returns)))


if __name__ == '__main__':
    main()
