// Wide characters and what becomes of them, in C's locale: bytes up to 127 are characters.
#include <errno.h>
#include <string.h>
#include <wchar.h>

extern "C" {
size_t wcslen(const wchar_t *text) {
  size_t length = 0;
  while (text[length])
    length++;
  return length;
}
wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) { return static_cast<wchar_t *>(memcpy(to, from, count * sizeof *to)); }
wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) { return static_cast<wchar_t *>(memmove(to, from, count * sizeof *to)); }
wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = value;
  return to;
}
int wmemcmp(const wchar_t *one, const wchar_t *other, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (one[i] != other[i])
      return one[i] < other[i] ? -1 : 1;
  return 0;
}
int wcsncmp(const wchar_t *one, const wchar_t *other, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (one[i] != other[i] || !one[i])
      return one[i] < other[i] ? -1 : one[i] > other[i];
  return 0;
}
int wcscmp(const wchar_t *one, const wchar_t *other) { return wcsncmp(one, other, static_cast<size_t>(-1)); }
wchar_t *wcscpy(wchar_t *to, const wchar_t *from) { return wmemcpy(to, from, wcslen(from) + 1); }
wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
  for (size_t i = 0; i < count; i++)
    to[i] = *from ? *from++ : 0;
  return to;
}
wchar_t *wcscat(wchar_t *to, const wchar_t *from) { return wcscpy(to + wcslen(to), from), to; }

// These have a sibling in C++ that gives back what may be changed, so the symbols are said.
wchar_t *linspect_wcschr(const wchar_t *, wchar_t) __asm__("wcschr");
wchar_t *linspect_wcschr(const wchar_t *text, wchar_t wanted) {
  for (;; text++)
    if (*text == wanted)
      return const_cast<wchar_t *>(text);
    else if (!*text)
      return nullptr;
}
wchar_t *linspect_wmemchr(const wchar_t *, wchar_t, size_t) __asm__("wmemchr");
wchar_t *linspect_wmemchr(const wchar_t *text, wchar_t wanted, size_t count) {
  for (; count > 0; text++, count--)
    if (*text == wanted)
      return const_cast<wchar_t *>(text);
  return nullptr;
}

size_t mbstowcs(wchar_t *to, const char *from, size_t count) {
  size_t i = 0;
  for (; !to || i < count; i++) {
    if (static_cast<unsigned char>(from[i]) > 127)
      return errno = EILSEQ, static_cast<size_t>(-1);
    if (to)
      to[i] = from[i];
    if (!from[i])
      break;
  }
  return i;
}
size_t wcstombs(char *to, const wchar_t *from, size_t count) {
  size_t i = 0;
  for (; !to || i < count; i++) {
    if (from[i] < 0 || from[i] > 127)
      return errno = EILSEQ, static_cast<size_t>(-1);
    if (to)
      to[i] = static_cast<char>(from[i]);
    if (!from[i])
      break;
  }
  return i;
}
}
