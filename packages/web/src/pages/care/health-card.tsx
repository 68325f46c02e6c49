import type { VNode } from 'preact';
import { Card, type Health } from '../../parts/card.js';
import { useTopic } from '../../parts/words/use-topic.js';
import type { HealthInfo, HealthStatus } from './read-health.js';
import { careTexts } from '../../texts/topics/care.js';

const healthOf: Readonly<Record<HealthStatus, Health>> = { ok: 'good', warn: 'odd', fail: 'bad' };

/** How the service is as a whole, and which of its parts needs somebody. */
export function HealthCard({ health: { status, parts } }: { readonly health: HealthInfo }): VNode {
  const words = useTopic(careTexts);
  return (
    <Card title={words.health} health={healthOf[status]} says={words.status[status]}>
      <ul class="health-parts">
        {parts.map(({ part, status: of, detail }) => (
          <li key={part}>
            <span class="health" data-health={healthOf[of]}>
              {words.parts[part] ?? part}: {words.partStatus[of]}
            </span>
            {detail !== undefined && (
              <p class="quiet" lang="en">
                {detail}
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
