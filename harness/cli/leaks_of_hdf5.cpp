// leaks_of_hdf5.cpp - what the leak checker is to overlook in the program, under ATTEST_SANITIZE
// only, and that it does so in silence: standard error belongs to the program.
//
// HDF5 1.10.8 loses some 400 bytes (H5O_protect) for each object header that it refuses. Goes when
// the library frees them.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial\n"; }

extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
