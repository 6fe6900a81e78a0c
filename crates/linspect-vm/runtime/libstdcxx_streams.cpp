// What programs need of libstdc++'s shared library for streams of their own: string streams, stream buffers, files (of which none can be opened), `std::cin`
// (which has ended).
// The library's headers have nearly all of it as templates, which are instantiated here. There is the C locale only, and its facets are found without a search:
// they are made before `main` and never written after that, as threads share them.
// `<<` to `std::cout`, `cerr` and `clog` never comes here (models/stream.rs).
#include <bits/c++config.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <cctype>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <istream>
#include <locale>
#include <ostream>
#include <sstream>
#include <string>

namespace std {
// Facets of the C locale.
template <> bool has_facet<ctype<char>>(const locale &) throw() { return true; }
template <> bool has_facet<num_put<char>>(const locale &) throw() { return true; }
template <> bool has_facet<num_get<char>>(const locale &) throw() { return true; }
template <> const ctype<char> &use_facet<ctype<char>>(const locale &);
template <> const num_put<char> &use_facet<num_put<char>>(const locale &);
template <> const num_get<char> &use_facet<num_get<char>>(const locale &);
template <> const numpunct<char> &use_facet<numpunct<char>>(const locale &);
template <> struct __use_cache<__numpunct_cache<char>> {
  const __numpunct_cache<char> *operator()(const locale &) const;
};

locale::locale() throw() : _M_impl(nullptr) {}
locale::locale(const locale &) throw() : _M_impl(nullptr) {}
locale::~locale() throw() {}
const locale &locale::operator=(const locale &) throw() { return *this; }
bool locale::operator==(const locale &) const throw() { return true; }
string locale::name() const { return "C"; }
const locale &locale::classic() {
  static const locale c;
  return c;
}
// Without it a file buffer converts nothing, and nothing is ever in a file.
template <> bool has_facet<codecvt<char, char, mbstate_t>>(const locale &) throw() { return false; }
template <> const codecvt<char, char, mbstate_t> &use_facet<codecvt<char, char, mbstate_t>>(const locale &) { __throw_bad_cast(); }
locale::facet::~facet() {}
__c_locale locale::facet::_S_get_c_locale() { return nullptr; }
ctype<char>::~ctype() {}

locale::id ctype<char>::id;
template <> locale::id numpunct<char>::id = {};
template <> locale::id num_put<char>::id = {};
template <> locale::id num_get<char>::id = {};

namespace {
struct Classes {
  ctype_base::mask of[256] = {};
  Classes() {
    for (int c = 0; c < 128; c++) {
      auto add = [&](bool is, ctype_base::mask kind) { of[c] |= is ? kind : 0; };
      add(isspace(c), ctype_base::space);
      add(isprint(c), ctype_base::print);
      add(iscntrl(c), ctype_base::cntrl);
      add(isupper(c), ctype_base::upper);
      add(islower(c), ctype_base::lower);
      add(isalpha(c), ctype_base::alpha);
      add(isdigit(c), ctype_base::digit);
      add(ispunct(c), ctype_base::punct);
      add(isxdigit(c), ctype_base::xdigit);
      add(c == ' ' || c == '\t', ctype_base::blank);
    }
  }
};
} // namespace

ctype<char>::ctype(const mask *table, bool, size_t refs)
    : facet(refs), _M_c_locale_ctype(nullptr), _M_del(false), _M_toupper(nullptr), _M_tolower(nullptr), _M_table(table),
      _M_widen_ok(1), _M_narrow_ok(1) {
  for (int c = 0; c < 256; c++)
    _M_widen[c] = _M_narrow[c] = static_cast<char>(c);
}
char ctype<char>::do_toupper(char c) const { return static_cast<char>(toupper(static_cast<unsigned char>(c))); }
char ctype<char>::do_tolower(char c) const { return static_cast<char>(tolower(static_cast<unsigned char>(c))); }
const char *ctype<char>::do_toupper(char *from, const char *to) const {
  for (; from < to; from++)
    *from = do_toupper(*from);
  return to;
}
const char *ctype<char>::do_tolower(char *from, const char *to) const {
  for (; from < to; from++)
    *from = do_tolower(*from);
  return to;
}
void ctype<char>::_M_widen_init() const {}
void ctype<char>::_M_narrow_init() const {}

const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";
const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";

void __num_base::_S_format_float(const ios_base &stream, char *format, char length) throw() {
  const ios_base::fmtflags flags = stream.flags(), field = flags & ios_base::floatfield;
  const bool upper = flags & ios_base::uppercase, hexadecimal = field == (ios_base::fixed | ios_base::scientific);
  *format++ = '%';
  if (flags & ios_base::showpos)
    *format++ = '+';
  if (flags & ios_base::showpoint)
    *format++ = '#';
  if (!hexadecimal) {
    *format++ = '.';
    *format++ = '*';
  }
  if (length)
    *format++ = length;
  const char kind = hexadecimal ? 'a' : field == ios_base::fixed ? 'f' : field == ios_base::scientific ? 'e' : 'g';
  *format++ = upper ? static_cast<char>(kind - 'a' + 'A') : kind;
  *format = 0;
}

template <> numpunct<char>::~numpunct() {}
template <> void numpunct<char>::_M_initialize_numpunct(__c_locale) {}
template <> string numpunct<char>::do_grouping() const { return ""; }
template <> string numpunct<char>::do_truename() const { return "true"; }
template <> string numpunct<char>::do_falsename() const { return "false"; }
template <> char numpunct<char>::do_decimal_point() const { return '.'; }
template <> char numpunct<char>::do_thousands_sep() const { return ','; }

template <> void __convert_to_v(const char *text, float &number, ios_base::iostate &state, const __c_locale &) throw() {
  char *end;
  number = strtof(text, &end);
  if (end == text || *end)
    number = 0, state = ios_base::failbit;
  else if (__builtin_isinf(number) && text[0] != 'i')
    number = number > 0 ? __FLT_MAX__ : -__FLT_MAX__, state = ios_base::failbit;
}
template <> void __convert_to_v(const char *text, double &number, ios_base::iostate &state, const __c_locale &) throw() {
  char *end;
  number = strtod(text, &end);
  if (end == text || *end)
    number = 0, state = ios_base::failbit;
  else if (__builtin_isinf(number) && text[0] != 'i')
    number = number > 0 ? __DBL_MAX__ : -__DBL_MAX__, state = ios_base::failbit;
}
template <>
void __convert_to_v(const char *text, long double &number, ios_base::iostate &state, const __c_locale &) throw() {
  char *end;
  number = strtold(text, &end);
  if (end == text || *end)
    number = 0, state = ios_base::failbit;
}

namespace {
struct Cache : __numpunct_cache<char> {
  Cache() {
    _M_grouping = "";
    _M_truename = "true";
    _M_truename_size = 4;
    _M_falsename = "false";
    _M_falsename_size = 5;
    _M_decimal_point = '.';
    _M_thousands_sep = ',';
    memcpy(_M_atoms_out, __num_base::_S_atoms_out, sizeof _M_atoms_out);
    memcpy(_M_atoms_in, __num_base::_S_atoms_in, sizeof _M_atoms_in);
  }
};

// Nobody reads from it: there is no input.
struct NoInput : streambuf {};

// A facet as an object of its own; who holds one does not delete it.
template <class Facet> struct Own : Facet {
  using Facet::Facet;
};

#define EARLY __attribute__((init_priority(101)))
Classes classes EARLY;
Own<ctype<char>> characters EARLY(classes.of, false, 1);
Own<num_put<char>> puts_numbers EARLY(1);
Own<num_get<char>> gets_numbers EARLY(1);
Own<numpunct<char>> punctuation EARLY(1);
Cache cache EARLY;
NoInput no_input EARLY;
} // namespace
template <> const ctype<char> &use_facet<ctype<char>>(const locale &) { return characters; }
template <> const num_put<char> &use_facet<num_put<char>>(const locale &) { return puts_numbers; }
template <> const num_get<char> &use_facet<num_get<char>>(const locale &) { return gets_numbers; }
template <> const numpunct<char> &use_facet<numpunct<char>>(const locale &) { return punctuation; }
const __numpunct_cache<char> *__use_cache<__numpunct_cache<char>>::operator()(const locale &) const { return &cache; }

// What all streams have.
ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(), _M_streambuf_state(), _M_callbacks(), _M_word_zero(),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word), _M_ios_locale() {}
ios_base::~ios_base() {}
void ios_base::_M_init() throw() {
  _M_precision = 6;
  _M_width = 0;
  _M_flags = skipws | dec;
}
locale ios_base::imbue(const locale &) throw() { return locale(); }
void ios_base::_M_call_callbacks(event) throw() {}
void ios_base::_M_dispose_callbacks() throw() {}
void ios_base::_M_move(ios_base &other) noexcept {
  _M_precision = other._M_precision;
  _M_width = other._M_width;
  _M_flags = other._M_flags;
  _M_exception = other._M_exception;
  _M_streambuf_state = other._M_streambuf_state;
}
void ios_base::_M_swap(ios_base &other) noexcept {
  std::swap(_M_precision, other._M_precision);
  std::swap(_M_width, other._M_width);
  std::swap(_M_flags, other._M_flags);
  std::swap(_M_exception, other._M_exception);
  std::swap(_M_streambuf_state, other._M_streambuf_state);
}

// Input of characters, which the headers leave to the library.
namespace {
// Reads characters while `goes_on` takes them; what the end of the input means is told.
template <class GoesOn> void read_while(istream &in, ios_base::iostate &state, GoesOn goes_on) {
  for (int c = in.rdbuf()->sgetc();; c = in.rdbuf()->snextc()) {
    if (c == EOF) {
      state |= ios_base::eofbit;
      return;
    }
    if (!goes_on(static_cast<char>(c)))
      return;
  }
}
} // namespace
template <> istream &istream::getline(char *text, streamsize room, char end) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  sentry ready(*this, true);
  if (ready) {
    bool ended = false;
    read_while(*this, state, [&](char c) {
      ended = c == end;
      if (ended || _M_gcount + 1 >= room)
        return false;
      text[_M_gcount++] = c;
      return true;
    });
    if (ended) {
      rdbuf()->sbumpc();
      if (room > 0)
        text[_M_gcount] = 0;
      _M_gcount++;
    } else if (room > 0) {
      text[_M_gcount] = 0;
      if (!(state & ios_base::eofbit))
        state |= ios_base::failbit;
    }
  }
  if (!_M_gcount)
    state |= ios_base::failbit;
  setstate(state);
  return *this;
}
template <> istream &istream::ignore(streamsize n, int end) {
  _M_gcount = 0;
  ios_base::iostate state = ios_base::goodbit;
  sentry ready(*this, true);
  const bool all = n == __gnu_cxx::__numeric_traits<streamsize>::__max;
  while (ready && (all || _M_gcount < n)) {
    const int c = rdbuf()->sbumpc();
    if (c == EOF) {
      state |= ios_base::eofbit;
      break;
    }
    _M_gcount++;
    if (c == end)
      break;
  }
  setstate(state);
  return *this;
}
template <> istream &istream::ignore(streamsize n) { return ignore(n, EOF); }
template <> istream &operator>>(istream &in, string &text) {
  ios_base::iostate state = ios_base::goodbit;
  istream::sentry ready(in, false);
  if (ready) {
    text.clear();
    const size_t most = in.width() > 0 ? static_cast<size_t>(in.width()) : text.max_size();
    read_while(in, state, [&](char c) {
      if (isspace(static_cast<unsigned char>(c)) || text.size() >= most)
        return false;
      text += c;
      return true;
    });
    in.width(0);
    if (text.empty())
      state |= ios_base::failbit;
  } else {
    state |= ios_base::failbit;
  }
  in.setstate(state);
  return in;
}
template <> istream &getline(istream &in, string &text, char end) {
  ios_base::iostate state = ios_base::goodbit;
  istream::sentry ready(in, true);
  bool ended = false;
  if (ready) {
    text.clear();
    read_while(in, state, [&](char c) {
      ended = c == end;
      if (!ended)
        text += c;
      return !ended;
    });
    if (ended)
      in.rdbuf()->sbumpc();
  }
  if (!ended && (!ready || text.empty()))
    state |= ios_base::failbit;
  in.setstate(state);
  return in;
}
template <> streamsize __copy_streambufs_eof(streambuf *from, streambuf *to, bool &ended) {
  streamsize copied = 0;
  ended = true;
  for (int c = from->sgetc(); c != EOF; c = from->snextc(), copied++) {
    if (to->sputc(static_cast<char>(c)) == EOF) {
      ended = false;
      break;
    }
  }
  return copied;
}
void __istream_extract(istream &in, char *text, streamsize room) {
  string word;
  in.width(in.width() > 0 && in.width() < room ? in.width() - 1 : room - 1);
  in >> word;
  memcpy(text, word.c_str(), word.size() + 1);
}

// Files, none of which can be opened.
__basic_file<char>::__basic_file(__c_lock *) throw() : _M_cfile(nullptr), _M_cfile_created(false) {}
__basic_file<char>::~__basic_file() {}
__basic_file<char> *__basic_file<char>::open(const char *, ios_base::openmode, int) { return nullptr; }
__basic_file<char> *__basic_file<char>::close() { return nullptr; }
bool __basic_file<char>::is_open() const throw() { return false; }
streamsize __basic_file<char>::xsgetn(char *, streamsize) { return 0; }
streamsize __basic_file<char>::xsputn(const char *, streamsize) { return 0; }
streamsize __basic_file<char>::xsputn_2(const char *, streamsize, const char *, streamsize) { return 0; }
streamoff __basic_file<char>::seekoff(streamoff, ios_base::seekdir) throw() { return -1; }
int __basic_file<char>::sync() { return -1; }
streamsize __basic_file<char>::showmanyc() { return -1; }

istream cin EARLY(&no_input);

template class basic_streambuf<char>;
template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class basic_stringbuf<char>;
template class basic_istringstream<char>;
template class basic_ostringstream<char>;
template class basic_stringstream<char>;
template class basic_filebuf<char>;
template class basic_ifstream<char>;
template class basic_ofstream<char>;
template class basic_fstream<char>;
template class num_put<char>;
template class num_get<char>;

#define LINSPECT_NUMBER(TYPE)                                                                      \
  template istream &istream::_M_extract(TYPE &);
#define LINSPECT_PRINTED(TYPE) template ostream &ostream::_M_insert(TYPE);
LINSPECT_NUMBER(unsigned short)
LINSPECT_NUMBER(unsigned)
LINSPECT_NUMBER(long)
LINSPECT_NUMBER(unsigned long)
LINSPECT_NUMBER(long long)
LINSPECT_NUMBER(unsigned long long)
LINSPECT_NUMBER(bool)
LINSPECT_NUMBER(float)
LINSPECT_NUMBER(double)
LINSPECT_NUMBER(long double)
LINSPECT_NUMBER(void *)
LINSPECT_PRINTED(long)
LINSPECT_PRINTED(unsigned long)
LINSPECT_PRINTED(long long)
LINSPECT_PRINTED(unsigned long long)
LINSPECT_PRINTED(bool)
LINSPECT_PRINTED(double)
LINSPECT_PRINTED(long double)
LINSPECT_PRINTED(const void *)
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const string &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template ostream &operator<<(ostream &, _Setw);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template istream &operator>>(istream &, _Setw);
template istream &operator>>(istream &, _Setprecision);
template istream &operator>>(istream &, _Setbase);
template istream &operator>>(istream &, _Setfill<char>);
template istream &operator>>(istream &, _Setiosflags);
template istream &operator>>(istream &, _Resetiosflags);
template ostream &operator<<(ostream &, const complex<double> &);
template istream &ws(istream &);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, signed char &);
template istream &operator>>(istream &, unsigned char &);
template istream &getline(istream &, string &);
} // namespace std

// What is called otherwise before C++20: a copy of the text of a string stream.
#define LINSPECT_TEXT(NAME, MANGLED)                                                               \
  std::string NAME##_copied(const std::NAME &s) asm("_ZNKSt7__cxx11" MANGLED "IcSt11char_traitsIcESaIcEE3strEv"); \
  std::string NAME##_copied(const std::NAME &s) { return s.str(); }
LINSPECT_TEXT(stringbuf, "15basic_stringbuf")
LINSPECT_TEXT(istringstream, "19basic_istringstream")
LINSPECT_TEXT(ostringstream, "19basic_ostringstream")
LINSPECT_TEXT(stringstream, "18basic_stringstream")
