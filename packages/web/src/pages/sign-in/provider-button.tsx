import type { VNode } from 'preact';
import { TallybookClientError } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { useTask } from '../../parts/access/use-task.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { wordsOfFailure, type WordsByCode } from '../../parts/words/words-of-failure.js';
import { keepPlace } from '../../state/access/provider-answer.js';
import { providerTexts, type ProviderTexts } from '../../texts/topics/provider.js';

/** A button to the identity provider, if there is one. Also shows why somebody who came from there was refused. */
export function ProviderButton(): VNode | null {
  const { access, client, texts } = usePage();
  const words = useTopic(providerTexts);
  const label = access.info.value?.provider ?? '';
  const { failure, isBusy, run } = useTask({ IDENTITY_UNAVAILABLE: words.away(label) });
  const { value: refusal } = access.refusal;
  if (label === '') return null;
  const go = (): Promise<boolean> =>
    run(async () => {
      const url = await client.beginAtProvider();
      keepPlace(window);
      location.assign(url);
    });
  return (
    <div class="stack">
      <p class="field-error" role="alert">
        {failure.value ??
          (refusal === undefined ? '' : wordsOfFailure(refusal, texts, wordsOf(refusal, words, label)))}
      </p>
      <div class="actions">
        <button type="button" class="button" disabled={isBusy.value} onClick={() => void go()}>
          {words.signIn(label)}
        </button>
      </div>
    </div>
  );
}

function wordsOf(refusal: unknown, words: ProviderTexts, label: string): WordsByCode {
  const subject = refusal instanceof TallybookClientError ? refusal.subject : undefined;
  return {
    IDENTITY_UNAVAILABLE: words.away(label),
    IDENTITY_REFUSED: words.refused(label),
    IDENTITY_UNKNOWN: words.unknown(label, subject ?? ''),
    LAST_ADMIN: words.lastAdmin(label),
  };
}
