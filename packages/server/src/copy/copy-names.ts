import type { TallyId } from '@tallybook/domain';
import type { StampedName } from '@tallybook/domain';
import type { FullStorage } from '../config/stores.js';
import { stampedNamesOf } from './survey-stores.js';

/** Number of names that are written together. */
const GROUP = 500;

interface CopyNamesOptions {
  readonly isMerging: boolean;
  /** Whether a tag may be written. */
  readonly lets: (id: TallyId) => boolean;
  readonly onProgress: (text: string) => void;
}

/**
 * Copies names with their stamps, and the stamps of removed names. In a merge, a removed name removes a name of the target only if
 * its stamp is later.
 */
export async function copyNames(
  from: Pick<FullStorage, 'stampedNames'>,
  { stampedNames: to }: Pick<FullStorage, 'stampedNames'>,
  { isMerging, lets, onProgress }: CopyNamesOptions,
): Promise<void> {
  let group: StampedName[] = [];
  let count = 0;
  const write = async (): Promise<void> => {
    const names = group;
    group = [];
    const taken = names.filter(({ name }) => !isMerging || name !== undefined);
    if (taken.length > 0) await to.replace(taken);
    const removed = names.filter(({ name }) => isMerging && name === undefined);
    if (removed.length > 0) await to.merge(removed);
    count += taken.length;
    onProgress(`copying names: ${count}`);
  };
  for await (const name of stampedNamesOf(from)) {
    if (!lets(name.id)) continue;
    group.push(name);
    if (group.length >= GROUP) await write();
  }
  await write();
}
