import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/access/secret-field.js';
import { useAnswer, useTask } from '../../parts/use-requests.js';
import { FormEnd } from '../../parts/form/dialog.js';
import { useTopic } from '../../parts/words.js';
import { accessTexts } from '../../texts/topics/access.js';
import { Card } from '../../parts/card.js';
import { lazy } from '../../parts/placeholders.js';
import { CredentialsTable } from './credentials-table.js';
import { Button } from '../../parts/button.js';

/** Changes one's own password. */
function OwnPassword(): VNode {
  const { access, client, toasts } = usePage();
  const words = useTopic(accessTexts);
  const current = useSignal('');
  const isMissing = useSignal(false);
  const chosen = useNewPassword();
  const task = useTask({
    SIGN_IN_REFUSED: words.currentWrong,
    INVALID_PASSWORD: words.badPassword,
  });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    task.fail(undefined);
    isMissing.value = current.value === '';
    if (!chosen.check() || isMissing.value) return;
    const isDone = await task.run(() => client.changePassword(current.value, chosen.password.value));
    if (!isDone) return;
    current.value = '';
    chosen.password.value = '';
    chosen.again.value = '';
    toasts.show({ kind: 'done', text: words.changed });
  };
  return (
    <form class="stack" method="post" onSubmit={(event) => void submit(event)} noValidate>
      <p class="quiet">{words.ownPasswordHint}</p>
      {/* For password managers: the user of the password. */}
      <input
        type="text"
        name="username"
        autoComplete="username"
        value={access.info.value?.user?.name ?? ''}
        readOnly
        hidden
      />
      <SecretField
        label={words.current}
        value={current}
        purpose="current-password"
        error={isMissing.value ? words.currentMissing : undefined}
      />
      <NewPasswordFields of={chosen} />
      <FormEnd task={task} label={words.save} />
    </form>
  );
}

const OwnPasskeys = lazy(async () => (await import('./passkeys.js')).OwnPasskeys);

/** One's own account: password, sessions, and signing out. */
export function AccountPage(): VNode {
  const { access, client, texts } = usePage();
  const words = useTopic(accessTexts);
  const { failure, isBusy, run } = useTask();
  const { user, provider: label } = access.info.value ?? {};
  // While the provider is away, nobody can sign out there.
  const { value: elsewhere } = useAnswer(
    async () => label && client.readProviderSignOut(),
    [label, user?.name],
  );
  const leave = (url?: string): void =>
    void run(async () => {
      await access.leave();
      if (url) location.assign(url);
    });
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.access.account}</h1>
          {user && (
            <p class="quiet">
              {words.signedInAs(user.name)} · {texts.access.roles[user.role]}. {words.roleHint[user.role]}
            </p>
          )}
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        </div>
        <div class="actions">
          <Button class="button button-main" isDisabled={isBusy.value} onClick={() => leave()}>
            {texts.access.signOut}
          </Button>
          {label && elsewhere && (
            // The next person at a shared computer must not be able to sign in with one tap.
            <Button isDisabled={isBusy.value} onClick={() => leave(elsewhere)}>
              {words.signOutAt(label)}
            </Button>
          )}
        </div>
      </div>
      <div class="stack account-parts">
        <Card title={words.ownPassword}>
          <OwnPassword />
        </Card>
        <OwnPasskeys />
        <section class="stack" aria-labelledby="own-sessions">
          <h2 id="own-sessions">{words.sessions}</h2>
          <p class="quiet">{words.sessionsHint}</p>
          <CredentialsTable isAll={false} version={0} />
        </section>
      </div>
    </>
  );
}
