import type { Change } from '../values/record/change.js';

/** Number of tags that were given a name, given another name, or had theirs removed. */
export interface NameCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Counts what happened to names among changes. */
export function countNames(changes: readonly Change[]): NameCounts {
  const counts = { added: 0, replaced: 0, removed: 0 };
  for (const change of changes) if (change.kind === 'name') counts[change.action]++;
  return { added: counts.added, changed: counts.replaced, removed: counts.removed };
}
