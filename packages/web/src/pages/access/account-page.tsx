import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { NewPasswordFields, SecretField, useNewPassword } from '../../parts/form/secret-field.js';
import { useAnswer, useTask } from '../../parts/use-requests.js';
import { Form } from '../../parts/form/dialog.js';
import { accessTexts } from '../../texts/topics/access.js';
import { Card } from '../../parts/card.js';
import { Failure, PageHead } from '../../parts/placeholders.js';
import { CredentialsTable } from './credentials-table.js';
import { Button } from '../../parts/button.js';
import { OwnPasskeys } from './passkeys.js';

/** Changes one's own password. */
function OwnPassword(): VNode {
  const { access, client, texts, toasts, words } = usePage(accessTexts);
  const current = useSignal('');
  const task = useTask({ SIGN_IN_REFUSED: words.currentWrong });
  const chosen = useNewPassword(task);
  const submit = async (): Promise<void> => {
    if (current.value === '') task.fail(words.currentMissing, 'current');
    else if (
      chosen.check() &&
      (await task.run(() =>
        client.post('/api/password', { body: { current: current.value, password: chosen.password.value } }),
      ))
    ) {
      for (const each of [current, chosen.password, chosen.again]) each.value = '';
      toasts.done(words.changed);
    }
  };
  return (
    <Form task={task} label={texts.app.save} onSubmit={submit}>
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
        error={task.errorOf('current')}
      />
      <NewPasswordFields of={chosen} />
    </Form>
  );
}

/** One's own account: password, sessions, and signing out. */
export function AccountPage(): VNode {
  const { access, client, texts, words } = usePage(accessTexts);
  const { errorOf, isBusy, run } = useTask();
  const { user, provider: label } = access.info.value ?? {};
  // While the provider is away, nobody can sign out there.
  const { value: elsewhere } = useAnswer(
    async () => label && (await client.get('/api/session/provider/sign-out')).url,
    [label, user?.name],
  );
  const leave = (url?: string): void =>
    void run(async () => {
      await access.leave();
      if (url) location.assign(url);
    });
  return (
    <>
      <PageHead
        title={texts.access.account}
        hint={
          user &&
          `${words.signedInAs(user.name)} · ${texts.access.roles[user.role]}. ${words.roleHint[user.role]}`
        }
        actions={
          <>
            <Button class="button button-main" isDisabled={isBusy.value} onClick={() => leave()}>
              {texts.access.signOut}
            </Button>
            {label && elsewhere && (
              // The next person at a shared computer must not be able to sign in with one tap.
              <Button isDisabled={isBusy.value} onClick={() => leave(elsewhere)}>
                {words.signOutAt(label)}
              </Button>
            )}
          </>
        }
      />
      <Failure text={errorOf()} />
      <div class="stack account-parts">
        <Card title={words.ownPassword}>
          <OwnPassword />
        </Card>
        <OwnPasskeys />
        <section class="stack" aria-labelledby="own-sessions">
          <h2 id="own-sessions">{words.sessions}</h2>
          <p class="quiet">{words.sessionsHint}</p>
          <CredentialsTable />
        </section>
      </div>
    </>
  );
}
