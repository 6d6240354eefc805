// Finds a symbol that a layer exports, for the program that has loaded the layer. The path in OPENCL_LAYERS cannot be
// used, because the loader cuts the text of this variable at the first colon.
#pragma once

// Returns a symbol of any library that is loaded, or NULL. Layers are loaded when a device is opened.
void *layer_symbol(const char *name);
