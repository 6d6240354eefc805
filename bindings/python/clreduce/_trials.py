"""A program that tries OpenCL programs for another process, which is connected to standard input. Its argument is the
path of the C library."""
import ctypes
import sys

if __name__ == "__main__":
    sys.exit(ctypes.CDLL(sys.argv[1]).clred_serve_trials())
