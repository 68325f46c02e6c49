import { useSignal } from '@preact/signals';
import type { Credential } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { useIssuedColumns } from '../../parts/table/issued-columns.js';
import { useTask } from '../../parts/access/use-task.js';
import { Answered } from '../../parts/placeholders/answered.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import { useAnswer } from '../../parts/use-answer.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';

/** Sessions and tokens, with a button to end each one. */
export function CredentialsTable({
  isAll,
  version,
}: {
  /** Whether the table has those of everybody, not only one's own. */
  readonly isAll: boolean;
  /** Changes whenever there may be more rows. */
  readonly version: number;
}): VNode {
  const { access, client, texts, toasts, formats } = usePage();
  const words = useTopic(accessTexts);
  const asked = useAnswer(() => client.listCredentials({ all: isAll }), [isAll, version]);
  const sorting = useSignal<Sorting>({ key: 'since', isDescending: true });
  const { failure, run } = useTask();
  const revoke = async ({ id, label }: Credential): Promise<void> => {
    if (!(await run(() => client.revokeCredential(id)))) return;
    toasts.show({ kind: 'done', text: words.revoked(label) });
    asked.load();
    // It may have been the session of this page.
    void access.load();
  };
  const issued = useIssuedColumns();
  const columns = useMemo<readonly Column<Credential>[]>(() => {
    const { whose, since, used } = issued;
    return [
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
      { key: 'role', label: words.role, cell: ({ role }) => texts.access.roles[role] ?? role },
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
          <button
            type="button"
            class="button"
            aria-label={words.revokeOf(credential.label)}
            onClick={() => void revoke(credential)}
          >
            {words.revoke}
          </button>
        ),
      },
    ];
  }, [words, texts, formats, isAll]);
  return (
    <>
      <div role="alert">
        {failure.value !== undefined && <p class="notice notice-bad">{failure.value}</p>}
      </div>
      <Answered asked={asked}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">{words.noTokens}</p>
          ) : (
            <Table
              caption={words.tokens}
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              sorting={sorting}
            />
          )
        }
      </Answered>
    </>
  );
}
