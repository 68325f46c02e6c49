import type { Credential } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { accessTexts } from '../../texts/topics/access.js';
import { AnsweredTable, type Column } from '../../parts/table.js';
import { useAnswer, useTask } from '../../parts/use-requests.js';
import { FailureNotice } from '../../parts/placeholders.js';
import { Button } from '../../parts/button.js';

/** A session, a token or a passkey. */
interface Issued {
  /** `null` if it belongs to no user. */
  readonly user: string | null;
  /** Seconds since 1970. */
  readonly createdAt: number;
  /** Number of the day of the last use; `null` if it was not used yet. */
  readonly lastUsed: number | null;
}

/** The common columns of tables of sessions, tokens and passkeys: user, time of making, last use. */
export function useIssuedColumns(): Readonly<Record<'whose' | 'since' | 'used', Column<Issued>>> {
  const { formats, words } = usePage(accessTexts);
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

export interface IssuedTableProps {
  /** Whether the table has those of everybody, not only one's own. */
  readonly isAll?: boolean;
  /** Changes whenever there may be more rows. */
  readonly version?: number;
}

/** Sessions and tokens, with a button to end each one. */
export function CredentialsTable({ isAll = false, version }: IssuedTableProps): VNode {
  const { access, client, texts, toasts, formats, words } = usePage(accessTexts);
  const asked = useAnswer(
    () => client.get('/api/credentials', { query: { all: isAll ? '1' : undefined } }),
    [isAll, version],
  );
  const { errorOf, run } = useTask();
  const revoke = async ({ id, label }: Credential): Promise<void> => {
    if (!(await run(() => client.delete('/api/credentials', { query: { id: id } })))) return;
    toasts.done(words.revoked(label));
    asked.load();
    // It may have been the session of this page.
    void access.load();
  };
  const { whose, since, used } = useIssuedColumns();
  const columns: readonly Column<Credential>[] = [
    {
      key: 'label',
      label: words.label,
      isHeader: true,
      cell: ({ label, isCurrent }) => (
        <>
          {label}
          {isCurrent && <span class="mark-guest">{words.here}</span>}
        </>
      ),
    },
    { key: 'kind', label: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { key: 'role', label: words.role, cell: ({ role }) => texts.access.roles[role] },
    ...(isAll ? [whose] : []),
    since,
    used,
    {
      key: 'until',
      label: words.until,
      cell: ({ expiresAt }) => (expiresAt === null ? words.never : formats.dateTime(expiresAt)),
    },
    {
      key: 'revoke',
      label: words.revoke,
      cell: (credential) => (
        <Button label={words.revokeOf(credential.label)} onClick={() => void revoke(credential)}>
          {words.revoke}
        </Button>
      ),
    },
  ];
  return (
    <>
      <FailureNotice text={errorOf()} />
      <AnsweredTable
        asked={asked}
        empty={<p class="quiet">{words.noTokens}</p>}
        caption={words.tokens}
        columns={columns}
        keyOf={({ id }) => id}
        sortedBy="since"
        isDescending
      />
    </>
  );
}
