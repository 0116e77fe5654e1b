// SPDX-License-Identifier: MIT
// What `make asan` must know about the MPI library, which was built without AddressSanitizer.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
/// Open MPI closes its plugins at the end; a finding after that would have no module, and would
/// look like a mistake of this program.
extern "C" int dlclose(void*) { return 0; }

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
