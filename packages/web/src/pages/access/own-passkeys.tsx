import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { PasskeysTable } from '../../parts/passkeys/passkeys-table.js';
import { whyNoPasskeys } from '../../parts/passkeys/browser-passkeys.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';
import { PasskeyDialog } from './passkey-dialog.js';

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
          <button type="button" class="button" aria-haspopup="dialog" onClick={() => (isAdding.value = true)}>
            {words.add}
          </button>
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
