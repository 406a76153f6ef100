/* SPDX-License-Identifier: MIT */
/* Where there is no C library */
#pragma once

/* What a test expects that ends in jif_panic(). */
#define SIGABRT 6
