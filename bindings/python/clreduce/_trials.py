"""Run as a program with the path of the C library: tries programs for a process that is connected to standard input."""
import ctypes
import sys

if __name__ == "__main__":
    sys.exit(ctypes.CDLL(sys.argv[1]).clred_serve_trials())
