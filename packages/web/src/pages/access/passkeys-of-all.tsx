import type { VNode } from 'preact';
import { PasskeysTable } from '../../parts/passkeys/passkeys-table.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { passkeyTexts } from '../../texts/topics/passkeys.js';

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
