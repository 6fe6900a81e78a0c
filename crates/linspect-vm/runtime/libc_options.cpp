// `getopt` and `getopt_long`: options before what is no option.
#include <getopt.h>
#include <string.h>

extern "C" {
char *optarg;
int optind = 1, opterr = 1, optopt = '?';
static const char *rest;

static int with_argument(int option, const char *short_options, int count, char *const *words, bool needs, bool may) {
  optarg = nullptr;
  if (*rest && (needs || may))
    optarg = const_cast<char *>(rest), rest = nullptr;
  if (rest && *rest)
    return option;
  rest = nullptr;
  optind++;
  if (!needs || optarg)
    return option;
  if (optind < count)
    return optarg = words[optind++], option;
  optopt = option;
  return *short_options == ':' ? ':' : '?';
}

int getopt_long(int count, char *const *words, const char *short_options, const option *long_options, int *which) {
  if (!rest) {
    const char *word = optind < count ? words[optind] : nullptr;
    if (!word || word[0] != '-' || !word[1])
      return -1;
    if (word[1] == '-' && !word[2])
      return optind++, -1;
    if (word[1] == '-' && long_options) {
      const char *name = word + 2, *value = strchr(name, '=');
      const size_t length = value ? value - name : strlen(name);
      for (int i = 0; long_options[i].name; i++) {
        const option &one = long_options[i];
        if (strncmp(one.name, name, length) != 0 || one.name[length])
          continue;
        optind++;
        optarg = value ? const_cast<char *>(value) + 1 : nullptr;
        if (one.has_arg == required_argument && !optarg) {
          if (optind == count)
            return optopt = one.val, *short_options == ':' ? ':' : '?';
          optarg = words[optind++];
        }
        if (which)
          *which = i;
        return one.flag ? (*one.flag = one.val, 0) : one.val;
      }
      return optind++, optopt = 0, '?';
    }
    rest = word + 1;
  }
  const char letter = *rest++, *known = letter == ':' ? nullptr : strchr(short_options, letter);
  optopt = letter;
  const int option = known ? letter : '?';
  return with_argument(option, short_options, count, words, known && known[1] == ':' && known[2] != ':', known && known[1] == ':');
}

int getopt(int count, char *const *words, const char *options) { return getopt_long(count, words, options, nullptr, nullptr); }
}
