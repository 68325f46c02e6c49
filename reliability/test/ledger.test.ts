import { expect } from 'chai';
import type { Contents, ShownEntry } from '../ledger/contents.js';
import { Ledger } from '../ledger/ledger.js';
import { nameOf, versionOf } from '../ledger/names.js';

const ADA = 'A0000001';
const BOB = 'A0000002';

/** One scan of a tag. */
const ONCE = [entry(ADA, 90_000, 90_000, 1)];

/** What a service shows that has these versions of names, and these entries on day 1. */
function shown(
  versions: Readonly<Record<string, number>>,
  entries: readonly ShownEntry[] = [],
  provisional: Contents['provisional'] = [],
): Contents {
  return {
    mapping: new Map(Object.entries(versions).map(([id, version]) => [id, nameOf(id, version)])),
    days: entries.length === 0 ? new Map() : new Map([[1, entries]]),
    provisional,
  };
}

function entry(id: string, first: number, last: number, count: number): ShownEntry {
  return { id, first, last, count };
}

describe('Ledger', () => {
  it('is content with what was acknowledged', () => {
    const named = ['opening', `put ${ADA} 1`, `answered ${ADA} 1`];
    const tapped = [`tapped ${ADA}`, `attended ${ADA} 1 90000`, `indicated counted ${ADA}`];
    const ledger = Ledger.of([...named, ...tapped]);
    expect(ledger.judge(shown({ [ADA]: 1 }, ONCE))).to.be.empty;
    expect([ledger.answers, ledger.attendances, ledger.indications]).to.deep.equal([1, 1, 1]);
  });

  it('lets what was sent but not acknowledged be there or not', () => {
    const ledger = Ledger.of([`put ${ADA} 1`, `tapped ${ADA}`]);
    expect(ledger.judge(shown({}))).to.be.empty;
    expect(ledger.judge(shown({ [ADA]: 1 }, ONCE))).to.be.empty;
  });

  it('finds an acknowledged name that is gone, is an older one, was never sent, or is half written', () => {
    const ledger = new Ledger();
    for (const version of [1, 2]) {
      ledger.put(ADA, version);
      ledger.answered(ADA, version);
    }
    expect(ledger.judge(shown({}))).to.have.length(1);
    expect(ledger.judge(shown({ [ADA]: 1 }))).to.have.length(1);
    expect(ledger.judge(shown({ [ADA]: 3 }))).to.have.length(1);
    expect(ledger.judge(shown({ [ADA]: 2, [BOB]: 1 }))).to.have.length(1);
    const half = { first: nameOf(ADA, 2).first, last: nameOf(ADA, 1).last };
    expect(
      ledger.judge({ mapping: new Map([[ADA, half]]), days: new Map(), provisional: [] }),
    ).to.have.length(1);
    expect(ledger.nextVersion(ADA)).to.equal(3);
  });

  it('finds an acknowledged scan that is gone or has other times', () => {
    const ledger = new Ledger();
    for (const at of [90_000, 90_005]) {
      ledger.tapped(ADA);
      ledger.attended(ADA, 1, at);
    }
    expect(ledger.judge(shown({}, [entry(ADA, 90_000, 90_005, 2)]))).to.be.empty;
    for (const wrong of [
      [],
      ONCE,
      [entry(ADA, 90_001, 90_005, 2)],
      [entry(ADA, 90_000, 90_004, 2)],
      [entry(ADA, 90_000, 90_005, 3)],
    ]) {
      expect(ledger.judge(shown({}, wrong)), JSON.stringify(wrong)).not.to.be.empty;
    }
  });

  it('finds a tap that was indicated as written down and is not there', () => {
    const ledger = new Ledger();
    ledger.tapped(ADA);
    ledger.indicated('failed', ADA);
    expect(ledger.judge(shown({}))).to.be.empty;
    ledger.tapped(ADA);
    ledger.indicated('unknown', ADA);
    expect(ledger.judge(shown({}))).to.have.length(1);
    expect(ledger.judge(shown({}, ONCE))).to.be.empty;
  });

  it('finds a scan that nobody tapped', () => {
    expect(new Ledger().judge(shown({}, ONCE))).to.have.length(1);
  });

  for (const [what, entries] of Object.entries({
    'a day without entries': [],
    'a tag twice': [entry(ADA, 90_000, 90_000, 1), entry(ADA, 90_001, 90_001, 1)],
    'a count of none': [entry(ADA, 90_000, 90_000, 0)],
    'one scan with two times': [entry(ADA, 90_000, 90_001, 1)],
    'more scans than seconds': [entry(ADA, 90_000, 90_001, 3)],
  })) {
    it(`finds ${what}`, () => {
      const ledger = Ledger.of(Array.from({ length: 9 }, () => `tapped ${ADA}`));
      expect(
        ledger.judge({ mapping: new Map(), days: new Map([[1, entries]]), provisional: [] }),
      ).to.have.length(1);
    });
  }

  describe('when a scan is acknowledged as provisional', () => {
    const waits = (isFiling = false): Contents['provisional'] => [
      { sequence: 1, id: ADA, shown: 7, isFiling },
    ];
    let ledger: Ledger;

    beforeEach(() => {
      ledger = Ledger.of([`tapped ${ADA}`, `held ${ADA} 1 90000 7`, `indicated counted ${ADA}`]);
    });

    it('is content if it waits, or has its day', () => {
      expect(ledger.judge(shown({}, [], waits()))).to.be.empty;
      expect(ledger.judge(shown({}, ONCE))).to.be.empty;
      expect(ledger.judge(shown({}, ONCE, waits(true)))).to.be.empty;
      ledger.take(`filed ${ADA} 1 90000`);
      expect(ledger.judge(shown({}, ONCE))).to.be.empty;
      expect(ledger.holdings).to.equal(1);
    });

    it('finds that it is gone, or under another second', () => {
      for (const wrong of [[], [entry(ADA, 90_001, 90_001, 1)], [entry(ADA, 7, 7, 1)]]) {
        expect(ledger.judge(shown({}, wrong)), JSON.stringify(wrong)).not.to.be.empty;
      }
    });

    it('finds that it is there twice', () => {
      expect(ledger.judge(shown({}, [entry(ADA, 90_000, 90_001, 2)]))).not.to.be.empty;
      expect(ledger.judge(shown({}, ONCE, waits()))).not.to.be.empty;
      expect(ledger.judge(shown({}, [], [...waits(), ...waits()]))).not.to.be.empty;
    });

    it('finds one that waits and that nobody tapped', () => {
      expect(
        ledger.judge(shown({}, [], [...waits(), { sequence: 2, id: BOB, shown: 8, isFiling: false }])),
      ).to.have.length(1);
    });

    it('finds that it does not have its day, or waits again, after it was announced', () => {
      ledger.filed(ADA, 1, 90_000);
      expect(ledger.judge(shown({}, [], waits()))).not.to.be.empty;
    });

    it('ends with the settlement', () => {
      ledger.settle(shown({}, ONCE));
      ledger.filed(ADA, 1, 90_000);
      expect(ledger.judge(shown({}, ONCE))).to.be.empty;
    });
  });

  it('lets nothing go back or come later once it is settled', () => {
    const ledger = Ledger.of([ADA, BOB].flatMap((id) => [`put ${id} 1`, `tapped ${id}`]));
    const there = shown({ [ADA]: 1 }, ONCE);
    ledger.settle(there);
    expect(ledger.judge(there)).to.be.empty;
    expect(ledger.judge(shown({}, []))).to.have.length(2);
    expect(ledger.judge(shown({ [ADA]: 1, [BOB]: 1 }, ONCE))).to.have.length(1);
    expect(
      ledger.judge(shown({ [ADA]: 1 }, [entry(ADA, 90_000, 90_000, 1), entry(BOB, 90_000, 90_000, 1)])),
    ).to.have.length(1);
  });
});

describe('A name of the load', () => {
  it('tells its version, and no other name does', () => {
    for (const version of [1, 2, 100]) expect(versionOf(ADA, nameOf(ADA, version))).to.equal(version);
    expect(versionOf(BOB, nameOf(ADA, 1))).to.equal(undefined);
    expect(versionOf(ADA, { first: 'Ada', last: 'Lovelace' })).to.equal(undefined);
  });
});
