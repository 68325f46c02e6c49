import { setImmediate as endOfTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { toTimestamp } from '@tallybook/domain';
import { AUDIT_BEGINNING, type AuditEntry, type AuditHead } from '@tallybook/domain/access';
import { LevelStorage } from '@tallybook/store-level';
import { useTempDirectory } from '../fixtures/temp-directory.js';
import { facetOf } from '@tallybook/testing';

const beginning: AuditHead = { number: 0, hash: AUDIT_BEGINNING };

function entryAfter({ number, hash: previous }: AuditHead): AuditEntry {
  const [at, hash] = [toTimestamp(1_763_500_000), String(number + 1).padStart(64, 'a')];
  return { number: number + 1, at, actor: 'ada', action: 'name-set', details: {}, previous, hash };
}

describe('LevelAuditStore', () => {
  const directory = useTempDirectory();

  it('makes the entries of a turn of the event loop in a row, at its end, while the disk is busy with those before', async () => {
    await using store = facetOf(new LevelStorage(directory.path), 'audit');
    await store.open();
    const made: AuditEntry[] = [];
    const append = (): Promise<void> =>
      store.appendNext((end) => {
        const entry = entryAfter(end);
        made.push(entry);
        return entry;
      });
    const first = append();
    await endOfTurn();
    expect(made).to.deep.equal([entryAfter(beginning)]);
    const others = [append(), append()];
    expect(made.length).to.equal(1);
    await endOfTurn();
    expect(made.map(({ number }) => number)).to.deep.equal([1, 2, 3]);
    await Promise.all([first, ...others]);
    expect(await store.read(0, 10)).to.deep.equal(made);
  });

  it('appends more entries than one write takes, each after the one before, and makes each once', async () => {
    await using store = facetOf(new LevelStorage(directory.path), 'audit');
    await store.open();
    const count = 2_500;
    let made = 0;
    const choose = (end: AuditHead): AuditEntry => {
      made++;
      return entryAfter(end);
    };
    await Promise.all(Array.from({ length: count }, () => store.appendNext(choose)));
    expect(made).to.equal(count);
    const numbers = (await store.read(0, count)).map(({ number }) => number);
    expect(numbers).to.deep.equal(Array.from({ length: count }, (_, index) => index + 1));
  });
});
