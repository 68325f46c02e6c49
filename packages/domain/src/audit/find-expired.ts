import type { AuditStore } from '../ports/audit-store.js';
import type { AuditEntry } from '../values/audit.js';

const PAGE = 500;

/**
 * The last of the entries at the beginning that are older than a time; `undefined` if there are none.
 *
 * An entry whose time is later than now, or was in doubt, decides nothing: it goes if an older one follows it.
 */
export async function findExpired(
  store: AuditStore,
  { now, before }: { readonly now: number; readonly before: number },
): Promise<AuditEntry | undefined> {
  let expired: AuditEntry | undefined;
  for (let after = 0; ;) {
    const page = await store.read(after, PAGE);
    for (const entry of page) {
      if (entry.at > now || entry.details['clockDoubt'] !== undefined) continue;
      if (entry.at >= before) return expired;
      expired = entry;
    }
    const last = page.at(-1);
    if (last === undefined) return expired;
    after = last.number;
  }
}
