import type { LastKnown } from '../../state/kept/last-known.js';
import type { Person } from '../../state/presence/person.js';
import type { Session } from '../../state/session.js';

export interface Muster {
  readonly people: readonly Person[];
  /** The time of the list, in seconds since 1970. */
  readonly at: number;
  /** Whether the list comes live from the service. */
  readonly isLive: boolean;
}

/**
 * The people who are here: from the service, or from its last answer while it cannot be reached.
 *
 * @param known The list that this browser has kept, for a page that has not reached the service yet.
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
