import type { SyncItem } from '../../values/sync.js';
import type { MergeDependencies, MergeTerms } from './merge-parts.js';
import type { Refusals } from './refusals.js';

/** Shared by the merges of all kinds of items. */
export interface Merging {
  readonly parts: MergeDependencies;
  readonly terms: MergeTerms;
  readonly refusals: Refusals;
}

/** The items of a kind. */
export type Of<K extends SyncItem['kind']> = Extract<SyncItem, { readonly kind: K }>;
