//! Sources that are compiled with programs: what libraries keep in their shared objects, where no model of a call would do.

/// A part of a library's shared object, as a source that is compiled with a program that refers to it.
pub(super) struct Support {
    /// Whether it belongs to C's library, and not to that of C++.
    pub(super) of_c: bool,
    /// What it is called in debug information.
    pub(super) file: &'static str,
    pub(super) text: &'static str,
    /// The edition of C++ that it is written in, if it is not the compiler's own: what a later one has beside is in the library, too.
    pub(super) edition: Option<&'static str>,
    /// The symbols that it defines, in lists; parts of them for C++, whose symbols are long.
    symbols: &'static [&'static str],
}

/// What a program may need of its library beside the headers. Each may need those after it.
pub(super) const SUPPORTS: [Support; 11] = [
    Support {
        of_c: false,
        file: "linspect-libstdcxx-streams.cpp",
        text: include_str!("../../runtime/libstdcxx_streams.cpp"),
        edition: Some("-std=gnu++20"),
        symbols: &[
            "13basic_fstream",
            "13basic_filebuf",
            "14basic_ifstream",
            "14basic_ofstream",
            "15basic_streambuf",
            "15basic_stringbuf",
            "18basic_stringstream",
            "19basic_istringstream",
            "19basic_ostringstream",
            "_ZNSoC",
            "_ZNSi",
            "_ZStrsI",
            "_ZStlsId",
            "_Setiosflags",
            "_Resetiosflags",
            "_ZSt3cin",
            "_ZSt7getlineI",
        ],
    },
    Support {
        of_c: false,
        file: "linspect-libstdcxx-resources.cpp",
        text: include_str!("../../runtime/libstdcxx_resources.cpp"),
        edition: None,
        symbols: &["St3pmr"],
    },
    Support {
        of_c: false,
        file: "linspect-libstdcxx-threads.cpp",
        text: include_str!("../../runtime/libstdcxx_threads.cpp"),
        edition: None,
        symbols: &[
            "__once_proxy",
            "11__once_call",
            "15__once_callable",
            "13__future_base12_Result_base",
            "12future_error",
            "15future_category",
            "St12system_error",
            "3_V216generic_category",
            "3_V215system_category",
            "20__throw_future_error",
            "28__atomic_futex_unsigned_base",
            "11_Make_ready",
            "25notify_all_at_thread_exit",
            "10_Sp_locker",
            "12bad_weak_ptr",
        ],
    },
    Support {
        of_c: false,
        file: "linspect-libstdcxx.cpp",
        text: include_str!("../../runtime/libstdcxx.cpp"),
        edition: None,
        symbols: &[
            "SaIc",
            "SaIw",
            "_Rb_tree_",
            "15_List_node_base",
            "20_Prime_rehash_policy",
            "11_Hash_bytes",
            "21__glibcxx_assert_fail",
            "St9exception",
            "St9bad_alloc",
            "St20bad_array_new_length",
            "St16nested_exception",
            "St8bad_cast",
            "St17bad_function_call",
            "11logic_error",
            "13runtime_error",
            "St16invalid_argument",
            "St12out_of_range",
            "St20__throw_length_error",
            "St20__throw_out_of_range",
            "St24__throw_out_of_range_fmt",
            "St24__throw_invalid_argument",
            "St17__throw_bad_alloc",
            "St28__throw_bad_array_new_length",
            "St16__throw_bad_cast",
            "__cxa_bad_cast",
            "St25__throw_bad_function_call",
            "St19__throw_logic_error",
        ],
    },
    Support {
        of_c: true,
        file: "linspect-long-double.cpp",
        text: include_str!("../../runtime/long_double.cpp"),
        edition: None,
        symbols: &[
            "acosl asinl atan2l atanl cbrtl ceill coshl cosl exp2l expl expm1l floorl fmodl hypotl llrintl llroundl log10l \
             log1pl log2l logl lrintl lroundl powl sinhl sinl sqrtl strtold tanhl tanl",
        ],
    },
    Support {
        of_c: true,
        file: "linspect-libc.cpp",
        text: include_str!("../../runtime/libc.cpp"),
        edition: None,
        symbols: &[
            "__isoc23_fscanf __isoc23_scanf __isoc99_fscanf __isoc99_scanf __xpg_basename __xpg_strerror_r clearerr dirname \
             div drand48 erand48 fclose fdim feclearexcept fegetround feof ferror fesetround fetestexcept fflush_unlocked \
             ffs ffsl ffsll fgetc fgets flockfile fputc_unlocked fputs_unlocked fread frexp fscanf ftrylockfile funlockfile \
             fwrite_unlocked getc getchar getdelim getline htonl htons ilogb imaxdiv jrand48 ldexp ldiv lfind lldiv logb \
             modf mrand48 nrand48 ntohl ntohs pthread_setcancelstate pthread_setcanceltype putc_unlocked putchar_unlocked qsort_r scalbn scanf sincos strerror_r strtok \
             strxfrm swab",
        ],
    },
    Support {
        of_c: true,
        file: "linspect-libatomic.cpp",
        text: include_str!("../../runtime/libc_atomic.cpp"),
        edition: None,
        symbols: &["__atomic_compare_exchange __atomic_exchange __atomic_load __atomic_store"],
    },
    Support {
        of_c: true,
        file: "linspect-libc-options.cpp",
        text: include_str!("../../runtime/libc_options.cpp"),
        edition: None,
        symbols: &["getopt getopt_long optarg opterr optind optopt"],
    },
    Support {
        of_c: true,
        file: "linspect-libc-process.cpp",
        text: include_str!("../../runtime/libc_process.cpp"),
        edition: None,
        symbols: &[
            "access at_quick_exit clearenv closelog err errx get_nprocs_conf getegid geteuid getgid gethostname getpriority \
             localeconv lstat malloc_trim mallopt mkdir mlock mlockall mremap munlock munlockall nice openlog prctl putenv \
             remove rename select setenv setlocale setpriority stat syslog times uname unlink unsetenv warn warnx",
        ],
    },
    Support {
        of_c: true,
        file: "linspect-libc-time.cpp",
        text: include_str!("../../runtime/libc_time.cpp"),
        edition: None,
        symbols: &[
            "asctime asctime_r ctime ctime_r difftime gmtime gmtime_r localtime localtime_r mktime strftime timegm tzset",
        ],
    },
    Support {
        of_c: true,
        file: "linspect-libc-wide.cpp",
        text: include_str!("../../runtime/libc_wide.cpp"),
        edition: None,
        symbols: &[
            "mbstowcs wcscat wcschr wcscmp wcscpy wcslen wcsncmp wcsncpy wcstombs wmemchr wmemcmp wmemcpy wmemmove wmemset",
        ],
    },
];

impl Support {
    /// Whether it defines `symbol`.
    pub(super) fn defines(&self, symbol: &str) -> bool {
        let mut words = self.symbols.iter().flat_map(|list| list.split_whitespace());
        match self.of_c {
            true => words.any(|whole| symbol == whole),
            false => words.any(|part| symbol.contains(part)),
        }
    }
}

/// Whether a file of debug information is a support.
pub(crate) fn is_support(file: &str) -> bool {
    SUPPORTS.iter().any(|support| file.ends_with(support.file))
}
