import type { Backlog, HealthStatus, Provisional } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { groupedId } from '../../parts/words/grouped-id.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { careTexts } from '../../texts/topics/care.js';

/** Whether every tap is recorded, with the right time. */
export function RecordCard({
  backlog: { waiting, limit, refused },
  store,
  provisional,
}: {
  readonly backlog: Backlog;
  /** Health of the store; `undefined` if it is not known. */
  readonly store: HealthStatus | undefined;
  readonly provisional: Provisional;
}): VNode {
  const { session, texts, formats } = usePage();
  const nameOf = (id: string): string => {
    const name = session.names.all.value.get(id);
    return name === undefined ? groupedId(id) : formats.name(name);
  };
  const { waiting: timeless, estimated } = provisional;
  const words = useTopic(careTexts);
  const isBroken = store === 'fail';
  return (
    <Card
      title={texts.care.record}
      health={isBroken || waiting > 0 || refused > 0 ? 'bad' : timeless.length > 0 ? 'odd' : 'good'}
      says={
        waiting > 0
          ? texts.care.backlog(waiting, limit)
          : isBroken
            ? `${words.parts['store']}: ${words.partStatus.fail}`
            : texts.care.allWritten
      }
    >
      {refused > 0 && <p class="notice notice-bad">{texts.care.refused(refused)}</p>}
      {timeless.length === 0 ? (
        <p>{texts.care.noProvisional}.</p>
      ) : (
        <details open>
          <summary>{texts.care.provisional(timeless.length)}</summary>
          <ol class="scans">
            {timeless.map(({ sequence, id, reader, notBefore }) => (
              <li key={sequence}>
                {nameOf(id)}{' '}
                <span class="quiet">
                  {texts.care.notBefore(formats.dateTime(notBefore))} · {reader}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
      {estimated.length > 0 && (
        <details>
          <summary>{texts.care.estimated(estimated.length)}</summary>
          <ol class="scans">
            {estimated.map(({ sequence, id, reader, at, earliest, latest }) => (
              <li key={sequence}>
                {nameOf(id)} {formats.dateTime(at)}{' '}
                <span class="quiet">
                  {texts.care.between(formats.dateTime(earliest), formats.dateTime(latest))} · {reader}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}
