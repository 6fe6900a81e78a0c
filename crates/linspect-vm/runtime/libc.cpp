// Functions of the C library that are easier said in C. What they keep between two calls is as much a race here as it is there.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern "C" {

char *strtok(char *text, const char *delimiters) {
  static char *rest;
  return strtok_r(text, delimiters, &rest);
}

double drand48() { return static_cast<double>(lrand48()) / 2147483648.0; }

// Insertion, from the front: few elements are the rule here, and equal ones stay in order.
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context) {
  char *const first = static_cast<char *>(base);
  char *const held = static_cast<char *>(malloc(size ? size : 1));
  for (size_t i = 1; i < count; i++) {
    size_t to = i;
    memcpy(held, first + i * size, size);
    for (; to > 0 && compare(first + (to - 1) * size, held, context) > 0; to--)
      memcpy(first + to * size, first + (to - 1) * size, size);
    memcpy(first + to * size, held, size);
  }
  free(held);
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  const char *at = static_cast<const char *>(base);
  for (size_t i = 0; i < *count; i++, at += size)
    if (compare(key, at) == 0)
      return const_cast<char *>(at);
  return nullptr;
}

char *strerror_r(int number, char *room, size_t size) {
  snprintf(room, size, "%s", strerror(number));
  return room;
}

int __xpg_strerror_r(int number, char *room, size_t size) {
  strerror_r(number, room, size);
  return 0;
}

void swab(const void *from, void *to, ssize_t count) {
  for (ssize_t i = 0; i + 1 < count; i += 2) {
    const char first = static_cast<const char *>(from)[i], second = static_cast<const char *>(from)[i + 1];
    static_cast<char *>(to)[i] = second;
    static_cast<char *>(to)[i + 1] = first;
  }
}

void sincos(double angle, double *sine, double *cosine) {
  *sine = sin(angle);
  *cosine = cos(angle);
}

// The input has ended.
char *fgets(char *, int, FILE *) { return nullptr; }
ssize_t getdelim(char **, size_t *, int, FILE *) { return -1; }
ssize_t getline(char **, size_t *, FILE *) { return -1; }
}
