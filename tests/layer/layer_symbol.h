// Finds what a layer exports for the program that has loaded it. OPENCL_LAYERS is no help, because the loader cuts its
// text at the first colon.
#pragma once

// Returns a symbol of any library that is loaded, or NULL. Layers are loaded when a device is opened.
void *layer_symbol(const char *name);
