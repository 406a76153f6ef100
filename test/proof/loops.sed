# Contracts of loops in lib/wheel.c: a copy with these is what is proved.
/^static uint32_t time_left(/,/^}/{
/^	for (/i\
	//@ ghost int l = 0;\
	/*@ loop invariant 0 <= l < LEVELS && ring == &jif_rings[l];\
	  @ loop invariant ring->ticks == unit(l) && ring->first == first_of(l);\
	  @ loop invariant ring->slots == size(l);\
	  @ loop invariant ring[1].first == first_of(l + 1);\
	  @ loop invariant hand == &wheel->hand[l];\
	  @ loop invariant ticks == since(wheel, l);\
	  @ loop invariant first_of(l) <= timer->where;\
	  @ loop assigns ring, hand, ticks, l;\
	  @ loop variant LEVELS - l; */
/^		ticks += (int32_t)/{
i\
		{
a\
		//@ ghost l++;\
		}
}
/^	unit = /i\
	//@ assert l == level(timer->where);
}
# What place() has found is asserted level by level, which the provers need.
/^FAST struct jif_timer \*\*place(/,/^}/{
/^	UNROLL/c\
	//@ ghost int l = 0;\
	/*@ loop invariant 0 <= l < LEVELS && ring == &jif_rings[l];\
	  @ loop invariant hand == &wheel->hand[l] && slot == NO_SLOT;\
	  @ loop invariant delta <= ticks == delta + since(wheel, l);\
	  @ loop invariant lowest: l <= level ||\
	  @	!spanned(wheel, l - 1, delta);\
	  @ loop assigns ring, hand, ticks, l, slot, timer->remaining;\
	  @ loop variant LEVELS - l; */
/^			slot = calc_slot(/i\
			//@ assert l == SEC ==> spanned(wheel, SEC, delta);\
			//@ assert l == MIN ==> spanned(wheel, MIN, delta);\
			//@ assert l == HOUR ==> spanned(wheel, HOUR, delta);\
			//@ assert l == DAY ==> spanned(wheel, DAY, delta);\
			//@ assert since(wheel, l) == 0 || ticks >= unit(l);
/^			break/i\
			//@ assert level(slot) == l;\
			//@ assert l == SEC ==> visit(wheel, slot) + timer->remaining == delta;\
			//@ assert l == MIN ==> visit(wheel, slot) + timer->remaining == delta;\
			//@ assert l == HOUR ==> visit(wheel, slot) + timer->remaining == delta;\
			//@ assert l == DAY ==> visit(wheel, slot) + timer->remaining == delta;\
			//@ assert l == WEEK ==> visit(wheel, slot) + timer->remaining == delta;
/^		ticks +=/a\
		//@ ghost l++;
/^	mend_slot/i\
	//@ assert l <= level || !spanned(wheel, l - 1, delta);\
	//@ assert l == WEEK || spanned(wheel, l, delta);\
	//@ assert 1 <= slot <= LAST_SLOT && level(slot) == l;\
	//@ assert visit(wheel, slot) + timer->remaining == delta;\
	//@ assert list_ok(wheel, timer, slot - 1);
/^	list_add_head/i\
	//@ assert list == &wheel->slot[slot - 1] && 1 <= slot;\
	//@ assert list_ok(wheel, timer, slot - 1);
}
# Nearest is not later than what is on the levels that have been looked at.
/^static uint32_t ticks_to_stop(/,/^}/{
/^	do {/i\
	//@ ghost int l = 0;\
	/*@ loop invariant 0 <= l < LEVELS && ring == &jif_rings[l];\
	  @ loop invariant hands == &wheel->hand[l];\
	  @ loop invariant 0 <= since == since(wheel, l) && since < unit(l);\
	  @ loop invariant first <= LAST_SLOT + 1 && nearest <= JIF_DELAY_MAX + 1;\
	  @ loop invariant clear(wheel, first_of(l), first);\
	  @ loop invariant NO_SLOT < first <= LAST_SLOT ==> occupied(wheel, first);\
	  @ loop invariant not_later(wheel, SEC_FIRST, first_of(l), nearest);\
	  @ loop assigns l, ring, hands, since, nearest, first, hand, slot;\
	  @ loop variant LEVELS - l; */
/^		if (first < ring\[1\]/i\
		//@ assert hand == wheel->hand[l] && in_ring(hand, l);\
		//@ assert clear(wheel, first_of(l), first);
/^			slot = (index_t)(slot - hand)/i\
			//@ assert first_of(l) <= first <= LAST_SLOT + 1;\
			//@ assert clear(wheel, first_of(l), first);\
			//@ assert first <= LAST_SLOT ==> occupied(wheel, first);\
			/*@ assert slot == first + ring->slots ||\
				(slot != ring[1].first && hand < slot); */\
			/*@ assert next: \\forall integer s; hand < s < first_of(l + 1) &&\
				occupied(wheel, s) ==> slot <= s; */\
			/*@ assert \\forall integer s; first_of(l) <= s <= hand &&\
				occupied(wheel, s) ==> slot <= s + ring->slots; */
/^		since +=/i\
		//@ assert l == SEC ==> not_later(wheel, SEC_FIRST, MIN_FIRST, nearest);\
		//@ assert l == MIN ==> not_later(wheel, MIN_FIRST, HOUR_FIRST, nearest);\
		//@ assert l == HOUR ==> not_later(wheel, HOUR_FIRST, DAY_FIRST, nearest);\
		//@ assert l == DAY ==> not_later(wheel, DAY_FIRST, WEEK_FIRST, nearest);\
		//@ assert l == WEEK ==> not_later(wheel, WEEK_FIRST, LAST_SLOT + 1, nearest);\
		//@ assert not_later(wheel, SEC_FIRST, first_of(l + 1), nearest);
/^		since +=/a\
		//@ assert l == WEEK ==> since <= 4 * WEEK_TICKS;\
		//@ assert l == SEC ==> since == since(wheel, MIN);\
		//@ assert l == MIN ==> since == since(wheel, HOUR);\
		//@ assert l == HOUR ==> since == since(wheel, DAY);\
		//@ assert l == DAY ==> since == since(wheel, WEEK);\
		//@ ghost l++;
/^	return nearest/i\
	//@ assert l == LEVELS || nearest <= unit(l) - since(wheel, l);\
	//@ assert not_later(wheel, SEC_FIRST, first_of(l), nearest);\
	//@ assert l <= MIN ==> nearest <= MIN_TICKS - since(wheel, MIN);\
	//@ assert l <= HOUR ==> nearest <= HOUR_TICKS - since(wheel, HOUR);\
	//@ assert l <= DAY ==> nearest <= DAY_TICKS - since(wheel, DAY);\
	//@ assert l <= WEEK ==> nearest <= WEEK_TICKS - since(wheel, WEEK);\
	//@ assert l <= MIN ==> not_later(wheel, MIN_FIRST, HOUR_FIRST, nearest);\
	//@ assert l <= HOUR ==> not_later(wheel, HOUR_FIRST, DAY_FIRST, nearest);\
	//@ assert l <= DAY ==> not_later(wheel, DAY_FIRST, WEEK_FIRST, nearest);\
	//@ assert l <= WEEK ==> not_later(wheel, WEEK_FIRST, LAST_SLOT + 1, nearest);
}
