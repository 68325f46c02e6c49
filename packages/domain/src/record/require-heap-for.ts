import { counted, TallybookError } from '../errors.js';

/**
 * Refuses to read more tags than memory has room for: a process that ends for lack of memory records no tap.
 *
 * @param what What has the tags, such as `day 20411`.
 * @throws {TallybookError} `NOT_ENOUGH_MEMORY`
 */
export function requireHeapFor(what: string, tags: number, most: number): void {
  if (tags <= most) return;
  const limit = Math.floor(most);
  throw new TallybookError(
    'NOT_ENOUGH_MEMORY',
    `${what} has more than ${counted(limit, 'tag')}, for which this service has no memory; NODE_OPTIONS=--max-old-space-size gives it more`,
    { details: { limit } },
  );
}
