import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTask } from '../../parts/access/use-task.js';
import { Card } from '../../parts/card.js';
import { lazy } from '../../parts/placeholders/lazy.js';
import { useAnswer } from '../../parts/use-answer.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';
import { CredentialsTable } from './credentials-table.js';
import { OwnPassword } from './own-password.js';

const OwnPasskeys = lazy(async () => (await import('./own-passkeys.js')).OwnPasskeys);

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
              {words.signedInAs(user.name)} · {texts.access.roles[user.role] ?? user.role}.{' '}
              {words.roleHint[user.role]}
            </p>
          )}
          <p class="field-error" role="alert">
            {failure.value}
          </p>
        </div>
        <div class="actions">
          <button type="button" class="button button-main" disabled={isBusy.value} onClick={() => leave()}>
            {texts.access.signOut}
          </button>
          {label && elsewhere && (
            // The next person at a shared computer must not be able to sign in with one tap.
            <button type="button" class="button" disabled={isBusy.value} onClick={() => leave(elsewhere)}>
              {words.signOutAt(label)}
            </button>
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
