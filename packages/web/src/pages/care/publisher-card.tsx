import type { PublisherState } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTask } from '../../parts/access/use-task.js';
import { Card } from '../../parts/card.js';
import { FormEnd } from '../../parts/form/form-end.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { careTexts } from '../../texts/topics/care.js';
import { LastFault } from './last-fault.js';

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
