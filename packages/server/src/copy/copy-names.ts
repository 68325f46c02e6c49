import { mergePeople, tagsOfPersons, type StampedName, type TallyId } from '@tallybook/domain';
import type { FullStorage } from '../config/stores.js';
import { stampedNamePages } from './survey-stores.js';

interface CopyNamesOptions {
  readonly isMerging: boolean;
  /** Whether a tag may be written. */
  readonly lets: (id: TallyId) => boolean;
  readonly onProgress: (text: string) => void;
}

/**
 * Copies names of tags without a timeline with their stamps, and the stamps of removed names. In a merge, a removed name removes a name of the target only if
 * its stamp is later.
 */
export async function copyNames(
  from: Pick<FullStorage, 'people' | 'stampedNames'>,
  { people, stampedNames: to }: Pick<FullStorage, 'people' | 'stampedNames'>,
  { isMerging, lets, onProgress }: CopyNamesOptions,
): Promise<void> {
  let count = 0;
  const write = async (group: readonly StampedName[]): Promise<void> => {
    const ids = group.map(({ id }) => id);
    const ofPersons = await tagsOfPersons(from.people, ids);
    const others = group.filter(({ id }) => !ofPersons.has(id));
    // In the target, the tag may have been handed on: then a name is that of its first holder.
    const held = await tagsOfPersons(people, ids);
    const theirs = others.filter(({ id }) => held.has(id));
    if (theirs.length > 0)
      await mergePeople(
        people,
        theirs.map((name) => ({ kind: 'name', name })),
      );
    const names = others.filter(({ id }) => !held.has(id));
    const taken = names.filter(({ name }) => !isMerging || name !== undefined);
    if (taken.length > 0) await to.replace(taken);
    const removed = names.filter(({ name }) => isMerging && name === undefined);
    if (removed.length > 0) await to.merge(removed);
    count += taken.length + theirs.length;
    onProgress(`copying names: ${count}`);
  };
  for await (const page of stampedNamePages(from)) await write(page.filter(({ id }) => lets(id)));
}
