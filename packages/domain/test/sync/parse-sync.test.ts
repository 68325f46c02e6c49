import { isTallybookError } from '@tallybook/domain';
import {
  parseSnapshotPart,
  parseSyncAnswer,
  parseSyncBatch,
  parseSyncChanges,
  SYNC_MAX_ENTRIES,
  SYNC_MAX_ITEMS,
} from '@tallybook/domain/sync';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { forAll } from '../fixtures/arbitraries.js';
import { ada, at, bob, forgotten, lovelace, quiet, TODAY } from './sync-world.js';
import { thrownBy } from '../fixtures/throws.js';

const scan = { kind: 'scan', day: TODAY, id: ada, at: at(1), reader: 'door' };
const name = { kind: 'name', id: ada, name: lovelace, stamp: { ms: 1, counter: 2, node: 'gate' } };
const key = '0123456789abcdef'.repeat(2);
const erasure = {
  kind: 'erasure',
  erasure: { key, digest: key, from: at(0), until: at(1), expiresAt: at(2) },
};
const entry = { id: bob, first: at(1), last: at(4), count: 7 };
const items = [
  scan,
  {
    kind: 'scan',
    day: TODAY,
    id: ada,
    at: at(2),
    filed: { sequence: 3, estimate: { earliest: at(1), latest: at(9) } },
  },
  { kind: 'scan', day: TODAY, id: ada, at: at(3), filed: { sequence: 4 } },
  name,
  { kind: 'name', id: bob, name: null, stamp: null },
  { kind: 'correction', correction: forgotten(ada, 5) },
  {
    kind: 'correction',
    correction: forgotten(ada, 6, { state: 'rejected', decision: { by: 'boss', at: at(9) } }),
  },
  { kind: 'entries', day: TODAY, entries: [entry] },
  erasure,
];
const numbered = items.map((item, index) => ({ ...item, cursor: index + 8 }));
const status = { ...quiet, waiting: 3, oldestWaitingAt: at(-9) };
const batch = { run: 'run', after: 7, through: 20, isRestart: true, items: numbered, status };
const answer = {
  ...{ run: 'run', acknowledged: 20, keepFrom: TODAY, now: at(3) },
  refused: [{ cursor: 9, code: 'TAG_ERASED', message: 'erased' }],
  superseded: [name],
  erasures: [erasure.erasure],
};
const changes = {
  origin: 'abc',
  cursor: 7,
  now: at(3),
  items: [...items.slice(3, 7), erasure, { kind: 'day', day: TODAY }],
};

const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a message between a station and its centre', () => {
  it('is read back unchanged', () => {
    expect(parseSyncBatch(overTheWire(batch))).to.deep.equal({ ...batch, refused: [] });
    expect(parseSyncAnswer(overTheWire(answer))).to.deep.equal(answer);
    expect(parseSyncChanges(overTheWire(changes))).to.deep.equal(changes);
    for (const part of [
      { kind: 'head', origin: 'a', cursor: 0, now: at(0), keepFrom: 3 },
      { kind: 'end', items: 0 },
      name,
    ]) {
      expect(parseSnapshotPart(overTheWire(part))).to.deep.equal(part);
    }
  });

  it('may have fields that this version does not know', () => {
    const more = {
      ...batch,
      more: 1,
      items: [{ ...scan, cursor: 8, more: [] }],
      status: { ...quiet, more: {} },
    };
    expect(parseSyncBatch(more)).to.deep.equal({
      ...{ ...batch, items: [{ ...scan, cursor: 8 }], status: quiet },
      refused: [],
    });
  });

  const bad: readonly (readonly [what: string, wrong: object, message: RegExp])[] = [
    ['no run', { run: undefined }, /^run must be a text; got nothing$/],
    ['an empty run', { run: '' }, /^run must have 1 to 64 characters; it has 0$/],
    ['a long run', { run: 'x'.repeat(65) }, /it has 65$/],
    ['half a surrogate pair', { run: '\uD800' }, /well-formed/],
    ['a negative place', { after: -1 }, /^after must be a whole number from 0 to 281474976710655; got -1$/],
    ['half a place', { through: 20.5 }, /^through must be a whole number/],
    ['an end before its beginning', { through: 6 }, /^through must be a whole number from 7/],
    ['no items', { items: {} }, /^items must be an array; got an object$/],
    [
      'too many items',
      { items: Array.from({ length: SYNC_MAX_ITEMS + 1 }, () => 0) },
      /^items may have 1000 elements; it has 1001$/,
    ],
    ['an item that is none', { items: [null] }, /^items\[0\] must be an object; got null$/],
    ['an item without a cursor', { items: [scan] }, /^items\[0\]\.cursor must be/],
    ['a cursor that was sent before', { items: [{ ...scan, cursor: 7 }] }, /from 8 to/],
    ['a cursor after the end', { items: [{ ...scan, cursor: 21 }] }, /from 8 to 20; got 21$/],
    ['cursors that go back', { items: [9, 8].map((cursor) => ({ ...scan, cursor })) }, /^items\[1\].*from 9/],
    ['a restart that is neither', { isRestart: 'yes' }, /^isRestart must be true or false; got "yes"$/],
    ['no status', { status: null }, /^status must be an object; got null$/],
    [
      'a status without a version',
      { status: { ...quiet, version: '' } },
      /^status\.version must have 1 to 64/,
    ],
  ];
  for (const [what, wrong, message] of bad) {
    it(`is no batch with ${what}`, () => {
      expect(thrownBy('INVALID_SYNC', () => parseSyncBatch({ ...batch, ...wrong })).message).to.match(
        message,
      );
    });
  }

  it('has scans and entries of persons without a tag', () => {
    const id = 'FF5442AABBCCDDEEFF00';
    const items = [
      { ...scan, id, cursor: 8 },
      { kind: 'entries', day: 3, entries: [{ ...entry, id }], cursor: 9 },
    ];
    expect(parseSyncBatch({ ...batch, items }).items).to.deep.equal(items);
  });

  it('is an object', () => {
    for (const [value, what] of [
      [7, 'a number'],
      [[], 'an array'],
    ]) {
      const { message } = thrownBy('INVALID_SYNC', () => parseSyncBatch(value));
      expect(message).to.equal(`a batch must be an object; got ${String(what)}`);
    }
  });

  const entriesOf = (...entries: readonly unknown[]): object => ({ kind: 'entries', day: 3, entries });
  const refused: readonly (readonly [what: string, item: object, message: RegExp, code?: string])[] = [
    ['of another kind', { kind: 'provisional' }, /^kind must be scan, entries.*got "provisional"$/],
    ['of no kind', {}, /got nothing$/],
    ['that only a centre sends', { kind: 'day', day: 3 }, /^kind must be/],
    ['with a bad day', { ...scan, day: -1 }, /got -1/, 'INVALID_DAY'],
    ['with a bad time', { ...scan, at: 0.5 }, /got 0.5/, 'INVALID_TIMESTAMP'],
    ['with a bad id', { ...scan, id: 'Ada Lovelace' }, /12 characters/, 'INVALID_TALLY_ID'],
    ['with the id of no tag', { ...scan, id: 'FFFFFFFF' }, /no tag/, 'BLANK_TALLY_ID'],
    ['with a bad reader', { ...scan, reader: 7 }, /^reader must be a text; got a number$/],
    [
      'with a bad estimate',
      { ...scan, filed: { sequence: 1, estimate: { earliest: 2, latest: 1 } } },
      /earliest .* after its latest/,
    ],
    ['with half a name', { ...name, name: { first: 'Ada' } }, /last/, 'INVALID_NAME'],
    ['with no name', { ...name, name: undefined }, /nothing/, 'INVALID_NAME'],
    ['with half a stamp', { ...name, stamp: { ms: 1 } }, /^stamp\.counter/],
    ['with no stamp', { ...name, stamp: undefined }, /^stamp must be an object; got nothing$/],
    ['with a stamp before time', { ...name, stamp: { ms: -1, counter: 0, node: '' } }, /^stamp\.ms/],
    ['with no correction', { kind: 'correction' }, /^correction must be an object/],
    [
      'with half a correction',
      { kind: 'correction', correction: { action: 'add' } },
      /state/,
      'INVALID_CORRECTION',
    ],
    ['without entries', entriesOf(), /at least one/],
    [
      'with too many entries',
      entriesOf(...Array.from({ length: SYNC_MAX_ENTRIES + 1 }, () => entry)),
      /^entries may have 500 elements; it has 501$/,
    ],
    ['with an entry that is none', entriesOf(7), /^an entry must be/],
    ['with an entry backwards', entriesOf({ ...entry, first: at(5) }), /after its last/],
    ['with an entry of too few scans', entriesOf({ ...entry, count: 1 }), /from 2 to/],
    [
      'with a bad digest',
      { kind: 'erasure', erasure: { ...erasure.erasure, digest: 'A' } },
      /^erasure\.digest must be 32/,
    ],
  ];
  for (const [what, item, message, code = 'INVALID_SYNC'] of refused) {
    it(`is refused alone, if it is an item ${what}`, () => {
      const parsed = parseSyncBatch({
        ...batch,
        items: [
          { ...item, cursor: 8 },
          { ...scan, cursor: 9 },
        ],
      });
      expect(parsed.items).to.deep.equal([{ ...scan, cursor: 9 }]);
      expect(parsed.refused.map((each) => [each.cursor, each.code])).to.deep.equal([[8, code]]);
      expect(parsed.refused[0]?.message).to.match(message);
    });
  }

  it('is refused without showing a wrong id or name', () => {
    const secret = 'Lovelace';
    for (const item of [
      { ...scan, id: secret },
      { ...name, name: { first: secret, last: 7 } },
      { ...name, name: secret },
    ]) {
      const { refused: all } = parseSyncBatch({ ...batch, items: [{ ...item, cursor: 8 }] });
      expect(all).to.have.length(1);
      expect(JSON.stringify(all)).to.not.include(secret);
    }
  });

  it('is read or refused, for every value', () => {
    const parsers = [parseSyncBatch, parseSyncAnswer, parseSyncChanges, parseSnapshotPart];
    const good = fc.constantFrom<unknown>(
      batch,
      answer,
      changes,
      name,
      ...items,
      { kind: 'head' },
      { kind: 'end' },
    );
    const spoiled = fc.tuple(good, fc.string(), fc.jsonValue()).map(([value, path, other]) => {
      const copy = overTheWire(value) as Record<string, unknown>;
      const keys = Object.keys(copy);
      copy[keys[path.length % keys.length] ?? path] = other;
      return copy;
    });
    forAll([fc.oneof(fc.jsonValue(), spoiled)], (value) => {
      for (const parse of parsers) {
        try {
          parse(value);
        } catch (error) {
          if (!isTallybookError(error, 'INVALID_SYNC')) throw error;
        }
      }
    });
  });
});

describe('an answer of a centre', () => {
  it('is refused as a whole if a part is wrong', () => {
    const cases: readonly (() => unknown)[] = [
      () => parseSyncAnswer({ ...answer, superseded: ['x'] }),
      () => parseSyncAnswer({ ...answer, refused: [{ cursor: 1, code: '', message: '' }] }),
      () => parseSyncAnswer({ ...answer, now: -1 }),
      () => parseSyncChanges({ ...changes, items: [scan] }),
      () => parseSyncChanges({ ...changes, items: [{ ...name, stamp: 7 }] }),
      () => parseSyncChanges({ ...changes, origin: '' }),
      () => parseSnapshotPart({ kind: 'day', day: 3 }),
      () => parseSnapshotPart({ kind: 'end' }),
    ];
    for (const read of cases) thrownBy('INVALID_SYNC', read);
  });
});
