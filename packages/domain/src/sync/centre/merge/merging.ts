import type { SyncItem } from '../../../values/sync/sync.js';
import type { MergeDependencies, MergeTerms } from './merge-parts.js';
import type { Refusals } from './refusals.js';

/** What the items of each kind are merged with. */
export interface Merging {
  readonly parts: MergeDependencies;
  readonly terms: MergeTerms;
  readonly refusals: Refusals;
}

/** The items of a kind. */
export type Of<K extends SyncItem['kind']> = Extract<SyncItem, { readonly kind: K }>;
