/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/teardown.c - what the fixture finds after a test counts
 *
 * Criterion tells of an assertion that fails in a .fini, but the test passes.
 */
#include <criterion/criterion.h>
#include <criterion/hooks.h>

static bool failed;

ReportHook(ASSERT)(struct criterion_assert_stats *stats)
{
	failed = failed || !stats->passed;
}

ReportHook(POST_ALL)(struct criterion_global_stats *stats)
{
	if (failed && !stats->tests_failed)
		stats->tests_failed = 1;
}
