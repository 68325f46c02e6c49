import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { CannotRead } from '../../parts/placeholders/cannot-read.js';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/placeholders/loading.js';
import { useAnswer } from '../../parts/use-answer.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { personalTexts } from '../../texts/topics/personal.js';

/** Who was erased, without saying who. */
export function ErasuresCard(): VNode {
  const { client, formats } = usePage();
  const words = useTopic(personalTexts);
  const { value: all, isMissing, load } = useAnswer(() => client.listErasures(), []);
  return (
    <Card title={words.erasures}>
      <p class="quiet">{words.erasuresHint}</p>
      {all === undefined ? (
        isMissing ? (
          <CannotRead onTryAgain={load} />
        ) : (
          <Loading />
        )
      ) : all.length === 0 ? (
        <p>{words.noErasures}</p>
      ) : (
        <ul class="file-names">
          {all.map(({ digest, until, expiresAt }) => (
            <li key={digest}>
              {words.when} {formats.dateTime(until)} · {words.until} {formats.dateTime(expiresAt)} ·{' '}
              <code>{digest.slice(0, 8)}</code>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
