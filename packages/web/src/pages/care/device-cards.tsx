import type { PublisherState, ReaderState, ReportedFault } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, Facts } from '../../parts/card.js';
import { useTopic } from '../../parts/words.js';
import { paths } from '../../routing.js';
import { phoneReaderTexts } from '../../texts/topics/phone-reader.js';
import { useTask } from '../../parts/use-requests.js';
import { FormEnd } from '../../parts/form/dialog.js';
import { careTexts } from '../../texts/topics/care.js';
import type { Words } from '../../texts/language.js';

/** The last fault in the English words of the service, with details for the person who repairs it. */
export function LastFault({ fault }: { readonly fault: ReportedFault | null }): VNode | null {
  const { texts, formats } = usePage();
  if (fault === null) return null;
  const { code, message, at } = fault;
  return (
    <details>
      <summary>{texts.care.said}</summary>
      <p>
        <time>{formats.dateTime(at)}</time>: <span lang="en">{message}</span> <code>{code}</code>
      </p>
    </details>
  );
}

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
                          {formats.number(count)} × {(texts.care.fault as Words)[code] ?? code}
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

/** State of a publisher. What its receiver refused can be sent again. */
export function PublisherCard({
  publisher: { name, connection, waiting, setAside, isStopped, lastFault },
}: {
  readonly publisher: PublisherState;
}): VNode {
  const { access, client, texts } = usePage();
  const words = useTopic(careTexts);
  const task = useTask();
  const isThere = connection === 'connected';
  const send = (event: Event): void => {
    event.preventDefault();
    void task.run(() => client.sendAgain(name));
  };
  return (
    <Card
      title={`${texts.care.publishers}: ${name}`}
      health={!isThere ? 'bad' : setAside > 0 ? 'odd' : 'good'}
      says={isStopped ? words.stopped : isThere ? texts.connection.live : texts.care.receiverAway}
    >
      <p>
        {texts.care.messages(waiting)}
        {setAside > 0 && ` · ${words.setAside}: ${setAside}`}
      </p>
      <LastFault fault={lastFault} />
      {(isStopped || setAside > 0) && access.may('manage-access') && (
        <form onSubmit={send}>
          <FormEnd task={task} label={words.sendAgain} />
        </form>
      )}
    </Card>
  );
}
