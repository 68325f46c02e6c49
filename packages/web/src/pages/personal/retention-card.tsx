import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { CannotRead } from '../../parts/placeholders/cannot-read.js';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/placeholders/loading.js';
import { useAnswer } from '../../parts/use-answer.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { personalTexts } from '../../texts/topics/personal.js';

/** How long days are kept, and the data that would be removed today. */
export function RetentionCard(): VNode {
  const { client, formats } = usePage();
  const words = useTopic(personalTexts);
  const { value: report, isMissing, load } = useAnswer(() => client.readRetention(), []);
  if (report === undefined) {
    return <Card title={words.retention}>{isMissing ? <CannotRead onTryAgain={load} /> : <Loading />}</Card>;
  }
  const { keep, firstKept, days, backups, doubt } = report;
  const entries = days.reduce((sum, each) => sum + each.entries, 0);
  return (
    <Card title={words.retention}>
      <p>{keep === null ? words.keepsAll : words.keeps(words.units(keep))}</p>
      {keep !== null && (
        <p>
          {days.length === 0 ? words.nothingGoes : words.goes(days.length, entries)}{' '}
          {firstKept !== null && words.firstKept(formats.day(firstKept))}
        </p>
      )}
      {doubt !== null && <p class="notice">{words.doubt[doubt]}</p>}
      {days.length > 0 && (
        <details>
          <summary>{words.days}</summary>
          <ul>
            {days.map(({ day, entries: count }) => (
              <li key={day}>
                {formats.shortDay(day)} · {formats.number(count)}
              </li>
            ))}
          </ul>
        </details>
      )}
      {backups.length > 0 && (
        <ul class="file-names">
          {backups.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
