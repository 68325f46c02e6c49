import { useSignal } from '@preact/signals';
import type { AuditEntry } from '@tallybook/client';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';

/** So many entries are asked for at once. */
const LIMIT = 100;

export interface Trail {
  /** Descending by number; `undefined` until they are read. */
  readonly entries: readonly AuditEntry[] | undefined;
  readonly isWhole: boolean;
  readonly hasOlder: boolean;
  readonly isMissing: boolean;
  readonly load: () => void;
  readonly loadOlder: () => void;
}

/** The trail from its end: first the latest entries, and older ones when they are asked for. */
export function useTrail(): Trail {
  const { client } = usePage();
  const entries = useSignal<readonly AuditEntry[] | undefined>(undefined);
  const isWhole = useSignal(true);
  const isMissing = useSignal(false);
  const read = async (before: number | undefined): Promise<void> => {
    try {
      // Without a number the service sends the latest.
      const part = await client.readAudit({
        limit: LIMIT,
        ...(before !== undefined && { after: Math.max(0, before - 1 - LIMIT) }),
      });
      const found = part.entries.filter(({ number }) => before === undefined || number < before);
      const known = before === undefined ? [] : (entries.peek() ?? []);
      entries.value = [...known, ...[...found].reverse()];
      isWhole.value = part.isWhole;
      isMissing.value = false;
    } catch {
      isMissing.value = true;
    }
  };
  const load = (): void => void read(undefined);
  useEffect(load, []);
  const oldest = entries.value?.at(-1)?.number ?? 1;
  return {
    entries: entries.value,
    isWhole: isWhole.value,
    hasOlder: oldest > 1,
    isMissing: isMissing.value,
    load,
    loadOlder: () => void read(oldest),
  };
}
