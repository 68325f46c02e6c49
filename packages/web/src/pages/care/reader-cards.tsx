import type { ReaderState } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { Facts } from '../../parts/facts.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import { phoneReaderTexts } from '../../texts/topics/phone-reader.js';
import { LastFault } from './last-fault.js';

/** A card for each reader. */
export function ReaderCards({ readers }: { readonly readers: readonly ReaderState[] }): VNode {
  const { texts, formats } = usePage();
  const { useThis } = useTopic(phoneReaderTexts);
  if (readers.length === 0) {
    return (
      <Card title={texts.care.readers}>
        <p>{texts.care.noReaders}</p>
      </Card>
    );
  }
  return (
    <>
      {readers.map(({ name, kind, connection, since, faultySince, lastReading, faults, lastFault }) => {
        const isThere = connection === 'connected';
        const health = !isThere ? 'bad' : faultySince === null ? 'good' : 'odd';
        const counts = Object.entries(faults);
        return (
          <Card
            key={name}
            title={`${texts.columns.reader}: ${name}`}
            health={health}
            says={
              health === 'odd' && faultySince !== null
                ? texts.care.faultySince(formats.dateTime(faultySince))
                : `${isThere ? texts.care.connected : texts.care.waiting} ${texts.care.since(formats.dateTime(since))}`
            }
          >
            <Facts
              facts={[
                [
                  texts.care.lastReading,
                  lastReading === null ? texts.care.never : formats.dateTime(lastReading),
                ],
                [
                  texts.care.faults,
                  counts.length === 0 ? (
                    texts.care.noFaults
                  ) : (
                    <ul>
                      {counts.map(([code, count]) => (
                        <li key={code}>
                          {formats.number(count)} × {texts.care.fault[code] ?? code}
                        </li>
                      ))}
                    </ul>
                  ),
                ],
                [texts.care.kind, kind ?? undefined],
              ]}
            />
            <LastFault fault={lastFault} />
            {kind === 'http' && (
              <p>
                <a href={paths.phoneReader(name)}>{useThis}</a>
              </p>
            )}
          </Card>
        );
      })}
    </>
  );
}
