import type { Health as ServiceHealth, HealthStatus } from '@tallybook/client';
import type { ComponentChildren, VNode } from 'preact';
import { Card, type Health } from '../../parts/card.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { careTexts } from '../../texts/topics/care.js';

const healthOf: Readonly<Record<HealthStatus, Health>> = { ok: 'good', warn: 'odd', fail: 'bad' };

/** Health of the whole service, and the parts that need attention. */
export function HealthCard({ health: { status, parts } }: { readonly health: ServiceHealth }): VNode {
  const words = useTopic(careTexts);
  return (
    <Card title={words.health} health={healthOf[status]} says={words.status[status]}>
      <ul class="health-parts">
        {parts.map(({ part, status: of, detail, items = [] }) => (
          <li key={part}>
            <span class="health" data-health={healthOf[of]}>
              {words.parts[part] ?? part}: {words.partStatus[of]}
            </span>
            {detail !== undefined && <Reason>{detail}</Reason>}
            {items.map(
              (item) =>
                item.detail !== undefined && (
                  <Reason key={item.name}>
                    {item.name}: {item.detail}
                  </Reason>
                ),
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The reason in the English words of the service. */
function Reason({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <p class="quiet" lang="en">
      {children}
    </p>
  );
}
