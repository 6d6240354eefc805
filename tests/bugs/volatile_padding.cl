// PoCL 7.1 ends by a segmentation fault while it compiles a volatile copy of a struct whose padding was never written.
struct padded {
  uint  number;
  ulong after_padding;
};

kernel void bug(global uint *out)
{
  struct padded made;
  made.number = 7;
  made.after_padding = 8;
  *(volatile global struct padded *)out = made;
}
