import { useSignal } from '@preact/signals';
import type { Passkey } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { Answered } from '../../parts/placeholders.js';
import { ConfirmDialog } from '../../parts/form/confirm-dialog.js';
import { Dialog, FormEnd } from '../../parts/form/dialog.js';
import { Table, type Column, type Sorting } from '../../parts/table.js';
import { useAnswer } from '../../parts/use-requests.js';
import { useTopic } from '../../parts/words.js';
import { SecretField } from '../../parts/access/secret-field.js';
import { Field } from '../../parts/form/field.js';
import { makePasskey, usePasskeyTask, whyNoPasskeys } from '../../parts/access/browser-passkeys.js';
import { accessTexts } from '../../texts/topics/access.js';
import { useIssuedColumns } from './credentials-table.js';
import { Button } from '../../parts/button.js';

/** Passkeys, with a button to remove each one. */
function PasskeysTable({
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
          <Button
            opensDialog
            label={words.removeOf(passkey.label)}
            onClick={() => (removing.value = passkey)}
          >
            {words.remove}
          </Button>
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

/** Adds a passkey. The password proves that the signed-in user asks for it; then the browser makes it. */
function PasskeyDialog({ onClose }: { readonly onClose: (isAdded: boolean) => void }): VNode {
  const { client, toasts } = usePage();
  const words = useTopic(passkeyTexts);
  const { currentMissing, currentWrong } = useTopic(accessTexts);
  const label = useSignal('');
  const password = useSignal('');
  const missing = useSignal<'label' | 'password' | undefined>(undefined);
  const task = usePasskeyTask({
    ...{ SIGN_IN_REFUSED: currentWrong, NOT_ALLOWED: words.elsewhere },
    ...{ INVALID_PASSKEY: words.invalid, ACCESS_LIMIT_REACHED: words.tooMany },
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    const name = label.value.trim();
    missing.value = name === '' ? 'label' : password.value === '' ? 'password' : undefined;
    if (missing.value !== undefined) return;
    const isDone = await task.run(async () => {
      const options = await client.requestPasskey(password.value);
      await client.addPasskey(name, await makePasskey(options));
    });
    if (!isDone) return;
    password.value = '';
    toasts.show({ kind: 'done', text: words.added(name) });
    onClose(true);
  };
  return (
    <Dialog title={words.add} onClose={() => onClose(false)}>
      <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={words.label}
          value={label.value}
          hint={words.labelHint}
          maxLength={100}
          error={missing.value === 'label' ? words.labelMissing : undefined}
          onInput={(value) => (label.value = value)}
          autoFocus
        />
        <SecretField
          label={words.password}
          value={password}
          purpose="current-password"
          hint={words.passwordHint}
          error={missing.value === 'password' ? currentMissing : undefined}
        />
        <FormEnd task={task} label={words.add} onCancel={() => onClose(false)} />
      </form>
    </Dialog>
  );
}

/** One's own passkeys; or the reason why this browser has no passkeys here. */
export function OwnPasskeys(): VNode {
  const { access } = usePage();
  const words = useTopic(passkeyTexts);
  const isAdding = useSignal(false);
  const version = useSignal(0);
  const why = whyNoPasskeys();
  return (
    <section class="stack" aria-labelledby="own-passkeys">
      <h2 id="own-passkeys">{words.title}</h2>
      <p class="quiet">{words.hint}</p>
      {why === undefined ? (
        <div class="actions">
          <Button opensDialog onClick={() => (isAdding.value = true)}>
            {words.add}
          </Button>
        </div>
      ) : (
        <p class="notice">{words.why[why]}</p>
      )}
      <PasskeysTable isAll={false} version={version.value} />
      {isAdding.value && (
        <PasskeyDialog
          onClose={(isAdded) => {
            isAdding.value = false;
            if (!isAdded) return;
            version.value++;
            // From now on the user may sign in with it.
            void access.load();
          }}
        />
      )}
    </section>
  );
}

/** The passkeys of all users, for people who manage access. */
export function PasskeysOfAll(): VNode {
  const { title } = useTopic(passkeyTexts);
  return (
    <section class="stack" aria-labelledby="all-passkeys">
      <h2 id="all-passkeys">{title}</h2>
      <PasskeysTable isAll version={0} />
    </section>
  );
}
