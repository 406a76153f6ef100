/* SPDX-License-Identifier: MIT */
/* lib/host/inbox.h - jobs that have been armed and are not on the wheel yet */
#ifndef JIF_LIB_HOST_INBOX_H
#define JIF_LIB_HOST_INBOX_H

#include <jif/host/service.h>

/* Where a job is: idle; paused; on the wheel or queued; in inbox 0, ... */
enum { NOWHERE, PAUSED, HELD, INBOX };

/* For all inboxes; whoever makes them ready, opens or closes has the lock. */
void jif_inbox_init(struct jif_service *service);
void jif_inbox_set_open(struct jif_service *service, bool open);

/* How many jobs are in all inboxes. */
unsigned jif_inbox_count(struct jif_service *service);

/*
 * Puts up to @most jobs of the calling thread's inbox on the wheel, or of all
 * inboxes; false if some are left. The service is locked.
 */
bool jif_inbox_sort_own(struct jif_service *service, unsigned most);
bool jif_inbox_sort(struct jif_service *service, unsigned most);

/*
 * Arms a job that is idle or in the inbox of this thread. False if it is
 * neither, or the inbox is closed; else @result is that of the arming, and
 * @sort tells that the inbox has to be sorted: it is full, or the clock would
 * wake up too late.
 */
bool jif_inbox_arm(struct jif_job *job, uint64_t expires_ns, bool again,
		   int *result, bool *sort);

/*
 * Takes a job out of an inbox, if it is in one, to be idle or held. False if it
 * is in none.
 */
bool jif_inbox_take(struct jif_job *job, unsigned to);

#endif
