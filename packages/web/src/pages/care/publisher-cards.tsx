import type { PublisherState } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { LastFault } from './last-fault.js';

/** A card for each publisher. */
export function PublisherCards({ publishers }: { readonly publishers: readonly PublisherState[] }): VNode {
  const { texts } = usePage();
  if (publishers.length === 0) {
    return (
      <Card title={texts.care.publishers}>
        <p>{texts.care.noPublishers}</p>
      </Card>
    );
  }
  return (
    <>
      {publishers.map(({ name, connection, waiting, lastFault }) => {
        const isThere = connection === 'connected';
        return (
          <Card
            key={name}
            title={`${texts.care.publishers}: ${name}`}
            health={isThere ? 'good' : 'bad'}
            says={isThere ? texts.connection.live : texts.care.receiverAway}
          >
            <p>{texts.care.messages(waiting)}</p>
            <LastFault fault={lastFault} />
          </Card>
        );
      })}
    </>
  );
}
