// One problem on the device in its layout: a plan, and a call for each shape of the layout.
#pragma once

#include "run.h"

extern const struct run_kind run_layouts;
