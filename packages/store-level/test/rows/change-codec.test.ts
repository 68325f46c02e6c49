import { expect } from 'chai';
import fc from 'fast-check';
import { parseCarriedKey, toDay, toTimestamp, type Change, type TallyId } from '@tallybook/domain';
import { dayOfScan, decodeChange, encodeChange } from '../../src/rows/change-codec.js';

const number = fc.maxSafeNat();
const day = fc.nat(0xff_ff_ff_ff).map(toDay);
const timestamp = number.map(toTimestamp);
const id = fc
  .uint8Array({ minLength: 3, maxLength: 10 })
  .map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase() as TallyId);
const text = fc.string({ unit: 'grapheme', maxLength: 40 });

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('scan' as const),
      day,
      id,
      at: timestamp,
      reader: fc.option(text, { nil: undefined }),
      outcome: fc.constantFrom('counted' as const, 'already-counted' as const),
      filed: fc.record(
        { sequence: number, estimate: fc.record({ earliest: timestamp, latest: timestamp }) },
        { requiredKeys: ['sequence'] },
      ),
      flags: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    },
    { requiredKeys: ['kind', 'day', 'id', 'at', 'reader', 'outcome'] },
  ),
  fc.record({
    kind: fc.constant('provisional' as const),
    sequence: number,
    id,
    reader: text,
    bootId: text,
    monotonicMs: fc.double({ noNaN: true, noDefaultInfinity: true }),
  }),
  fc.record({
    kind: fc.constant('name' as const),
    id,
    action: fc.constantFrom('added' as const, 'replaced' as const, 'removed' as const),
  }),
  fc.record({
    kind: fc.constant('day' as const),
    day,
    action: fc.constantFrom('removed' as const, 'merged' as const),
  }),
  fc.record({
    kind: fc.constant('erased' as const),
    digest: fc
      .uint8Array({ minLength: 16, maxLength: 16 })
      .map((bytes) => Buffer.from(bytes).toString('hex')),
  }),
  fc.record({ kind: fc.constant('correction' as const), number, day, id }),
  fc.record({
    kind: fc.constant('carried' as const),
    row: fc.constantFrom('occasion 1', 'a A.b_c:d-').map(parseCarriedKey),
  }),
  fc.constant({ kind: 'repaired' as const }),
);

describe('A change in a row', () => {
  it('is read back unchanged', () => {
    fc.assert(
      fc.property(change, number, (each, writtenAt) => {
        const value = encodeChange({ change: each, writtenAt });
        expect(decodeChange(value)).to.deep.equal({ change: each, writtenAt });
        expect(dayOfScan(value)).to.equal(each.kind === 'scan' ? each.day : undefined);
      }),
    );
  });

  it('is refused when it is cut or has more bytes, unless the result is another id', () => {
    fc.assert(
      fc.property(change, number, fc.nat(60), (each, writtenAt, cut) => {
        const value = encodeChange({ change: each, writtenAt });
        const hasId = each.kind !== 'day' && each.kind !== 'repaired';
        const longer = Buffer.concat([value, Buffer.alloc(hasId ? 8 : 1)]);
        expect(() => decodeChange(longer)).to.throw();
        const shorter = value.subarray(0, Math.max(value.length - (hasId ? 8 : 1) - cut, 0));
        expect(() => decodeChange(shorter)).to.throw();
      }),
    );
  });

  it('takes 19 bytes and the name of the reader for a scan of now with an id of 7 bytes', () => {
    const scan = {
      kind: 'scan',
      day: toDay(20_411),
      id: '04A2B3C4D5E6F7' as TallyId,
      at: toTimestamp(1_763_500_000),
      reader: 'front-door',
      outcome: 'counted',
    } as const;
    expect(encodeChange({ change: scan, writtenAt: 1_763_500_001 })).to.have.lengthOf(19 + 10);
  });

  for (const kind of [0x0b, 0x0c, 0x7f]) {
    it(`is one that nobody here knows with the kind ${kind}`, () => {
      const { change: read, writtenAt } = decodeChange(Buffer.from([kind, 9, 1, 2, 3, 4, 5]));
      expect([read, writtenAt]).to.deep.equal([{ kind: 'carried' }, 9]);
    });
  }

  for (const kind of [0x06, 0x08, 0x09, 0x0a, 0x80]) {
    it(`is refused with the kind ${kind}`, () => {
      expect(() => decodeChange(Buffer.from([kind, 0, 1, 2, 3, 4, 5]))).to.throw();
    });
  }

  it('is refused with an unknown action, or an unknown bit of a scan', () => {
    const [name, day, scan] = [
      [2, 0],
      [3, 0, 1],
      [0, 0, 1],
    ];
    expect(() => decodeChange(Buffer.from([...name, 2, 1, 2, 3]))).not.to.throw();
    expect(() => decodeChange(Buffer.from([...name, 3, 1, 2, 3]))).to.throw('there is no such action');
    expect(() => decodeChange(Buffer.from([...day, 1]))).not.to.throw();
    expect(() => decodeChange(Buffer.from([...day, 2]))).to.throw('there is no such action');
    expect(() => decodeChange(Buffer.from([...scan, 0x10, 0, 7, 0, 1, 2, 3]))).not.to.throw();
    expect(() => decodeChange(Buffer.from([...scan, 0x20, 0, 7, 0, 1, 2, 3]))).to.throw(
      'no such kind of scan',
    );
  });
});
