import { useSignal } from '@preact/signals';
import type { Passkey } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { ConfirmDialog, FormDialog } from '../../parts/form/dialog.js';
import { AnsweredTable, type Column } from '../../parts/table.js';
import { useAnswer } from '../../parts/use-requests.js';
import { SecretField } from '../../parts/form/secret-field.js';
import { Field } from '../../parts/form/field.js';
import { makePasskey, usePasskeyTask, whyNoPasskeys } from '../../parts/access/browser-passkeys.js';
import { accessTexts } from '../../texts/topics/access.js';
import { useIssuedColumns, type IssuedTableProps } from './credentials-table.js';
import { Button } from '../../parts/button.js';

/** Passkeys, with a button to remove each one. */
function PasskeysTable({ isAll = false, version }: IssuedTableProps): VNode {
  const { access, client, texts, toasts, words } = usePage(passkeyTexts);
  const asked = useAnswer(
    () => client.get('/api/passkeys', { query: { all: isAll ? '1' : undefined } }),
    [isAll, version],
  );
  const removing = useSignal<Passkey | undefined>(undefined);
  const { whose, since, used } = useIssuedColumns();
  const columns: readonly Column<Passkey>[] = [
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
      label: texts.app.remove,
      cell: (passkey) => (
        <Button opensDialog label={words.removeOf(passkey.label)} onClick={() => (removing.value = passkey)}>
          {texts.app.remove}
        </Button>
      ),
    },
  ];
  const { value: leaving } = removing;
  return (
    <>
      <AnsweredTable
        asked={asked}
        empty={<p class="quiet">{isAll ? words.noneOfAll : words.none}</p>}
        caption={words.title}
        columns={columns}
        keyOf={({ id }) => id}
        sortedBy="since"
        isDescending
      />
      {leaving !== undefined && (
        <ConfirmDialog
          title={words.removeOf(leaving.label)}
          label={texts.app.remove}
          run={async () => {
            await client.delete('/api/passkeys', { query: { id: leaving.id } });
            toasts.done(words.removed(leaving.label));
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
  const { client, toasts, words } = usePage(passkeyTexts);
  const {
    words: { currentMissing, currentWrong },
  } = usePage(accessTexts);
  const label = useSignal('');
  const password = useSignal('');
  const task = usePasskeyTask({
    SIGN_IN_REFUSED: currentWrong,
    NOT_ALLOWED: words.elsewhere,
    INVALID_PASSKEY: words.invalid,
    ACCESS_LIMIT_REACHED: words.tooMany,
  });
  const submit = async (): Promise<void> => {
    const name = label.value.trim();
    if (name === '') task.fail(words.labelMissing, 'label');
    else if (password.value === '') task.fail(currentMissing, 'password');
    else
      await task.run(async () => {
        const options = await client.post('/api/passkeys/challenge', { body: { password: password.value } });
        const answer = await makePasskey(options);
        await client.post('/api/passkeys', { body: { label: name, answer } });
        password.value = '';
        toasts.done(words.added(name));
        onClose(true);
      });
  };
  return (
    <FormDialog
      title={words.add}
      task={task}
      label={words.add}
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      <Field
        label={words.label}
        value={label}
        hint={words.labelHint}
        maxLength={100}
        error={task.errorOf('label')}
        autoFocus
      />
      <SecretField
        label={words.password}
        value={password}
        purpose="current-password"
        hint={words.passwordHint}
        error={task.errorOf('password')}
      />
    </FormDialog>
  );
}

/** One's own passkeys; or the reason why this browser has no passkeys here. */
export function OwnPasskeys(): VNode {
  const { access, words } = usePage(passkeyTexts);
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
      <PasskeysTable version={version.value} />
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
  const {
    words: { title },
  } = usePage(passkeyTexts);
  return (
    <section class="stack" aria-labelledby="all-passkeys">
      <h2 id="all-passkeys">{title}</h2>
      <PasskeysTable isAll />
    </section>
  );
}
