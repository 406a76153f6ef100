# Contracts of loops in lib/wheel.c: a copy with these is what is proved. What
# place() has found is asserted level by level, which the provers need.
/^FAST struct jif_timer \*\*place(/,/^}/{
/^	JIF_UNROLL/i\
	//@ ghost int l = 0;\
	/*@ loop invariant 0 <= l <= WEEK && ring == &jif_rings[l];\
	  @ loop invariant hand == &wheel->hand[l] && slot == NO_SLOT;\
	  @ loop invariant moved == &wheel->moved[l];\
	  @ loop invariant lowest: l <= level ||\
	  @	!spanned(wheel, l - 1, ticks(wheel->clk, expires));\
	  @ loop assigns ring, hand, moved, l, ticks, slots, slot, timer->remaining;\
	  @ loop variant WEEK - l; */
/^			continue;/{
i\
		{\
			//@ ghost l++;
a\
		}
}
/^		ticks = /i\
		//@ assert l == SEC ==> spanned(wheel, SEC, ticks(wheel->clk, expires));\
		//@ assert l == MIN ==> spanned(wheel, MIN, ticks(wheel->clk, expires));\
		//@ assert l == HOUR ==> spanned(wheel, HOUR, ticks(wheel->clk, expires));\
		//@ assert l == DAY ==> spanned(wheel, DAY, ticks(wheel->clk, expires));
/^		ticks = /a\
		//@ assert l == SEC ==> ticks == ticks(wheel->clk, expires);\
		//@ assert l == MIN ==> ticks == ticks(wheel->clk, expires) + since(wheel, MIN);\
		//@ assert l == HOUR ==> ticks == ticks(wheel->clk, expires) + since(wheel, HOUR);\
		//@ assert l == DAY ==> ticks == ticks(wheel->clk, expires) + since(wheel, DAY);\
		//@ assert since(wheel, l) == 0 || ticks >= unit(l);
/^		break/i\
		//@ assert level(slot) == l;\
		//@ assert found: l == SEC ==> visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);\
		//@ assert found: l == MIN ==> visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);\
		//@ assert found: l == HOUR ==> visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);\
		//@ assert found: l == DAY ==> visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);
/^	if (slot == NO_SLOT)/i\
	//@ assert l <= level || !spanned(wheel, l - 1, ticks(wheel->clk, expires));\
	//@ assert l == WEEK <==> slot == NO_SLOT;\
	//@ assert l == WEEK || spanned(wheel, l, ticks(wheel->clk, expires));\
	//@ assert l == WEEK || visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);
/^	list = /i\
	//@ assert 1 <= slot <= LAST_SLOT && level(slot) == l;\
	//@ assert l <= level || !spanned(wheel, l - 1, ticks(wheel->clk, expires));\
	//@ assert l == WEEK || visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);\
	//@ assert list_ok(wheel, timer, slot - 1);
/^	list_add_head/i\
	//@ assert list == &wheel->slot[slot - 1] && 1 <= slot;\
	//@ assert list_ok(wheel, timer, slot - 1);\
	//@ assert near: l == WEEK || visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);
/^	return list/i\
	//@ assert near: l == WEEK || visit(wheel, slot) + timer->remaining == ticks(wheel->clk, expires);\
	//@ assert near: timer->where == slot && level(slot) == l;
}
