// Elements of the cases computed by hand: an array and the number of its scalars. Elements without a value are 0.

#define CHARS(...) (const cl_char[]){__VA_ARGS__}, sizeof((const cl_char[]){__VA_ARGS__}) / sizeof(cl_char)
#define UCHARS(...) (const cl_uchar[]){__VA_ARGS__}, sizeof((const cl_uchar[]){__VA_ARGS__}) / sizeof(cl_uchar)
#define SHORTS(...) (const cl_short[]){__VA_ARGS__}, sizeof((const cl_short[]){__VA_ARGS__}) / sizeof(cl_short)
#define USHORTS(...) (const cl_ushort[]){__VA_ARGS__}, sizeof((const cl_ushort[]){__VA_ARGS__}) / sizeof(cl_ushort)
#define INTS(...) (const cl_int[]){__VA_ARGS__}, sizeof((const cl_int[]){__VA_ARGS__}) / sizeof(cl_int)
#define UINTS(...) (const cl_uint[]){__VA_ARGS__}, sizeof((const cl_uint[]){__VA_ARGS__}) / sizeof(cl_uint)
#define LONGS(...) (const cl_long[]){__VA_ARGS__}, sizeof((const cl_long[]){__VA_ARGS__}) / sizeof(cl_long)
#define ULONGS(...) (const cl_ulong[]){__VA_ARGS__}, sizeof((const cl_ulong[]){__VA_ARGS__}) / sizeof(cl_ulong)
#define FLOATS(...) (const cl_float[]){__VA_ARGS__}, sizeof((const cl_float[]){__VA_ARGS__}) / sizeof(cl_float)
#define DOUBLES(...) (const cl_double[]){__VA_ARGS__}, sizeof((const cl_double[]){__VA_ARGS__}) / sizeof(cl_double)
// Floating elements by their bits, for values without a C literal.
#define HALF_BITS(...) USHORTS(__VA_ARGS__)
#define BFLOAT16_BITS(...) USHORTS(__VA_ARGS__)
#define FLOAT_BITS(...) UINTS(__VA_ARGS__)
#define DOUBLE_BITS(...) ULONGS(__VA_ARGS__)
#define NOTHING NULL, 0
