// Colour for terminals. Not elsewhere, and never if NO_COLOR is set or TERM is missing or "dumb".
#pragma once

enum colour { COLOUR_ERROR, COLOUR_BAR, COLOUR_BEST };

// What to print on this descriptor before and after coloured text; "" if there is no colour.
const char *colour_begin(int descriptor, enum colour colour);
const char *colour_end(int descriptor);
