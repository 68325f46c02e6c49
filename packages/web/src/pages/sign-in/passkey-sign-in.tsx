import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { signWithPasskey, usePasskeyTask, whyNoPasskeys } from '../../parts/access/browser-passkeys.js';
import { Failure } from '../../parts/placeholders.js';
import type { SessionInfo } from '../../state/access.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { Button } from '../../parts/button.js';

/** Signs in without name and password, if the browser has passkeys here. */
export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: (info: SessionInfo) => void }): VNode {
  const { client, words } = usePage(passkeyTexts);
  const { errorOf, isBusy, run } = usePasskeyTask({
    SIGN_IN_REFUSED: words.refused,
    INVALID_PASSKEY: words.refused,
  });
  if (whyNoPasskeys() !== undefined) return <></>;
  const signIn = async (): Promise<void> => {
    await run(async () => {
      const options = await client.post('/api/session/passkey/challenge', { body: {} });
      onSignedIn(await client.post('/api/session/passkey', { body: await signWithPasskey(options) }));
    });
  };
  return (
    <div class="stack">
      <div class="actions">
        <Button isDisabled={isBusy.value} onClick={() => void signIn()}>
          {words.signIn}
        </Button>
      </div>
      <Failure text={errorOf()} />
    </div>
  );
}
