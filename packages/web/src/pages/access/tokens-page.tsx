import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Icon } from '../../parts/icon.js';
import { lazy } from '../../parts/placeholders/lazy.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { accessTexts } from '../../texts/topics/access.js';
import { CredentialsTable } from './credentials-table.js';
import { TokenDialog } from './token-dialog.js';

const AllPasskeys = lazy(async () => (await import('./passkeys-of-all.js')).PasskeysOfAll);

/** Tokens, sessions and passkeys of everybody. */
export function TokensPage(): VNode {
  const words = useTopic(accessTexts);
  const isMaking = useSignal(false);
  const version = useSignal(0);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.tokens}</h1>
          <p class="quiet">{words.tokensHint}</p>
        </div>
        <div class="actions">
          <button type="button" class="button button-main" onClick={() => (isMaking.value = true)}>
            <Icon name="add" />
            {words.makeToken}
          </button>
        </div>
      </div>
      <CredentialsTable isAll version={version.value} />
      <AllPasskeys />
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
