// Pictures, by gnuplot.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Checks the file's name, that gnuplot exists and that the directory can be written, before anything is measured.
// Returns an exit code.
int plot_check(const char *path);

// Writes the data and the commands of a picture, after the lines that all scripts have.
typedef void plot_writer(const void *about, FILE *script);

// Draws the picture that the script of `write` describes. Returns an exit code.
int plot_draw(const char *path, plot_writer *write, const void *about);

// Writes a line that sets a variable to a text.
void plot_text(FILE *script, const char *name, const char *text);
