import { expect } from 'chai';
import fc from 'fast-check';
import { NAME_PART_MAX_LENGTH, parseName, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import {
  decodeDay,
  decodeEntry,
  decodeFlags,
  decodeName,
  decodeProvisional,
  encodeDay,
  encodeEntry,
  encodeFlags,
  encodeName,
  encodeProvisional,
} from '../../src/rows/codec.js';
import * as keys from '../../src/rows/keys.js';
import * as serviceKeys from '../../src/rows/service/service-keys.js';
import { encodeNumbers, NumberReader } from '../../src/leveldb-files/numbers.js';

const number = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constant(Number.MAX_SAFE_INTEGER));
/** Number of an audit entry: the first one is 1, and a row has more entries after it. */
const LAST_ENTRY = Number.MAX_SAFE_INTEGER - serviceKeys.AUDIT_ROW_MAX;
const entry = fc.oneof(
  fc.integer({ min: 1, max: LAST_ENTRY }),
  fc.integer({ min: 1, max: 300 }),
  fc.constant(LAST_ENTRY),
);
const timestamp = number.map(toTimestamp);
const day = fc.oneof(fc.nat(2 ** 32 - 1), fc.nat(300), fc.constant(2 ** 32 - 1)).map(toDay);
// Few different bytes, so that ids often have the same beginning.
const tallyId = fc
  .array(fc.constantFrom('00', '01', '7F', '80', 'FF'), { minLength: 3, maxLength: 10 })
  .map((bytes) => parseTallyId(bytes.join('')));
const namePart = fc.string({ unit: 'binary', maxLength: NAME_PART_MAX_LENGTH / 2 });

const estimate = fc.record({ earliest: timestamp, latest: timestamp });
const filing = fc.record(
  { day, at: timestamp, estimate, isRecorded: fc.boolean() },
  { requiredKeys: ['day', 'at', 'isRecorded'], noNullPrototype: true },
);
// Few different texts and moments, so that scans often differ in only one field.
const provisional = fc.record(
  {
    sequence: number,
    id: tallyId,
    reader: fc.string({ unit: 'grapheme' }),
    bootId: fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', 'aa')),
    monotonicMs: fc.oneof(
      fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, 1, 1.5),
    ),
    shown: timestamp,
    notBefore: timestamp,
    filing,
  },
  {
    requiredKeys: ['sequence', 'id', 'reader', 'bootId', 'monotonicMs', 'shown', 'notBefore'],
    noNullPrototype: true,
  },
);

const order = (a: number | string, b: number | string): number => (a < b ? -1 : Number(a > b));
const isIn = ({ gte, lt }: keys.KeyRange, key: Buffer): boolean =>
  key.compare(gte) >= 0 && key.compare(lt) < 0;

describe('Keys', () => {
  it('of names have the order of the ids, and give them back', () => {
    fc.assert(
      fc.property(tallyId, tallyId, (a, b) => {
        expect(keys.nameKey(a).compare(keys.nameKey(b))).to.equal(order(a, b));
        expect(keys.idOfNameKey(keys.nameKey(a))).to.equal(a);
      }),
    );
  });

  it('of days have the order of the days, and give them back', () => {
    fc.assert(
      fc.property(day, day, (a, b) => {
        expect(keys.dayKey(a).compare(keys.dayKey(b))).to.equal(order(a, b));
        for (const dayOf of [keys.dayOfDayKey, keys.dayOfKey]) expect(dayOf(keys.dayKey(a))).to.equal(a);
      }),
    );
  });

  it('of entries have the order of day and id, and give the id back', () => {
    fc.assert(
      fc.property(day, tallyId, day, tallyId, (dayA, a, dayB, b) => {
        const expected = order(dayA, dayB) || order(a, b);
        expect(keys.entryKey(dayA, a).compare(keys.entryKey(dayB, b))).to.equal(expected);
        expect(keys.idOfEntryKey(keys.entryKey(dayA, a))).to.equal(a);
      }),
    );
  });

  it('of scans are equal only for the same day, id and second', () => {
    fc.assert(
      fc.property(day, tallyId, timestamp, day, tallyId, timestamp, (dayA, a, atA, dayB, b, atB) => {
        const isSame = dayA === dayB && a === b && atA === atB;
        expect(keys.scanKey(dayA, a, atA).equals(keys.scanKey(dayB, b, atB))).to.equal(isSame);
        expect(keys.scanKey(dayA, a, atA).equals(keys.scanKey(dayA, a, atA))).to.equal(true);
      }),
    );
  });

  it('of provisional scans have the order of the sequences, and give them back', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(keys.provisionalKey(a).compare(keys.provisionalKey(b))).to.equal(order(a, b));
        expect(keys.sequenceOfKey(keys.provisionalKey(a))).to.equal(a);
      }),
    );
  });

  it('of moments are equal only for the same tag, run and moment', () => {
    fc.assert(
      fc.property(provisional, provisional, (a, b) => {
        const isSame = a.id === b.id && a.bootId === b.bootId && a.monotonicMs === b.monotonicMs;
        expect(keys.momentKey(a).equals(keys.momentKey(b))).to.equal(isSame);
      }),
    );
  });

  it('of changes have the order of the cursors, and give them back', () => {
    const cursor = fc.integer({ min: 1, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(cursor, cursor, (a, b) => {
        expect(keys.changeKey(a).compare(keys.changeKey(b))).to.equal(order(a, b));
        expect(keys.cursorOfKey(keys.changeKey(a))).to.equal(a);
        expect(isIn(keys.changeRange(a - 1, a), keys.changeKey(b))).to.equal(a === b);
        expect(isIn(keys.changeRange(a), keys.changeKey(b))).to.equal(b > a);
      }),
    );
  });

  it('of audit entries have the order of the numbers, and give them back', () => {
    fc.assert(
      fc.property(entry, entry, (a, b) => {
        expect(serviceKeys.auditKey(a).compare(serviceKeys.auditKey(b))).to.equal(order(a, b));
        expect(serviceKeys.numbersOfAuditKey(serviceKeys.auditKey(a))).to.deep.equal({ last: a, count: 1 });
        expect(isIn(serviceKeys.auditRange(a), serviceKeys.auditKey(b))).to.equal(b > a);
        expect(isIn(serviceKeys.auditRange(0), serviceKeys.auditHeadKey)).to.equal(false);
      }),
    );
  });

  it('of several audit entries have the order of the last ones, and give back how many there are', () => {
    const count = fc.integer({ min: 2, max: serviceKeys.AUDIT_ROW_MAX });
    fc.assert(
      fc.property(entry, entry, count, (a, b, n) => {
        const key = serviceKeys.auditKey(a + n, n);
        expect(serviceKeys.numbersOfAuditKey(key)).to.deep.equal({ last: a + n, count: n });
        expect(serviceKeys.countOfAuditKey(key)).to.equal(n);
        expect(key.compare(serviceKeys.auditKey(b + n, n))).to.equal(order(a, b));
        expect(isIn(serviceKeys.auditRange(b), key)).to.equal(a + n > b);
      }),
    );
    for (const wrong of [
      serviceKeys.auditKey(1, 2),
      serviceKeys.auditKey(99, serviceKeys.AUDIT_ROW_MAX + 1),
      serviceKeys.auditKey(0),
    ]) {
      expect(() => serviceKeys.numbersOfAuditKey(wrong)).to.throw(RangeError);
    }
  });

  it('are in the ranges of their kind and day, and in no other ones', () => {
    fc.assert(
      fc.property(day, day, tallyId, timestamp, provisional, (a, b, id, at, scan) => {
        const all = {
          names: keys.nameRange,
          days: keys.dayRange(b, b),
          entries: keys.entryRange(b),
          scans: keys.scanRange(b),
          provisional: keys.provisionalRange,
        };
        const rangesOf = (key: Buffer): string[] =>
          Object.entries(all).flatMap(([name, range]) => (isIn(range, key) ? [name] : []));
        expect(rangesOf(keys.formatKey)).to.deep.equal([]);
        expect(rangesOf(keys.nameKey(id))).to.deep.equal(['names']);
        expect(rangesOf(keys.dayKey(a))).to.deep.equal(a === b ? ['days'] : []);
        expect(rangesOf(keys.entryKey(a, id))).to.deep.equal(a === b ? ['entries'] : []);
        expect(rangesOf(keys.scanKey(a, id, at))).to.deep.equal(a === b ? ['scans'] : []);
        expect(rangesOf(keys.provisionalKey(scan.sequence))).to.deep.equal(['provisional']);
        expect(rangesOf(keys.momentKey(scan))).to.deep.equal([]);
        expect(rangesOf(keys.latestSequenceKey)).to.deep.equal([]);
      }),
    );
  });
});

describe('Values', () => {
  it('of numbers come back, and take a byte for each seven bits', () => {
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const bytes = encodeNumbers(...numbers);
        const reader = new NumberReader(bytes);
        expect(numbers.map(() => reader.next())).to.deep.equal(numbers);
        expect(() => reader.end()).not.to.throw();
        const length = numbers.reduce((sum, each) => sum + Math.ceil(each.toString(2).length / 7), 0);
        expect(bytes).to.have.lengthOf(length);
      }),
    );
  });

  it('refuse numbers that would not come back', () => {
    for (const wrong of [-1, 0.5, NaN, Infinity, 2 ** 53]) {
      expect(() => encodeNumbers(wrong)).to.throw(RangeError, String(wrong));
    }
  });

  it('are read completely or not at all', () => {
    const reader = new NumberReader(Buffer.of(1, 2, 3));
    expect(() => reader.take(4)).to.throw(RangeError);
    expect(reader.take(3)).to.deep.equal(Buffer.of(1, 2, 3));
    expect(reader.isAtEnd).to.equal(true);
  });

  it('of days come back', () => {
    fc.assert(fc.property(number, (count) => decodeDay(encodeDay(count)) === count));
  });

  it('of flags come back', () => {
    fc.assert(fc.property(number, (flags) => decodeFlags(encodeFlags(flags)) === flags));
  });

  /** Flags of the first and the last scan: absent if both are 0. */
  const ends = fc
    .tuple(number, number)
    .map(([first, last]) => (first === 0 && last === 0 ? {} : { flags: [first, last] as const }));

  it('of entries come back', () => {
    fc.assert(
      fc.property(tallyId, number, timestamp, timestamp, number, ends, (id, order, a, b, count, flags) => {
        const [first, last] = a < b ? [a, b] : [b, a];
        const stored = { order, entry: { id, first, last, count: Math.max(1, count) }, ...flags };
        expect(decodeEntry(id, encodeEntry(stored))).to.deep.equal(stored);
      }),
    );
  });

  it('of provisional scans come back', () => {
    fc.assert(
      fc.property(provisional, (scan) => {
        expect(decodeProvisional(scan.sequence, encodeProvisional(scan))).to.deep.equal(scan);
      }),
    );
  });

  it('of names come back', () => {
    fc.assert(
      fc.property(namePart, namePart, (first, last) => {
        let name;
        try {
          name = parseName({ first, last });
        } catch {
          fc.pre(false);
          return;
        }
        expect(decodeName(encodeName(name))).to.deep.equal(name);
      }),
    );
  });

  it('of any bytes give an error, or an entry that is written as these bytes or shorter', () => {
    fc.assert(
      fc.property(tallyId, fc.uint8Array({ maxLength: 24 }), (id, bytes) => {
        let stored;
        try {
          stored = decodeEntry(id, Buffer.from(bytes));
        } catch (error) {
          expect(error).to.be.an.instanceOf(Error);
          return;
        }
        expect(encodeEntry(stored).length).to.be.at.most(bytes.length);
      }),
    );
  });
});
