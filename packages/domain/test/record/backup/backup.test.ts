import {
  DAY_MAX,
  NAME_PART_MAX_LENGTH,
  parseName,
  parseTallyId,
  toTimestamp,
  type Timestamp,
} from '@tallybook/domain';
import {
  BACKUP_LINE_MAX_LENGTH,
  ENTRY_SCANS_MAX,
  formatBackupLine,
  parseBackupLine,
  type BackupRecord,
} from '@tallybook/domain/record';
import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  corrections,
  days,
  entriesOf,
  forAll,
  names,
  provisionalScans,
  tallyIds,
} from '../../fixtures/arbitraries.js';
import { thrownBy } from '../../fixtures/throws.js';

const head = '{"kind":"tallybook","version":1}';
const entry = { kind: 'entry', day: 20_411, id: '04A2B3C4D5', first: 100, last: 200, count: 2 };

const scan = {
  ...{ kind: 'provisional', id: '04A2B3C4D5', reader: 'door', bootId: 'b' },
  ...{ monotonicMs: 1.5, shown: 7, notBefore: 5 },
};
const filing = { day: 1, at: 86_400, isRecorded: false };
const end = { kind: 'end', names: 1, entries: 2, corrections: 4, provisional: 3 };
const correction = {
  ...{ kind: 'correction', action: 'add', day: 1, id: '04A2B3C4D5', at: 86_400, reason: 'Forgot to tap' },
  ...{ author: 'desk', madeAt: 90_000, state: 'rejected' },
  decision: { by: 'boss', at: 90_001, reason: 'Was not there' },
};
const backupCounts = fc.record({
  names: fc.maxSafeNat(),
  entries: fc.maxSafeNat(),
  corrections: fc.nat(),
  provisional: fc.nat(),
});

describe('formatBackupLine', () => {
  it('writes lines of the documented format', () => {
    const id = parseTallyId('04A2B3C4D5');
    const records: BackupRecord[] = [
      { kind: 'tallybook', version: 1, hasEnd: false },
      { kind: 'tallybook', version: 1, hasEnd: true },
      { kind: 'name', id, name: { first: 'Ada', last: 'Lovelace' } },
    ];
    expect(records.map(formatBackupLine)).to.deep.equal([
      head,
      '{"kind":"tallybook","version":1,"hasEnd":true}',
      '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}',
    ]);
    const lines = [
      '{"kind":"entry","day":20411,"id":"04A2B3C4D5","first":100,"last":200,"count":2}',
      '{"kind":"entry","day":20411,"id":"04A2B3C4D5","first":100,"last":200,"count":3,"scans":[100,150,200]}',
      '{"kind":"entry","day":20411,"id":"04A2B3C4D5","first":100,"last":200,"count":3,"scans":[150],"flags":[9007199254740991]}',
      '{"kind":"provisional","id":"04A2B3C4D5","reader":"door","bootId":"b","monotonicMs":1.5,"shown":7,"notBefore":5}',
      '{"kind":"provisional","id":"04A2B3C4D5","reader":"door","bootId":"b","monotonicMs":0,"shown":7,"notBefore":5,"filing":{"day":1,"at":86400,"estimate":{"earliest":5,"latest":86400},"isRecorded":true}}',
      '{"kind":"correction","action":"void","day":1,"id":"04A2B3C4D5","at":86400,"reason":"Not me","author":"desk","madeAt":90000,"state":"pending"}',
      '{"kind":"correction","action":"add","day":1,"id":"04A2B3C4D5","at":86400,"reason":"Forgot to tap","author":"desk","madeAt":90000,"state":"rejected","decision":{"by":"boss","at":90001,"reason":"Was not there"}}',
      '{"kind":"end","names":1,"entries":2,"corrections":4,"provisional":3}',
    ];
    for (const line of lines) expect(formatBackupLine(parseBackupLine(line, 2))).to.equal(line);
  });

  it('writes the largest seconds and flags of an entry in a line that is not too long', () => {
    const largest = Array.from({ length: ENTRY_SCANS_MAX }, (_, n) => Number.MAX_SAFE_INTEGER - n).reverse();
    const [first, last] = [largest[0] ?? 0, largest.at(-1) ?? 0].map(toTimestamp) as [Timestamp, Timestamp];
    const scans = largest.map(toTimestamp);
    const line = formatBackupLine({
      ...{ kind: 'entry', day: DAY_MAX },
      entry: { id: parseTallyId('FF'.repeat(10)), first, last, count: 1_000_000_000, scans, flags: largest },
    });
    expect(line.length).to.be.below(9_100);
  });

  it('writes the longest name in a line that is far from too long', () => {
    const longest = '"'.repeat(NAME_PART_MAX_LENGTH);
    const name = parseName({ first: longest, last: '𝒜'.repeat(NAME_PART_MAX_LENGTH) });
    const line = formatBackupLine({ kind: 'name', id: parseTallyId('FF'.repeat(10)), name });
    expect(line.length).to.be.below(BACKUP_LINE_MAX_LENGTH / 10);
  });
});

describe('parseBackupLine', () => {
  it('reads every line that it writes', () => {
    const records = fc.oneof(
      fc.record({ kind: fc.constant('name' as const), id: tallyIds, name: names }),
      tallyIds.chain((id) =>
        fc.record({ kind: fc.constant('entry' as const), day: days, entry: entriesOf(id) }),
      ),
      fc.record({ kind: fc.constant('correction' as const), correction: corrections }),
      fc.record({ kind: fc.constant('provisional' as const), scan: provisionalScans }),
      fc.record({ kind: fc.constant('end' as const), counts: backupCounts }),
    );
    forAll([records, fc.integer({ min: 2 })], (record, number) => {
      const line = formatBackupLine(record);
      expect(line).to.not.match(/[\r\n]/);
      expect(parseBackupLine(line, number)).to.deep.equal(record);
    });
  });

  it('reads the head on line 1', () => {
    expect(parseBackupLine(head, 1)).to.deep.equal({ kind: 'tallybook', version: 1, hasEnd: false });
  });

  it('ignores fields that it does not know', () => {
    const line = JSON.stringify({ ...entry, note: 'by hand' });
    expect(parseBackupLine(line, 2)).to.deep.equal(parseBackupLine(JSON.stringify(entry), 2));
  });

  it('brings ids and names to canonical form', () => {
    const line = '{"kind":"name","id":"01:02:03","first":" Zoe\\u0308","last":""}';
    expect(parseBackupLine(line, 2)).to.deep.equal({
      kind: 'name',
      id: '010203',
      name: { first: 'Zo\u00EB', last: '' },
    });
  });

  it('reads a line of the greatest length and refuses a longer one', () => {
    const padded = JSON.stringify(entry).padEnd(BACKUP_LINE_MAX_LENGTH);
    expect(parseBackupLine(padded, 2).kind).to.equal('entry');
    const { message } = thrownBy('INVALID_BACKUP', () => parseBackupLine(`${padded} `, 2));
    expect(message).to.equal('line 2: must have at most 65536 characters; it has 65537');
  });

  const name = { kind: 'name', id: '010203', first: 'Ada', last: '' };
  type Refused = readonly [what: string, number: number, line: unknown, message: RegExp];
  /** Records with wrong fields. */
  const spoilt = (
    record: object,
    rows: readonly (readonly [string, object, RegExp])[],
    line = 2,
  ): readonly Refused[] =>
    rows.map(([what, wrong, message]) => [what, line, { ...record, ...wrong }, message]);
  const plainHead = { kind: 'tallybook', version: 1 };
  const refused: readonly Refused[] = [
    ['a first line that is no head', 1, name, /must be \{"kind":"tallybook","version":1\}/],
    ['a first line of another program', 1, { version: 1 }, /this is no backup of Tallybook/],
    ['a second head', 2, plainHead, /is a second head/],
    ['another kind', 2, { kind: 'scan' }, /"entry", "correction", "provisional" or "end"; got "scan"/],
    ['no kind', 2, {}, /"entry", "correction", "provisional" or "end"; got nothing/],
    ['a kind that is no text', 2, { kind: ['name'] }, /got \["name"\]/],
    ['an array', 2, [1], /must be an object; got an array/],
    ['null', 2, null, /must be an object; got null/],
    ['a number', 2, 7, /must be an object; got a number/],
    ...spoilt(
      plainHead,
      [
        ['another version', { version: 2 }, /has format version 2; this program reads version 1$/],
        ['a version that is text', { version: '1' }, /has format version "1"/],
        ['no version', { version: undefined }, /has format version nothing/],
        ['a head with hasEnd as text', { hasEnd: 'yes' }, /hasEnd must be true or false; got "yes"/],
        [
          'a head with an impossible time',
          { madeAt: 253_402_214_401 },
          /from 0 to 253402214400, the end of the year 9999; got 253402214401/,
        ],
        [
          'a head with the largest number as its time',
          { madeAt: Number.MAX_SAFE_INTEGER },
          /from 0 to 253402214400,/,
        ],
      ],
      1,
    ),
    ...spoilt(name, [
      ['a name with a bad id', { id: '0102' }, /a tally id is 3 to 10 bytes.*got 4 characters/],
      ['a name without last', { last: undefined }, /name\.last must be a string; got nothing/],
    ]),
    ...spoilt(entry, [
      ['an entry with a bad id', { id: 7 }, /a tally id is .*got a number/],
      ['an entry without a day', { day: undefined }, /a day is .*got nothing/],
      ['an entry after the last day', { day: 4_294_967_296 }, /to 4294967295; got 4294967296/],
      ['an entry with first as text', { first: '100' }, /a timestamp is .*got "100"/],
      ['an entry with a negative last', { last: -1 }, /a timestamp is .*got -1/],
      ['an entry that ends before it begins', { first: 201 }, /first scan \(201\) after its last \(200\)/],
      [
        'an entry with no count',
        { count: undefined },
        /count of an entry .* from 2 to 1000000000; got nothing/,
      ],
      ['an entry with too low a count', { count: 1 }, /count of an entry .* from 2 to 1000000000; got 1/],
      [
        'an entry with a count of 0',
        { last: 100, count: 0 },
        /count of an entry .* from 1 to 1000000000; got 0/,
      ],
      ['an entry with half a scan', { count: 2.5 }, /count of an entry .* from 2 to 1000000000; got 2.5/],
      [
        'an entry with scans that are no list',
        { scans: 150 },
        /the scans of an entry must be an array; got a number/,
      ],
      ['an entry with a scan that is no time', { scans: ['150'] }, /a timestamp is .*got "150"/],
      ['an entry with a scan before its first', { scans: [99] }, /must ascend from 100 to 200; got 99/],
      ['an entry with a scan after its last', { scans: [150, 201] }, /must ascend from 100 to 200; got 201/],
      [
        'an entry with a scan that comes twice',
        { scans: [150, 150] },
        /must ascend from 100 to 200; got 150/,
      ],
      [
        'an entry with too many scans',
        { scans: Array.from({ length: 257 }, () => 150) },
        /the scans of an entry may have 256 elements; it has 257/,
      ],
      [
        'an entry with flags and no scans',
        { flags: [1] },
        /the scans of an entry must be an array; got nothing/,
      ],
      [
        'an entry with fewer flags than scans',
        { scans: [120, 150], flags: [1] },
        /flags for each of its 2 scans; got 1/,
      ],
      [
        'an entry with a flag too large',
        { scans: [150], flags: [2 ** 53] },
        /a flag of a scan must be a whole number/,
      ],
      [
        'an entry with half a flag',
        { scans: [150], flags: [0.5] },
        /a flag of a scan must be a whole number/,
      ],
      [
        'an entry with a count that leaves no room',
        { count: Number.MAX_SAFE_INTEGER },
        /count of an entry .* from 2 to 1000000000/,
      ],
    ]),
    ...spoilt(scan, [
      ['a scan with a bad id', { id: 7 }, /a tally id is .*got a number/],
      ['a scan without a reader', { reader: undefined }, /reader must be a text; got nothing/],
      ['a scan without a run', { bootId: 4 }, /bootId must be a text; got a number/],
      ['a scan before the run', { monotonicMs: -1 }, /monotonicMs .* 0 to 1000000000000; got -1/],
      ['a scan without a moment', { monotonicMs: null }, /monotonicMs .* 0 to 1000000000000; got null/],
      ['a scan without a time', { shown: undefined }, /a timestamp is .*got nothing/],
      ['a scan without a bound', { notBefore: -2 }, /a timestamp is .*got -2/],
      ['a filing that is a list', { filing: [] }, /filing must be an object; got an array/],
      ['a filing without a day', { filing: { ...filing, day: -1 } }, /a day is .*got -1/],
      ['a filing without a time', { filing: { ...filing, at: 0.5 } }, /a timestamp is .*got 0.5/],
      [
        'a filing that is half done',
        { filing: { day: 1, at: 1 } },
        /isRecorded must be true or false; got not/,
      ],
      [
        'an estimate that is none',
        { filing: { ...filing, estimate: 1 } },
        /estimate must be an object; got a number/,
      ],
      [
        'an estimate that ends before it begins',
        { filing: { ...filing, estimate: { earliest: 3, latest: 2 } } },
        /earliest \(3\) after its latest \(2\)/,
      ],
      ['a scan of the year 287396', { shown: 9e12 }, /the end of the year 9999; got 9000000000000/],
      [
        'a run of a million years',
        { monotonicMs: 1e300 },
        /monotonicMs must be a number from 0 to 1000000000000;/,
      ],
    ]),
    ...spoilt(end, [
      ['an end that counts no names', { names: undefined }, /number of names.*got nothing/],
      ['an end that counts half an entry', { entries: 0.5 }, /number of entries.*got 0.5/],
      ['an end that counts no corrections', { corrections: 'x' }, /number of corrections.*got "x"/],
      ['an end that counts backwards', { provisional: -1 }, /number of provisional.*got -1/],
    ]),
    ...spoilt(correction, [
      ['a correction without a reason', { reason: undefined }, /a reason must be a string; got nothing/],
      [
        'a correction with a short reason',
        { reason: 'no' },
        /a reason has 3 to 500 characters; it has fewer/,
      ],
      ['a correction of another action', { action: 'edit' }, /"add" or "void"; got "edit"/],
      [
        'a correction in another state',
        { state: 'new' },
        /state of a correction must be approved, pending, rejected; got "new"/,
      ],
      ['a correction with a bad id', { id: 7 }, /a tally id is .*got a number/],
      ['a correction without a day', { day: undefined }, /a day is .*got nothing/],
      ['a correction without a second', { at: '1' }, /a timestamp is .*got "1"/],
      ['a correction of nobody', { author: '' }, /author of a correction must have 1 to 500 characters/],
      [
        'a correction of anybody',
        { author: 'x'.repeat(501) },
        /author of a correction must have 1 to 500 characters/,
      ],
      ['a correction without a time', { madeAt: -1 }, /a timestamp is .*got -1/],
      ['a decision that is none', { decision: 'boss' }, /decision of a correction must be an object/],
      ['a decision of nobody', { decision: { at: 1 } }, /decision\.by must be a text/],
      ['a decision without a time', { decision: { by: 'boss' } }, /a timestamp is .*nothing/],
      [
        'a decision with a bad reason',
        { decision: { by: 'boss', at: 1, reason: 7 } },
        /a reason must be a string; got a number/,
      ],
    ]),
  ];
  for (const [what, number, value, message] of refused) {
    it(`refuses ${what} and names the line`, () => {
      const error = thrownBy('INVALID_BACKUP', () => parseBackupLine(JSON.stringify(value), number));
      expect(error.message)
        .to.match(new RegExp(`^line ${number}: `))
        .and.to.match(message);
      expect(error.details).to.deep.equal({ line: number });
    });
  }

  it('reads an estimate that is one moment', () => {
    const estimate = { earliest: 3, latest: 3 };
    const line = JSON.stringify({ ...scan, filing: { ...filing, estimate } });
    expect(parseBackupLine(line, 2)).to.have.deep.nested.property('scan.filing.estimate', estimate);
  });

  it('refuses a moment that is valid JSON but impossible for a clock', () => {
    const line = JSON.stringify(scan).replace('1.5', '1e999');
    expect(thrownBy('INVALID_BACKUP', () => parseBackupLine(line, 2)).message).to.match(/got Infinity/);
  });

  it('refuses an empty line and a text that is no JSON, without showing it', () => {
    for (const line of ['', ' ', '{', 'Ada Lovelace', '{"kind":"name","id":"010203","first":"Ada Lovelace']) {
      const error = thrownBy('INVALID_BACKUP', () => parseBackupLine(line, 7));
      expect(error.message).to.equal('line 7: is not JSON');
      expect(error).to.not.have.own.property('cause');
    }
  });

  it('keeps the problem of a field as the cause', () => {
    const error = thrownBy('INVALID_BACKUP', () => parseBackupLine(JSON.stringify({ ...entry, day: -1 }), 2));
    expect(error.cause).to.have.property('code', 'INVALID_DAY');
  });

  it('returns a record or refuses, for every line', () => {
    const fields = { kind: 0, id: 0, day: 0, first: 0, last: 0, count: 0, version: 0 };
    const mutations = fc.tuple(fc.constantFrom(...Object.keys(fields)), fc.jsonValue());
    forAll([fc.oneof(fc.string({ unit: 'binary' }), fc.json())], (line) => {
      thrownBy('INVALID_BACKUP', () => parseBackupLine(line, 2));
    });
    forAll([mutations], ([field, value]) => {
      const line = JSON.stringify({ ...entry, [field]: value });
      try {
        expect(parseBackupLine(line, 2).kind).to.be.oneOf(['name', 'entry']);
      } catch (error) {
        expect(error).to.have.property('code', 'INVALID_BACKUP');
      }
    });
  });
});
