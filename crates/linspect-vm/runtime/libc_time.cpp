// Calendars. The time zone is UTC.
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const DAYS[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const MONTHS[] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};

// Days since 1970-01-01 of the first of March, after which a leap day comes last in its year.
static long days_before(long year, long month, long day) {
  year -= month <= 2;
  const long era = (year >= 0 ? year : year - 399) / 400, of_era = year - era * 400;
  const long of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

extern "C" {
struct tm *gmtime_r(const time_t *time, struct tm *tm) {
  long days = *time / 86400, seconds = *time % 86400;
  if (seconds < 0)
    seconds += 86400, days--;
  long year = 1970 + days / 366;
  while (days_before(year + 1, 1, 1) <= days)
    year++;
  while (days_before(year, 1, 1) > days)
    year--;
  int month = 1;
  while (month < 12 && days_before(year, month + 1, 1) <= days)
    month++;
  memset(tm, 0, sizeof *tm);
  tm->tm_sec = static_cast<int>(seconds % 60);
  tm->tm_min = static_cast<int>(seconds / 60 % 60);
  tm->tm_hour = static_cast<int>(seconds / 3600);
  tm->tm_mday = static_cast<int>(days - days_before(year, month, 1) + 1);
  tm->tm_mon = month - 1;
  tm->tm_year = static_cast<int>(year - 1900);
  tm->tm_wday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  tm->tm_yday = static_cast<int>(days - days_before(year, 1, 1));
  tm->tm_zone = "UTC";
  return tm;
}
struct tm *localtime_r(const time_t *time, struct tm *tm) { return gmtime_r(time, tm); }
// One for all threads, as everywhere.
static struct tm shared;
struct tm *gmtime(const time_t *time) { return gmtime_r(time, &shared); }
struct tm *localtime(const time_t *time) { return gmtime_r(time, &shared); }

time_t timegm(struct tm *tm) {
  long months = tm->tm_mon, year = tm->tm_year + 1900L + months / 12;
  months %= 12;
  if (months < 0)
    months += 12, year--;
  const long days = days_before(year, months + 1, 1) + tm->tm_mday - 1;
  const time_t time = days * 86400 + tm->tm_hour * 3600L + tm->tm_min * 60L + tm->tm_sec;
  gmtime_r(&time, tm);
  return time;
}
time_t mktime(struct tm *tm) { return timegm(tm); }
void tzset() {}
double difftime(time_t end, time_t start) { return static_cast<double>(end - start); }

char *asctime_r(const struct tm *tm, char *room) {
  snprintf(room, 26, "%.3s %.3s %2d %02d:%02d:%02d %d\n", DAYS[tm->tm_wday], MONTHS[tm->tm_mon], tm->tm_mday, tm->tm_hour, tm->tm_min,
           tm->tm_sec, tm->tm_year + 1900);
  return room;
}
char *ctime_r(const time_t *time, char *room) {
  struct tm tm;
  return asctime_r(gmtime_r(time, &tm), room);
}
static char text[26];
char *asctime(const struct tm *tm) { return asctime_r(tm, text); }
char *ctime(const time_t *time) { return ctime_r(time, text); }

size_t strftime(char *room, size_t size, const char *format, const struct tm *tm) {
  size_t at = 0;
  for (; *format; format++) {
    char part[64] = {*format, 0};
    const int twelve = tm->tm_hour % 12 ? tm->tm_hour % 12 : 12;
    if (*format == '%')
      switch (*++format) {
      case 'Y': snprintf(part, sizeof part, "%d", tm->tm_year + 1900); break;
      case 'y': snprintf(part, sizeof part, "%02d", tm->tm_year % 100); break;
      case 'm': snprintf(part, sizeof part, "%02d", tm->tm_mon + 1); break;
      case 'd': snprintf(part, sizeof part, "%02d", tm->tm_mday); break;
      case 'e': snprintf(part, sizeof part, "%2d", tm->tm_mday); break;
      case 'H': snprintf(part, sizeof part, "%02d", tm->tm_hour); break;
      case 'I': snprintf(part, sizeof part, "%02d", twelve); break;
      case 'M': snprintf(part, sizeof part, "%02d", tm->tm_min); break;
      case 'S': snprintf(part, sizeof part, "%02d", tm->tm_sec); break;
      case 'j': snprintf(part, sizeof part, "%03d", tm->tm_yday + 1); break;
      case 'p': snprintf(part, sizeof part, "%s", tm->tm_hour < 12 ? "AM" : "PM"); break;
      case 'a': snprintf(part, sizeof part, "%.3s", DAYS[tm->tm_wday]); break;
      case 'A': snprintf(part, sizeof part, "%s", DAYS[tm->tm_wday]); break;
      case 'b': case 'h': snprintf(part, sizeof part, "%.3s", MONTHS[tm->tm_mon]); break;
      case 'B': snprintf(part, sizeof part, "%s", MONTHS[tm->tm_mon]); break;
      case 'u': snprintf(part, sizeof part, "%d", tm->tm_wday ? tm->tm_wday : 7); break;
      case 'w': snprintf(part, sizeof part, "%d", tm->tm_wday); break;
      case 's': { struct tm copy = *tm; snprintf(part, sizeof part, "%ld", static_cast<long>(timegm(&copy))); break; }
      case 'F': strftime(part, sizeof part, "%Y-%m-%d", tm); break;
      case 'T': case 'X': strftime(part, sizeof part, "%H:%M:%S", tm); break;
      case 'R': strftime(part, sizeof part, "%H:%M", tm); break;
      case 'D': case 'x': strftime(part, sizeof part, "%m/%d/%y", tm); break;
      case 'c': strftime(part, sizeof part, "%a %b %e %H:%M:%S %Y", tm); break;
      case 'z': strcpy(part, "+0000"); break;
      case 'Z': strcpy(part, "UTC"); break;
      case 'n': strcpy(part, "\n"); break;
      case 't': strcpy(part, "\t"); break;
      case '%': break;
      default: snprintf(part, sizeof part, "%%%c", *format);
      }
    const size_t length = strlen(part);
    if (at + length + 1 > size)
      return 0;
    memcpy(room + at, part, length);
    at += length;
  }
  if (size)
    room[at] = 0;
  return at;
}
}
