#!/usr/bin/env python3
"""Prints C text made from the prototypes of OpenCL's header: opencl_header.py stub|macros INCLUDE/CL/cl.h

stub    a loader without any driver. Programs for systems without an OpenCL loader are linked with it, so that all names
        and calling conventions are checked. Each function fails: functions with a status return
        CL_PLATFORM_NOT_FOUND_KHR, the others return 0.
macros  for each function NAME: RETURNS_NAME, PARAMETERS_NAME and ARGUMENTS_NAME, as in
        RETURNS_clFinish my_finish PARAMETERS_clFinish { return clFinish ARGUMENTS_clFinish; }
"""
import re
import sys

PROTOTYPE = re.compile(r'extern CL_API_ENTRY\s+(.+?)\s+CL_API_CALL\s+(cl\w+)\s*\((.*?)\)\s*;', re.S)
STUB = '''// Made by opencl_header.py.
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
'''


def prototypes(path):
    """The type, the name and the parameters of each function."""
    with open(path) as header:
        text = re.sub(r'/\*.*?\*/|//[^\n]*', '', header.read(), flags=re.S)
    text = re.sub(r'\bCL_(EXT|API)_(PREFIX|SUFFIX)_\w+', '', text)
    found = [(returns, name, ' '.join(parameters.split())) for returns, name, parameters in PROTOTYPE.findall(text)]
    if len(found) < 100:
        sys.exit('only %d functions were found in %s' % (len(found), path))
    return found


def body(returns):
    if returns == 'void':
        return ''
    return 'return -1001;' if returns == 'cl_int' else 'return 0;'


def arguments(parameters):
    """The names of the parameters. Those of a pointer to a function stand in its own parentheses."""
    plain = re.sub(r'\(CL_CALLBACK ?\* ?(\w+)\) ?\([^)]*\)', r'\1', parameters)
    return ', '.join(re.search(r'(\w+)\W*$', part).group(1) for part in plain.split(',') if part != 'void')


def stub(found):
    print(STUB)
    for returns, name, parameters in found:
        print('CL_API_ENTRY %s CL_API_CALL %s(%s) {%s}' % (returns, name, parameters, body(returns)))


def macros(found):
    print('// Made by opencl_header.py.\n#pragma once')
    for returns, name, parameters in found:
        print(f'#define RETURNS_{name} {returns}\n#define PARAMETERS_{name} ({parameters})\n'
              f'#define ARGUMENTS_{name} ({arguments(parameters)})')


if __name__ == '__main__':
    {'stub': stub, 'macros': macros}[sys.argv[1]](prototypes(sys.argv[2]))
