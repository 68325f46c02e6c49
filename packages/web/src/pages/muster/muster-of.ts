import type { LastKnown } from '../../state/kept/last-known.js';
import type { Person } from '../../state/presence/person.js';
import type { Session } from '../../state/session.js';

export interface Muster {
  readonly people: readonly Person[];
  /** When it was true, in seconds since 1970. */
  readonly at: number;
  /** Whether it is what the service says now. */
  readonly isLive: boolean;
}

/**
 * Who is here: as the service says, or, while that cannot be reached, as it was said last.
 *
 * @param known What this browser has kept, for a page that has not reached the service yet.
 */
export function musterOf(
  { connection, clock, today }: Pick<Session, 'connection' | 'clock' | 'today'>,
  known: LastKnown | undefined,
): Muster | undefined {
  const { state, sinceMs } = connection.current.value;
  const isLoaded = today.isLoaded.value;
  const people = today.people.value;
  if (isLoaded && state === 'open') return { people, at: clock.now(), isLive: true };
  if (isLoaded) return { people, at: clock.toServiceTime(sinceMs), isLive: false };
  return state === 'waiting' && known !== undefined ? { ...known, isLive: false } : undefined;
}
