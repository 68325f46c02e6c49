import { effect, untracked } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../page-context.js';
import type { Tap } from '../state/service/service.js';

/** Calls a function for every tap while the component is on the page. */
export function useTaps(take: (tap: Tap) => void): void {
  const { session } = usePage();
  const latest = useRef(take);
  latest.current = take;
  // A layout effect, so that it runs with the drawing: somebody who sees the page may tap at once.
  useLayoutEffect(() => {
    let seenNumber = session.today.lastTap.peek()?.number;
    return effect(() => {
      const seen = session.today.lastTap.value;
      if (seen === undefined || seen.number === seenNumber) return;
      seenNumber = seen.number;
      untracked(() => latest.current(seen.tap));
    });
  }, [session]);
}
