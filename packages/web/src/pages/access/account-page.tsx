import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTask } from '../../parts/access/use-task.js';
import { Card } from '../../parts/card.js';
import { lazy } from '../../parts/placeholders/lazy.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';
import { CredentialsTable } from './credentials-table.js';
import { OwnPassword } from './own-password.js';

const OwnPasskeys = lazy(async () => (await import('./own-passkeys.js')).OwnPasskeys);

/** Who one is here: password, sessions, and the way out. */
export function AccountPage(): VNode {
  const { access, texts } = usePage();
  const words = useTopic(accessTexts);
  const { failure, isBusy, run } = useTask();
  const user = access.info.value?.user;
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
          <button
            type="button"
            class="button button-main"
            disabled={isBusy.value}
            onClick={() => void run(() => access.leave())}
          >
            {texts.access.signOut}
          </button>
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
