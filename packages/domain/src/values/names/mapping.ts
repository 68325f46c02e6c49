import type { Name } from './name.js';
import type { TallyId } from '../tally-id.js';

/** All associations of tags with names. Iteration order is ascending by id. */
export type Mapping = ReadonlyMap<TallyId, Name>;

/** Orders canonical ids ascending, as their bytes compare. */
export function compareTallyIds(a: TallyId, b: TallyId): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Builds a {@link Mapping} from associations in any order; the last one of an id wins. */
export function createMapping(associations: Iterable<readonly [TallyId, Name]>): Mapping {
  return new Map([...new Map(associations)].sort(([a], [b]) => compareTallyIds(a, b)));
}
