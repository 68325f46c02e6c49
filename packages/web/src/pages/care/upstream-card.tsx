import type { UpstreamState } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { Facts } from '../../parts/facts.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { stationTexts } from '../../texts/topics/stations.js';
import { LastFault } from './last-fault.js';
import { RefusedList } from './refused-list.js';
import { WaitingChanges } from './waiting-changes.js';

/** State of sending to the centre. */
export function UpstreamCard({ upstream }: { readonly upstream: UpstreamState }): VNode {
  const { formats } = usePage();
  const words = useTopic(stationTexts);
  const { centre, connection, lastContactAt, refused, refusedCount, lastFault } = upstream;
  const isThere = connection === 'connected';
  return (
    <Card
      title={`${words.centre}: ${centre}`}
      health={!isThere ? 'bad' : refused.length > 0 ? 'odd' : 'good'}
      says={isThere ? words.reached : words.notReached}
    >
      <WaitingChanges of={upstream} />
      <Facts
        facts={[[words.lastContact, lastContactAt === null ? words.notYet : formats.dateTime(lastContactAt)]]}
      />
      <RefusedList refused={refused} count={refusedCount} />
      <LastFault fault={lastFault} />
    </Card>
  );
}
