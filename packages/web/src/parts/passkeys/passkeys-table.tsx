import { useSignal } from '@preact/signals';
import type { Passkey } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { useIssuedColumns } from '../table/issued-columns.js';
import { Answered } from '../placeholders/answered.js';
import { ConfirmDialog } from '../form/confirm-dialog.js';
import { Table, type Column, type Sorting } from '../table/table.js';
import { useAnswer } from '../use-answer.js';
import { useTopic } from '../words/use-topic.js';

/** Passkeys, with a button to remove each one. */
export function PasskeysTable({
  isAll,
  version,
}: {
  /** Whether the table has those of everybody, not only one's own. */
  readonly isAll: boolean;
  /** Changes whenever there may be more rows. */
  readonly version: number;
}): VNode {
  const { access, client, toasts, formats } = usePage();
  const words = useTopic(passkeyTexts);
  const asked = useAnswer(() => client.listPasskeys({ all: isAll }), [isAll, version]);
  const sorting = useSignal<Sorting>({ key: 'since', isDescending: true });
  const removing = useSignal<Passkey | undefined>(undefined);
  const issued = useIssuedColumns();
  const columns = useMemo<readonly Column<Passkey>[]>(() => {
    const { whose, since, used } = issued;
    return [
      { key: 'label', label: words.label, isHeader: true, cell: ({ label }) => label },
      ...(isAll ? [whose] : []),
      { key: 'host', label: words.host, cell: ({ host }) => host },
      {
        key: 'where',
        label: words.where,
        cell: ({ isSynced }) => (isSynced ? words.synced : words.onDevice),
      },
      since,
      used,
      {
        key: 'remove',
        label: words.remove,
        cell: (passkey) => (
          <button
            type="button"
            class="button"
            aria-haspopup="dialog"
            aria-label={words.removeOf(passkey.label)}
            onClick={() => (removing.value = passkey)}
          >
            {words.remove}
          </button>
        ),
      },
    ];
  }, [words, formats, isAll]);
  const { value: leaving } = removing;
  return (
    <>
      <Answered asked={asked}>
        {(all) =>
          all.length === 0 ? (
            <p class="quiet">{isAll ? words.noneOfAll : words.none}</p>
          ) : (
            <Table
              caption={words.title}
              columns={columns}
              rows={all}
              keyOf={({ id }) => id}
              sorting={sorting}
            />
          )
        }
      </Answered>
      {leaving !== undefined && (
        <ConfirmDialog
          title={words.removeOf(leaving.label)}
          confirm={words.remove}
          run={async () => {
            await client.removePasskey(leaving.id);
            toasts.show({ kind: 'done', text: words.removed(leaving.label) });
            asked.load();
            void access.load();
          }}
          onClose={() => (removing.value = undefined)}
        >
          <p>{words.removeHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
