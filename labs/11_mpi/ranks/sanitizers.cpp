// SPDX-License-Identifier: MIT
// What `make asan` and `make tsan` must know about the MPI library, which was built without them.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/// Open MPI closes its plugins at the end; a finding after that would have no module, and would
/// look like a mistake of this program.
extern "C" int dlclose(void*) { return 0; }
#endif

#ifdef __SANITIZE_ADDRESS__
/// Memory that these libraries keep up to the end, such as the description of the machine. asprintf
/// is theirs, called from code without frame pointers.
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
extern "C" const char* __lsan_default_suppressions() {
    return "leak:libhwloc.so\n"
           "leak:libopen-pal.so\n"
           "leak:libopen-rte.so\n"
           "leak:libmpi.so\n"
           "leak:libmca_common_\n"
           "leak:__vasprintf_internal\n"
           "leak:libpmix.so\n"
           "leak:libevent\n"
           "leak:/openmpi3/mca_\n"
           "leak:/openmpi/mca_\n"
           "leak:/pmix2/\n";
}
#endif

#ifdef __SANITIZE_THREAD__
/// These libraries start threads whose locks ThreadSanitizer sees in part. A report counts only if
/// none of its calls is in a library.
extern "C" const char* __tsan_default_suppressions() {
    return "called_from_lib:libmpi.so\n"
           "called_from_lib:libopen-pal.so\n"
           "called_from_lib:libopen-rte.so\n"
           "called_from_lib:libpmix.so\n"
           "called_from_lib:libevent_core-2.1.so\n"
           "race:libevent_pthreads\n"
           "race:/openmpi3/mca_\n"
           "race:/openmpi/mca_\n"
           "mutex:/openmpi3/mca_\n"
           "mutex:/openmpi/mca_\n"
           "deadlock:/openmpi3/mca_\n"
           "deadlock:/openmpi/mca_\n";
}
#endif
