import { parseTallyId, toDay, toTimestamp, type Change, type JournalEntry } from '@tallybook/domain';
import { expect } from 'chai';
import type { Contents, ShownEntry } from '../ledger/contents.js';
import { Ledger } from '../ledger/ledger.js';
import { nameOf } from '../ledger/names.js';

const ADA = parseTallyId('A0000001');
const BOB = parseTallyId('A0000002');
const READER = 'reader 0';
const AT = 90_000;

const added: Change = { kind: 'name', id: ADA, action: 'added' };
const replaced: Change = { kind: 'name', id: ADA, action: 'replaced' };
const held: Change = {
  kind: 'provisional',
  sequence: 1,
  id: ADA,
  reader: READER,
  bootId: 'boot',
  monotonicMs: 7_000,
};
const removed: Change = { kind: 'day', day: toDay(1), action: 'removed' };

function scan(id = ADA, at = AT, filed?: { readonly sequence: number }): Change {
  const outcome = 'counted';
  return {
    kind: 'scan',
    day: toDay(1),
    id,
    at: toTimestamp(at),
    reader: READER,
    outcome,
    ...(filed && { filed }),
  };
}

function entry(id: string, first: number, last: number, count: number): ShownEntry {
  return { id, first, last, count };
}

/** What is there beside the journal. */
interface Shown {
  readonly versions?: Readonly<Record<string, number>>;
  readonly entries?: readonly ShownEntry[];
  readonly provisional?: Contents['provisional'];
  readonly position?: number;
  readonly latest?: number;
  readonly after?: number;
}

/** Contents whose journal tells these changes, from 1 on. */
function told(
  changes: readonly (Change | undefined)[],
  { versions = {}, entries = [], provisional = [], position, latest, after = 0 }: Shown = {},
): Contents {
  const listed = changes.flatMap((change, index): readonly JournalEntry[] =>
    change === undefined ? [] : [{ cursor: after + index + 1, change }],
  );
  return {
    mapping: new Map(Object.entries(versions).map(([id, version]) => [id, nameOf(id, version)])),
    days: entries.length === 0 ? new Map() : new Map([[1, entries]]),
    provisional,
    journal: { after, latest: latest ?? after + changes.length, entries: listed, position },
  };
}

const ledgerOf = (...lines: readonly string[]): Ledger => Ledger.of(lines);

const named = [`put ${ADA} 1`, `answered ${ADA} 1`];
const attended = [`tapped ${ADA}`, `attended ${ADA} 1 ${AT}`];
const once = { entries: [entry(ADA, AT, AT, 1)] };
const both = { ...once, versions: { [ADA]: 1 } };

describe('The ledger of a journal', () => {
  it('is content with one entry for each change, in the order in which they were seen', () => {
    expect(ledgerOf(...named, ...attended).judge(told([added, scan()], both))).to.be.empty;
  });

  it('lets what nobody was told of have an entry, if it is in the record', () => {
    const ledger = ledgerOf(`put ${ADA} 1`, `tapped ${ADA}`);
    expect(ledger.judge(told([]))).to.be.empty;
    expect(ledger.judge(told([scan(), added], both))).to.be.empty;
    expect(ledger.judge(told([scan(), added]))).not.to.be.empty;
    expect(ledger.judge(told([], both))).not.to.be.empty;
  });

  for (const [what, contents] of Object.entries({
    'a scan without an entry': told([added], both),
    'a name without an entry': told([scan()], both),
    'a scan that is told twice': told([added, scan(), scan()], both),
    'a name that is told twice': told([added, replaced, scan()], both),
    'a name that replaced none': told([replaced, scan()], both),
    'a scan of another second': told([added, scan(ADA, AT + 1)], both),
    'a scan of another tag': told([added, scan(BOB)], both),
    'a removal that nobody asked for': told([added, scan(), removed], both),
    'a repair of a sound store': told([added, scan(), { kind: 'repaired' }], both),
    'an entry that is later than the latest one': told([added, scan()], { ...both, latest: 1 }),
    'a follower that is farther than what it was told': told([added, scan()], { ...both, position: 1 }),
  })) {
    it(`finds ${what}`, () => {
      const broken = ledgerOf(...named, ...attended).judge(contents);
      expect(broken.join('\n')).to.match(/^the journal /m);
    });
  }

  it('finds a change that stands before one that had been acknowledged when it was sent', () => {
    const ledger = ledgerOf(...attended, ...named);
    expect(ledger.judge(told([scan(), added], both))).to.be.empty;
    expect(ledger.judge(told([added, scan()], both))).to.deep.equal([
      'the journal has 1 changes after such as were sent later',
    ]);
  });

  it('finds that the scans of a reader are not in the order of the taps', () => {
    const twice = { entries: [entry(ADA, AT, AT + 1, 2)] };
    const ledger = ledgerOf(`tapped ${ADA}`, `tapped ${ADA}`);
    expect(ledger.judge(told([scan(), scan(ADA, AT + 1)], twice))).to.be.empty;
    expect(ledger.judge(told([scan(ADA, AT + 1), scan()], twice))).to.have.lengthOf(1);
  });

  describe('when a follower was told', () => {
    const follow = `told 1 ${JSON.stringify(added)}`;

    it('is content if the same entry is there, and the follower says that it got so far', () => {
      expect(ledgerOf(...named, follow).judge(told([added], { versions: { [ADA]: 1 }, position: 1 }))).to.be
        .empty;
    });

    it('finds that the entry is gone, or that another one has its cursor', () => {
      const versions = { [ADA]: 1 };
      expect(ledgerOf(...named, follow).judge(told([undefined, added], { versions }))).to.have.lengthOf(1);
      const other = ledgerOf(...named, `told 1 ${JSON.stringify(scan())}`);
      expect(other.judge(told([added], { versions }))).to.have.lengthOf(1);
    });
  });

  describe('when a scan was held', () => {
    const waits = [{ sequence: 1, id: ADA, shown: 7, isFiling: false }];
    const filed = scan(ADA, AT, { sequence: 1 });
    const ledger = ledgerOf(`tapped ${ADA}`, `held ${ADA} 1 ${AT} 7`);

    it('is content if it waits, or is filed', () => {
      expect(ledger.judge(told([held], { provisional: waits }))).to.be.empty;
      expect(ledger.judge(told([held, filed], once))).to.be.empty;
    });

    it('finds that an entry is missing, is there twice, or comes too early', () => {
      for (const wrong of [
        told([], { provisional: waits }),
        told([held, held], { provisional: waits }),
        told([filed], once),
        told([filed, held], once),
        told([held, filed, filed], once),
        told([held, scan()], once),
      ]) {
        expect(ledger.judge(wrong), JSON.stringify(wrong.journal)).not.to.be.empty;
      }
    });
  });

  describe('when a day was removed', () => {
    const removal = ['removing 1', 'removed 1'];

    it('is content if the journal says so, and tells no scan of it', () => {
      const tells = `told 1 ${JSON.stringify(scan())}`;
      expect(ledgerOf(...attended, tells, ...removal).judge(told([undefined, removed]))).to.be.empty;
    });

    it('lets one whose removal was asked for be there or not, as a whole', () => {
      const ledger = ledgerOf(...attended, 'removing 1');
      expect(ledger.judge(told([undefined, removed]))).to.be.empty;
      expect(ledger.judge(told([scan()], once))).to.be.empty;
      expect(ledger.judge(told([scan(), removed], once))).not.to.be.empty;
      expect(ledger.judge(told([]))).not.to.be.empty;
    });

    it('finds that it is there again, or that the journal still tells its scans or does not tell of the removal', () => {
      const ledger = ledgerOf(...attended, ...removal);
      expect(ledger.judge(told([scan(), removed], once))).not.to.be.empty;
      expect(ledger.judge(told([scan(), removed]))).not.to.be.empty;
      expect(ledger.judge(told([undefined]))).not.to.be.empty;
      expect(ledger.judge(told([removed, removed]))).not.to.be.empty;
    });

    it('has another entry for its corrections, which are removed first', () => {
      const correcting = `correcting r1 1 ${BOB} ${AT} add`;
      const asked = ledgerOf(...attended, correcting, 'removing 1');
      expect(asked.judge(told([scan(), removed], once))).to.be.empty;
      expect(asked.judge(told([undefined, removed, removed]))).to.be.empty;
      expect(asked.judge(told([scan(), removed, removed], once))).not.to.be.empty;
      const done = ledgerOf(...attended, correcting, ...removal);
      expect(done.judge(told([undefined, removed, removed]))).to.be.empty;
      expect(done.judge(told([undefined, removed, removed, removed]))).not.to.be.empty;
      expect(done.judge(told([scan(), removed], once))).not.to.be.empty;
    });
  });

  it('tells nothing of a tag that was erased, whatever a follower was told', () => {
    const ledger = ledgerOf(...named, `told 1 ${JSON.stringify(added)}`, `erasing ${ADA}`, `erased ${ADA}`);
    const erased: Change = { kind: 'erased', digest: '0'.repeat(32) };
    expect(ledger.judge(told([undefined, erased]))).to.be.empty;
    expect(ledger.judge(told([added, erased])).join()).to.match(/is in the journal/);
  });

  it('begins again at the settlement, and reports a journal that ends before it', () => {
    const ledger = ledgerOf(...named, ...attended);
    const before = told([added, scan()], both);
    ledger.settle(before);
    expect(ledger.after).to.equal(2);
    expect(ledger.judge(told([], { ...both, after: 2 }))).to.be.empty;
    expect(ledger.judge(told([], { ...both, after: 2, latest: 1 }))).to.have.lengthOf(1);
    ledger.take(`put ${ADA} 2`);
    ledger.take(`answered ${ADA} 2`);
    const after = { ...once, versions: { [ADA]: 2 }, after: 2 };
    expect(ledger.judge(told([replaced], after))).to.be.empty;
    expect(ledger.judge(told([added], after))).to.have.lengthOf(1);
    expect(ledger.judge(told([], after))).to.have.lengthOf(1);
  });

  it('knows what a store has from before it had a journal', () => {
    const ledger = ledgerOf(
      ...named,
      `was ${ADA} 1 ${AT} ${AT} 1`,
      `tapped ${BOB}`,
      `held ${BOB} 1 ${AT + 5} 7`,
      'began 1',
    );
    const waits = [{ sequence: 1, id: BOB, shown: 7, isFiling: false }];
    expect(ledger.judge(told([], { ...both, provisional: waits }))).to.be.empty;
    const filed = { ...both, entries: [entry(ADA, AT, AT, 1), entry(BOB, AT + 5, AT + 5, 1)] };
    expect(ledger.judge(told([scan(BOB, AT + 5, { sequence: 1 })], filed))).to.be.empty;
    expect(ledger.judge(told([], filed))).not.to.be.empty;
  });
});
