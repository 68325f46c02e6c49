import { useSignal } from '@preact/signals';
import type { Role } from '@tallybook/client';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { useTask } from '../../parts/use-requests.js';
import { Dialog, FormDialog } from '../../parts/form/dialog.js';
import { Field, Select } from '../../parts/form/field.js';
import { accessTexts } from '../../texts/topics/access.js';
import { PageHead } from '../../parts/placeholders.js';
import { RoleChoice } from './role-choice.js';
import { CredentialsTable } from './credentials-table.js';
import { Button } from '../../parts/button.js';
import { PasskeysOfAll } from './passkeys.js';

const LENGTHS = ['30', '365', ''] as const;

/** Makes a token, and shows it only once. The page does not keep it. */
function TokenDialog({ onClose }: { readonly onClose: (isMade: boolean) => void }): VNode {
  const { client, words } = usePage(accessTexts);
  const label = useSignal('');
  const role = useSignal<Role>('device');
  const days = useSignal<string>('365');
  const token = useSignal<string | undefined>(undefined);
  const task = useTask();
  const submit = async (): Promise<void> => {
    const wanted = {
      label: label.value.trim(),
      role: role.value,
      ...(days.value !== '' && { days: Number(days.value) }),
    };
    if (wanted.label === '') task.fail(words.labelMissing, 'label');
    else
      await task.run(async () => (token.value = (await client.post('/api/tokens', { body: wanted })).token));
  };
  if (token.value !== undefined) {
    return (
      <Dialog title={words.tokenMade} onClose={() => onClose(true)}>
        <MadeToken token={token.value} onClose={() => onClose(true)} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.makeToken}
      task={task}
      label={words.makeToken}
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
      <RoleChoice role={role} roles={['device', 'station', 'viewer', 'desk', 'admin']} />
      <Select
        label={words.ends}
        value={days.value}
        options={LENGTHS.map((each) => [each, each === '' ? words.never : `${each} ${words.days}`])}
        onChoose={(value) => (days.value = value)}
      />
    </FormDialog>
  );
}

function MadeToken({ token, onClose }: { readonly token: string; readonly onClose: () => void }): VNode {
  const { words } = usePage(accessTexts);
  const said = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const copy = async (): Promise<void> => {
    input.current?.select();
    try {
      // Over plain http, browsers have no clipboard.
      await navigator.clipboard.writeText(token);
      said.value = words.copied;
    } catch {
      said.value = words.notCopied;
    }
  };
  return (
    <div class="stack">
      <p class="notice">{words.tokenOnce}</p>
      <div class="field">
        <label for="made-token">{words.token}</label>
        <div class="secret">
          <input id="made-token" ref={input} class="id" readOnly value={token} autoComplete="off" />
          <Button icon="copy" onClick={() => void copy()}>
            {words.copy}
          </Button>
        </div>
        <p role="status">{said.value}</p>
      </div>
      <div class="actions">
        <Button class="button button-main" onClick={onClose}>
          {words.finish}
        </Button>
      </div>
    </div>
  );
}

/** Tokens, sessions and passkeys of everybody. */
export function TokensPage(): VNode {
  const { words } = usePage(accessTexts);
  const isMaking = useSignal(false);
  const version = useSignal(0);
  return (
    <>
      <PageHead
        title={words.tokens}
        hint={words.tokensHint}
        actions={
          <Button icon="add" class="button button-main" onClick={() => (isMaking.value = true)}>
            {words.makeToken}
          </Button>
        }
      />
      <CredentialsTable isAll version={version.value} />
      <PasskeysOfAll />
      {isMaking.value && (
        <TokenDialog
          onClose={(isMade) => {
            isMaking.value = false;
            if (isMade) version.value++;
          }}
        />
      )}
    </>
  );
}
