import type { AuditStore } from '../ports/audit-store.js';
import type { AuditEntry } from '../values/audit.js';

const PAGE = 500;

/**
 * The last of the first entries that are older than a time; `undefined` if there are none.
 *
 * An entry with a later time than now, or with a doubtful time, decides nothing: it is removed if an older entry
 * follows it.
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
