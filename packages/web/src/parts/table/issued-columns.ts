import { usePage } from '../../page-context.js';
import { accessTexts } from '../../texts/topics/access.js';
import type { Column } from './table-props.js';
import { useTopic } from '../words/use-topic.js';

/** A session, a token or a passkey. */
export interface Issued {
  /** `null` if it belongs to no user. */
  readonly user: string | null;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Number of the day of the last use; `null` if it was not used yet. */
  readonly lastUsed: number | null;
}

/** The common columns of tables of sessions, tokens and passkeys: user, time of making, last use. */
export function useIssuedColumns(): Readonly<Record<'whose' | 'since' | 'used', Column<Issued>>> {
  const { formats } = usePage();
  const words = useTopic(accessTexts);
  return {
    whose: {
      key: 'whose',
      label: words.whose,
      cell: ({ user }) => user ?? '',
      compare: (one, other) => (one.user ?? '').localeCompare(other.user ?? ''),
    },
    since: {
      key: 'since',
      label: words.since,
      cell: ({ createdAt }) => formats.dateTime(createdAt),
      compare: (one, other) => one.createdAt - other.createdAt,
    },
    used: {
      key: 'used',
      label: words.lastUsed,
      cell: ({ lastUsed }) => (lastUsed === null ? words.unused : formats.shortDay(lastUsed)),
      compare: (one, other) => (one.lastUsed ?? 0) - (other.lastUsed ?? 0),
    },
  };
}
