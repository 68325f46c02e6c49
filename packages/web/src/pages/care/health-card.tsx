import type { Health as ServiceHealth, HealthStatus } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, type Health } from '../../parts/card.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { careTexts } from '../../texts/topics/care.js';

const healthOf: Readonly<Record<HealthStatus, Health>> = { ok: 'good', warn: 'odd', fail: 'bad' };

/**
 * Health of the whole service, and the parts that need attention. Reasons are in the English words of the service: people with
 * another language open them if they want.
 */
export function HealthCard({ health: { status, parts } }: { readonly health: ServiceHealth }): VNode {
  const { texts } = usePage();
  const words = useTopic(careTexts);
  return (
    <Card title={words.health} health={healthOf[status]} says={words.status[status]}>
      <ul class="health-parts">
        {parts.map(({ part, status: of, detail: reason, items = [] }) => {
          const title = words.parts[part] ?? part;
          return (
            <li key={part}>
              <span class="health" data-health={healthOf[of]}>
                {title}: {words.partStatus[of]}
              </span>
              {[{ name: title, detail: reason }, ...items].map(
                ({ name, detail }) =>
                  detail !== undefined && (
                    <details key={name} open={texts.language === 'en'}>
                      <summary>
                        {name}: {texts.care.said}
                      </summary>
                      <p class="quiet" lang="en">
                        {detail}
                      </p>
                    </details>
                  ),
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
