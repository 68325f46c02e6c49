import { useSignal } from '@preact/signals';
import type { AuditEntry } from '@tallybook/client';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';

/** Number of entries in one request. */
const LIMIT = 100;

export interface Trail {
  /** Descending by number; `undefined` until they are read. */
  readonly entries: readonly AuditEntry[] | undefined;
  /** Whether no entry among those that were read is missing or was changed. */
  readonly isWhole: boolean;
  readonly hasOlder: boolean;
  readonly isMissing: boolean;
  readonly load: () => void;
  readonly loadOlder: () => void;
}

/** The trail from its end: first the latest entries, then older ones on request. */
export function useTrail(): Trail {
  const { client } = usePage();
  const entries = useSignal<readonly AuditEntry[] | undefined>(undefined);
  const isWhole = useSignal(true);
  const isMissing = useSignal(false);
  /** Number of the oldest kept entry: older ones may have been removed because of their age. */
  const beginning = useSignal(1);
  /** All entries after this number were read. */
  const start = useSignal(0);
  const readLatest = async (): Promise<void> => {
    // Without a number the service sends the latest.
    const [part, { entries: oldest }] = await Promise.all([
      client.readAudit({ limit: LIMIT }),
      client.readAudit({ after: 0, limit: 1 }),
    ]);
    beginning.value = oldest[0]?.number ?? 1;
    start.value = Math.max(0, (part.entries.at(-1)?.number ?? 0) - LIMIT);
    entries.value = [...part.entries].reverse();
    isWhole.value = part.isWhole;
  };
  const readOlder = async (): Promise<void> => {
    const end = start.peek();
    const after = Math.max(0, end - LIMIT);
    const part = await client.readAudit({ after, limit: end - after });
    // If some entries are missing, the service returns later ones instead.
    const found = part.entries.filter(({ number }) => number <= end);
    start.value = after;
    entries.value = [...(entries.peek() ?? []), ...[...found].reverse()];
    isWhole.value &&= part.isWhole;
  };
  const run = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
      isMissing.value = false;
    } catch {
      isMissing.value = true;
    }
  };
  const load = (): void => void run(readLatest);
  useEffect(load, []);
  return {
    entries: entries.value,
    isWhole: isWhole.value,
    hasOlder: start.value >= beginning.value,
    isMissing: isMissing.value,
    load,
    loadOlder: () => void run(readOlder),
  };
}
