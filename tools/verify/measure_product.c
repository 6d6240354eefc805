// Products, real and complex, with the exponent kept apart.

#include <math.h>

#include "verify/measure_task.h"

// A product as significand and exponent, complex where the elements are; `above` and `below` bound the exponents that
// any part of it can reach.
struct product {
  long double re, im;
  int64_t exponent, above, below;
};

static void multiply(struct product *product, double x, double y) {
  int exponent = exponent_of(fmax(fabs(x), fabs(y)));
  long double re = product->re, im = product->im, u = (long double)x, v = (long double)y;
  if (isfinite(x) && isfinite(y)) {
    u = ldexpl(u, -exponent);
    v = ldexpl(v, -exponent);
  }
  product->re = re * u - im * v;
  product->im = re * v + im * u;
  product->exponent += exponent;
  *(exponent > 0 ? &product->above : &product->below) += exponent > 0 ? exponent : 1 - exponent;
  long double most = fmaxl(fabsl(product->re), fabsl(product->im));
  if (isfinite(most) && most > 0) {
    frexpl(most, &exponent);
    product->re = ldexpl(product->re, -exponent);
    product->im = ldexpl(product->im, -exponent);
    product->exponent += exponent;
  }
}

static void multiply_real(struct product *product, double x) {
  int exponent = exponent_of(x);
  product->re *= isfinite(x) ? ldexpl((long double)x, -exponent) : (long double)x;
  product->exponent += exponent;
  *(exponent > 0 ? &product->above : &product->below) += exponent > 0 ? exponent : 1 - exponent;
  if (isfinite(product->re)) {
    product->re = frexpl(product->re, &exponent);
    product->exponent += exponent;
  }
}

static long double scaled(long double significand, int64_t exponent) {
  int64_t limit = 1 << 20;
  return ldexpl(significand, (int)(exponent > limit ? limit : exponent < -limit ? -limit : exponent));
}

// Every rounding of a product acts on the whole of it, so that all of them count; a complex one has three.
void measure_product(const struct task *task) {
  const struct samples *samples = task->samples;
  struct product product = {1, 0, 0, 0, 0};
  for (uint64_t i = 0; i < samples->count; i++)
    if (samples->imaginary == 0)
      multiply_real(&product, real_at(samples, i, 1));
    else
      multiply(&product, real_at(samples, i, 1), imaginary_at(samples, i));
  long double value = scaled(task->imaginary ? product.im : product.re, product.exponent);
  long double modulus = scaled(hypotl(product.re, product.im), product.exponent);
  double roundings = (samples->imaginary == 0 ? 1 : 3) * ((double)samples->count + 1);
  int range = exponent_of(task->greatest) - 3;
  task->out->value = (double)value;
  task->out->bound = roundings * task->unit * (double)modulus;
  task->out->risky = product.above >= range || product.below >= range;
  task->out->error = (double)((long double)task->result - value);
}
