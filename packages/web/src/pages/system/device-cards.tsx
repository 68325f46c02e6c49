import type { PublisherState, ReaderState, ReportedFault } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, Facts } from '../../parts/card.js';
import { paths } from '../../routing.js';
import { phoneReaderTexts } from '../../texts/topics/phone-reader.js';
import { useTask } from '../../parts/use-requests.js';
import { Form } from '../../parts/form/dialog.js';
import { systemTexts } from '../../texts/topics/system.js';
import type { Words } from '../../texts/language.js';

/** The last fault in the English words of the service, with details for the person who repairs it. */
export function LastFault({ fault }: { readonly fault: ReportedFault | null }): VNode | null {
  const { formats, words } = usePage(systemTexts);
  if (fault === null) return null;
  const { code, message, at } = fault;
  return (
    <details>
      <summary>{words.said}</summary>
      <p>
        <time>{formats.dateTime(at)}</time>: <span lang="en">{message}</span> <code>{code}</code>
      </p>
    </details>
  );
}

/** A card for each reader. */
export function ReaderCards({ readers }: { readonly readers: readonly ReaderState[] }): VNode {
  const { texts, formats, words } = usePage(systemTexts);
  const {
    words: { useThis },
  } = usePage(phoneReaderTexts);
  if (readers.length === 0) {
    return (
      <Card title={words.parts.readers}>
        <p>{words.noReaders}</p>
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
                ? words.faultySince(formats.dateTime(faultySince))
                : `${isThere ? words.connected : words.waiting} ${words.since(formats.dateTime(since))}`
            }
          >
            <Facts
              facts={[
                [words.lastReading, lastReading === null ? words.never : formats.dateTime(lastReading)],
                [
                  words.faults,
                  counts.length === 0 ? (
                    words.noFaults
                  ) : (
                    <ul>
                      {counts.map(([code, count]) => (
                        <li key={code}>
                          {formats.number(count)} × {(words.fault as Words)[code] ?? code}
                        </li>
                      ))}
                    </ul>
                  ),
                ],
                [words.kind, kind ?? undefined],
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

/** State of a publisher. What its receiver refused can be sent again. */
export function PublisherCard({
  publisher: { name, connection, waiting, setAside, isStopped, lastFault },
}: {
  readonly publisher: PublisherState;
}): VNode {
  const { access, client, texts, words } = usePage(systemTexts);
  const task = useTask();
  const isThere = connection === 'connected';
  return (
    <Card
      title={`${words.parts.publishers}: ${name}`}
      health={!isThere ? 'bad' : setAside > 0 ? 'odd' : 'good'}
      says={isStopped ? words.stopped : isThere ? texts.connection.live : words.receiverAway}
    >
      <p>
        {words.messages(waiting)}
        {setAside > 0 && ` · ${words.setAside}: ${setAside}`}
      </p>
      <LastFault fault={lastFault} />
      {(isStopped || setAside > 0) && access.may('manage-access') && (
        <Form
          task={task}
          label={words.sendAgain}
          onSubmit={() => task.run(() => client.post('/api/publishers/send-again', { body: { name: name } }))}
        />
      )}
    </Card>
  );
}
