// Reports the version of the layer interface to the loader. Every layer is linked with this file.
#include <string.h>

#include <CL/cl_layer.h>

__attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void *value,
                                                                         size_t *needed) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  if (what != CL_LAYER_API_VERSION || (value && size < sizeof version))
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, &version, sizeof version);
  if (needed)
    *needed = sizeof version;
  return CL_SUCCESS;
}
