/* SPDX-License-Identifier: MIT */
/*
 * test/target/include/signal.h - where there is no C library
 */
#ifndef TARGET_SIGNAL_H
#define TARGET_SIGNAL_H

/* What a test expects that ends in jif_panic(). */
#define SIGABRT 6

#endif
