import type { ServiceStatus } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { Facts } from '../../parts/facts.js';

/** With fewer free bytes than this, the card warns. */
const LITTLE_LEFT = 200_000_000;

/** Version and start of the program, and free space. */
export function ServiceCard({ status }: { readonly status: ServiceStatus }): VNode {
  const { texts, formats } = usePage();
  const { version, startedAt, storage } = status;
  const bytes = (value: number | null): string =>
    value === null ? texts.care.unknown : formats.bytes(value);
  const free = storage?.freeBytes ?? Infinity;
  return (
    <Card
      title={texts.care.service}
      health={storage === null ? 'odd' : free < LITTLE_LEFT ? 'bad' : 'good'}
      says={storage === null ? texts.care.inMemory : `${texts.care.storageLeft}: ${bytes(storage.freeBytes)}`}
    >
      <Facts
        facts={[
          [texts.care.storageUsed, storage === null ? undefined : bytes(storage.usedBytes)],
          [texts.care.startedAt, formats.dateTime(startedAt)],
          [texts.care.version, version],
          [
            texts.care.forPrograms,
            <a key="api" href="./api/openapi.json">
              OpenAPI
            </a>,
          ],
        ]}
      />
    </Card>
  );
}
