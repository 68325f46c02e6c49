import type { Backlog, Provisional } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { groupedId } from '../../parts/words/grouped-id.js';

/** Whether every tap is on the disk, with the right time. */
export function RecordCard({
  backlog: { waiting, limit, refused },
  provisional,
}: {
  readonly backlog: Backlog;
  readonly provisional: Provisional;
}): VNode {
  const { session, texts, formats } = usePage();
  const nameOf = (id: string): string => {
    const name = session.names.all.value.get(id);
    return name === undefined ? groupedId(id) : formats.name(name);
  };
  const { waiting: timeless, estimated } = provisional;
  return (
    <Card
      title={texts.care.record}
      health={waiting > 0 || refused > 0 ? 'bad' : timeless.length > 0 ? 'odd' : 'good'}
      says={waiting > 0 ? texts.care.backlog(waiting, limit) : texts.care.allWritten}
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
