import type { Change } from '../../values/record/change.js';

/** Numbers of tags that got a name, got another name, or lost their name. */
export interface NameCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Counts the changes of names. */
export function countNames(changes: readonly Change[]): NameCounts {
  const counts = { added: 0, replaced: 0, removed: 0 };
  for (const change of changes) if (change.kind === 'name') counts[change.action]++;
  return { added: counts.added, changed: counts.replaced, removed: counts.removed };
}
