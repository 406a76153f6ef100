# Contracts of a loop in lib/wheel.c: a copy with these is what is proved.
/^static uint32_t time_left(/,/^}/{
/^	while (/i\
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
/^		ring++;/a\
		//@ ghost l++;
/^	slots = timer/i\
	//@ assert l == level(timer->where);
}
