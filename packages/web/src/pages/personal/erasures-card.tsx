import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders/answered.js';
import { Card } from '../../parts/card.js';
import { useAnswer } from '../../parts/use-answer.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { personalTexts } from '../../texts/topics/personal.js';

/** The erasures, which do not name the persons. */
export function ErasuresCard(): VNode {
  const { client, formats } = usePage();
  const words = useTopic(personalTexts);
  const asked = useAnswer(() => client.listErasures(), []);
  return (
    <Card title={words.erasures}>
      <p class="quiet">{words.erasuresHint}</p>
      <Answered asked={asked}>
        {(all) =>
          all.length === 0 ? (
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
          )
        }
      </Answered>
    </Card>
  );
}
