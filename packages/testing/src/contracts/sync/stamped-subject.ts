import {
  parseTallyId,
  type Change,
  type Name,
  type NameStamp,
  type StampedName,
  type StampSource,
  type TallyId,
} from '@tallybook/domain';
import type { ContractCase } from '../../runner.js';
import { readAll } from '../journal-subject.js';
import type {
  StampedNamesContractOptions,
  StampedNamesStores,
  StampedNamesSubject,
} from './stamped-names.js';

export const ada: TallyId = parseTallyId('04A2B3C4D5');
export const bob: TallyId = parseTallyId('0006547886');
export const lovelace: Name = { first: 'Ada', last: 'Lovelace' };
export const babbage: Name = { first: 'Charles', last: 'Babbage' };

/** Shows the time that a case sets. */
export class FakeSource implements StampSource {
  readonly node = 'here';
  ms: number | undefined = 1_763_500_000_000;

  now(): number | undefined {
    return this.ms;
  }
}

export function stamp(ms: number, counter = 0, node = 'there'): NameStamp {
  return { ms, counter, node };
}

export function stamped(id: TallyId, name: Name | undefined, its: NameStamp | undefined): StampedName {
  return { id, name, stamp: its };
}

type Make = StampedNamesContractOptions['make'];

/** A case on stores without names. */
export function onNames(
  title: string,
  body: (subject: StampedNamesSubject, source: FakeSource) => Promise<void>,
): ContractCase<Make> {
  return [
    title,
    async (make) => {
      const source = new FakeSource();
      const subject = await make(source);
      try {
        await body(subject, source);
      } finally {
        await subject.cleanup();
      }
    },
  ];
}

/** What the journal was told. */
export async function changesOf({
  journal,
}: Pick<StampedNamesStores, 'journal'>): Promise<readonly Change[]> {
  return (await readAll(journal)).map(({ change }) => change);
}
