import { expect } from 'chai';
import {
  carriedKeyOf,
  implicitPerson,
  NO_STAMP,
  parseTallyId,
  toCarried,
  toTimestamp,
} from '@tallybook/domain';
import type { Correction } from '@tallybook/domain/record';
import { writeAuditEntry, type AuditEntry, type Credential, type User } from '@tallybook/domain/access';
import { encodeChange } from '../../src/rows/change-codec.js';
import {
  encodeBounds,
  encodeDay,
  encodeEntry,
  encodeFlags,
  encodeName,
  encodeProvisional,
  encodeSequence,
} from '../../src/rows/codec.js';
import {
  changeKey,
  commitKey,
  dayKey,
  entryKey,
  formatKey,
  journalBoundsKey,
  latestSequenceKey,
  momentKey,
  nameKey,
  positionKey,
  provisionalKey,
  scanKey,
  stampKey,
} from '../../src/rows/keys.js';
import { encodeAuditHead } from '../../src/rows/service/audit-rows.js';
import { encodeReceipts, receiptKey } from '../../src/rows/service/receipt-rows.js';
import {
  encodeRefused,
  encodeStation,
  refusedKey,
  stationKey,
  type StoredStation,
} from '../../src/rows/service/station-rows.js';
import { isMeaningful, kindOf, noRows, RowCounter } from '../../src/rows/row-kinds.js';
import {
  accessSecretKey,
  credentialRows,
  encodeAccessSecret,
  userRows,
} from '../../src/rows/service/access-rows.js';
import { correctionKey, latestNumberKey, encodeCorrection } from '../../src/rows/correction-rows.js';
import { encodeStamp } from '../../src/rows/name-rows.js';
import { carriedRows, personRows, timelineRows } from '../../src/rows/people-rows.js';
import { auditHeadKey, auditKey } from '../../src/rows/service/service-keys.js';
import { day } from '../../../testing/test/fixtures/known-values.js';

const id = parseTallyId('04A2B3C4D5');
const at = toTimestamp(1_763_500_000);
const scan = { id, reader: 'door', bootId: 'boot', monotonicMs: 1_000, shown: at, notBefore: at };
const user: User = { name: 'ada', role: 'admin', password: undefined, createdAt: at };
const token: Credential = {
  ...{
    id: '0123456789abcdef',
    digest: 'a'.repeat(64),
    kind: 'token',
    role: 'device',
    user: 'ada',
    label: 'door',
  },
  ...{ createdAt: at, expiresAt: undefined, lastUsed: undefined },
};
const audit: AuditEntry = {
  ...{ number: 7, at, actor: 'ada', action: 'name-set', details: { id } },
  ...{ previous: 'a'.repeat(64), hash: 'b'.repeat(64) },
};
const correction: Omit<Correction, 'number' | 'day'> = {
  ...{ action: 'void', id, at, reason: 'Not me', author: 'desk', madeAt: at, state: 'approved' },
  decision: { by: 'boss', at },
};
const stamp = { ms: at * 1_000, counter: 7, node: 'hall' };
const status = { waiting: 7, oldestWaitingAt: at, provisional: 1, isClockTrusted: true, version: '1.0.0' };
const station: StoredStation = { runs: [['run', 7]], heardAt: at, status };
const refused = { run: 'run', cursor: 7, at, code: 'TAG_ERASED', message: 'The tag was erased.' };
const person = {
  id: implicitPerson(id),
  name: { value: { first: 'Ada', last: '' }, stamp },
  tags: [id],
  aliases: [],
};
const timeline = {
  tag: id,
  entries: [{ since: at, holder: person.id, why: 'given', stamp: NO_STAMP }],
} as const;
const carried = toCarried({
  ...{ kind: 'occasion', id: '1', stamp: [1, 0, ''], persons: [], tags: [], value: {} },
});
const change = { kind: 'day', day, action: 'removed' } as const;
const empty = Buffer.alloc(0);
const longer = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.of(0)]);

const rows: Readonly<Record<string, { key: Buffer; value: Buffer; kind: string | undefined }>> = {
  'a name': { key: nameKey(id), value: encodeName({ first: 'Ada', last: '' }), kind: 'names' },
  'a person': { key: personRows.keyOf(person.id), value: personRows.encode(person), kind: 'persons' },
  'a timeline': { key: timelineRows.keyOf(id), value: timelineRows.encode(timeline), kind: 'timelines' },
  'a carried row': {
    key: carriedRows.keyOf(carriedKeyOf(carried)),
    value: carriedRows.encode(carried),
    kind: 'carried',
  },
  'a day': { key: dayKey(day), value: encodeDay(3), kind: 'days' },
  'an entry': {
    key: entryKey(day, id),
    value: encodeEntry({ entry: { id, first: at, last: at, count: 1 }, order: 0 }),
    kind: 'entries',
  },
  'a scan': { key: scanKey(day, id, at), value: encodeFlags(0), kind: 'scans' },
  'a provisional scan': { key: provisionalKey(7), value: encodeProvisional(scan), kind: 'provisional' },
  'a correction': {
    key: correctionKey({ day, number: 7 }),
    value: encodeCorrection(correction),
    kind: 'corrections',
  },
  'the latest number of a correction': { key: latestNumberKey, value: encodeSequence(7), kind: undefined },
  'the sequence of a moment': { key: momentKey(scan), value: encodeSequence(7), kind: undefined },
  'a change': { key: changeKey(7), value: encodeChange({ change, writtenAt: at }), kind: undefined },
  'a position': { key: positionKey('mqtt'), value: encodeSequence(7), kind: undefined },
  'the bounds of the journal': { key: journalBoundsKey, value: encodeBounds(7, 1), kind: undefined },
  'a user': { key: userRows.keyOf(user.name), value: userRows.encode(user), kind: 'users' },
  'a credential': {
    key: credentialRows.keyOf(token.id),
    value: credentialRows.encode(token),
    kind: 'credentials',
  },
  'the secret of the service': {
    key: accessSecretKey,
    value: encodeAccessSecret('s'.repeat(43)),
    kind: undefined,
  },
  'an audit entry': { key: auditKey(7), value: Buffer.from(writeAuditEntry(audit)), kind: 'auditEntries' },
  'two audit entries': {
    key: auditKey(7, 2),
    value: Buffer.from(`[${writeAuditEntry(audit)},${writeAuditEntry(audit)}]`),
    kind: 'auditEntries',
  },
  'the end of the audit trail': { key: auditHeadKey, value: encodeAuditHead(audit), kind: undefined },
  'the receipts of a device': {
    key: receiptKey('door'),
    value: encodeReceipts([['run', 7]]),
    kind: 'receipts',
  },
  'the stamp of a name': { key: stampKey(id), value: encodeStamp(stamp), kind: undefined },
  'a station': { key: stationKey('hall'), value: encodeStation(station), kind: 'stations' },
  'what of a station was refused': {
    key: refusedKey('hall'),
    value: encodeRefused([refused]),
    kind: undefined,
  },
  'the latest sequence': { key: latestSequenceKey, value: encodeSequence(7), kind: undefined },
};

describe('The rows that a repair saves', () => {
  for (const [what, { key, value, kind }] of Object.entries(rows)) {
    it(`are valid, and counted by their kind: ${what}`, () => {
      expect(isMeaningful({ key, value })).to.equal(true);
      expect(kindOf(key)).to.equal(kind);
    });
  }

  for (const what of Object.keys(rows).filter((each) => each !== 'a scan')) {
    it(`are not those with another value: ${what}`, () => {
      const { key = empty } = rows[what] ?? {};
      expect(isMeaningful({ key, value: Buffer.of(0xff) })).to.equal(false);
      expect(isMeaningful({ key, value: empty })).to.equal(false);
    });
  }

  for (const what of [
    'a day',
    'a scan',
    'a provisional scan',
    'a correction',
    'a change',
    'an audit entry',
  ]) {
    it(`are not those with a longer key: ${what}`, () => {
      const { key = empty, value = empty } = rows[what] ?? {};
      expect(isMeaningful({ key: longer(key), value })).to.equal(false);
    });
  }

  for (const what of ['a name', 'an entry', 'the stamp of a name', 'a timeline']) {
    it(`are not those with no id: ${what}`, () => {
      const { key = empty, value = empty } = rows[what] ?? {};
      expect(isMeaningful({ key: key.subarray(0, key.indexOf(Buffer.from(id, 'hex'))), value })).to.equal(
        false,
      );
    });
  }

  it('are not persons and timelines under the key of another one, or without an id', () => {
    const [one, other] = [parseTallyId('010203'), implicitPerson(parseTallyId('010203'))];
    expect(isMeaningful({ key: timelineRows.keyOf(one), value: timelineRows.encode(timeline) })).to.equal(
      false,
    );
    expect(isMeaningful({ key: personRows.keyOf(other), value: personRows.encode(person) })).to.equal(false);
    expect(
      isMeaningful({ key: personRows.keyOf('Ada' as typeof other), value: personRows.encode(person) }),
    ).to.equal(false);
  });

  it('are not carried rows under the key of another one', () => {
    const key = carriedRows.keyOf(carriedKeyOf({ kind: 'occasion', id: '2' }));
    expect(isMeaningful({ key, value: carriedRows.encode(carried) })).to.equal(false);
  });

  it('are not users and credentials without a name', () => {
    expect(isMeaningful({ key: userRows.keyOf(''), value: userRows.encode(user) })).to.equal(false);
    expect(isMeaningful({ key: credentialRows.keyOf(''), value: credentialRows.encode(token) })).to.equal(
      false,
    );
  });

  it('are not users and credentials with an unknown role or kind', () => {
    const king = { ...user, role: 'king' } as unknown as User;
    const key = { ...token, kind: 'key' } as unknown as Credential;
    expect(isMeaningful({ key: userRows.keyOf('ada'), value: userRows.encode(king) })).to.equal(false);
    expect(isMeaningful({ key: credentialRows.keyOf(token.id), value: credentialRows.encode(key) })).to.equal(
      false,
    );
  });

  it('count as many audit entries as a row has', () => {
    const counter = new RowCounter();
    for (const key of [auditKey(1), auditKey(4, 3), nameKey(id)]) counter.add(key);
    expect(counter.counts).to.deep.equal({ ...noRows, auditEntries: 4, names: 1 });
  });

  it('are not audit entries in another number than the key says', () => {
    const [one, two] = [rows['an audit entry'], rows['two audit entries']];
    for (const [key, value] of [
      [auditKey(7), two?.value],
      [auditKey(7, 2), one?.value],
      [auditKey(7, 3), two?.value],
      [auditKey(7, 2), Buffer.from('{"length":2}')],
    ] as const) {
      expect(isMeaningful({ key, value: value ?? empty })).to.equal(false);
    }
  });

  it('are not audit entries with an unknown action or invalid details', () => {
    for (const wrong of [{ action: 'forgot' }, { details: { a: null } }, { details: 'a' }, { hash: 'b' }]) {
      const value = Buffer.from(writeAuditEntry({ ...audit, ...wrong } as unknown as AuditEntry));
      expect(isMeaningful({ key: auditKey(7), value })).to.equal(false);
    }
  });

  it('are not receipts of nobody, or without numbers', () => {
    expect(isMeaningful({ key: receiptKey(''), value: encodeReceipts([]) })).to.equal(false);
    for (const wrong of ['{}', '[["run"]]', '[["run",1.5]]', '[[7,7]]', '[7]']) {
      expect(isMeaningful({ key: receiptKey('door'), value: Buffer.from(wrong) })).to.equal(false);
    }
  });

  it('are not stations without a name or without data', () => {
    expect(isMeaningful({ key: stationKey(''), value: encodeStation(station) })).to.equal(false);
    expect(isMeaningful({ key: refusedKey(''), value: encodeRefused([]) })).to.equal(false);
    for (const wrong of [
      { runs: 7 },
      { runs: [['run', -1]] },
      { runs: [[7, 7]] },
      { heardAt: undefined },
      { status: undefined },
      { status: { ...status, waiting: '7' } },
      { status: { ...status, isClockTrusted: undefined } },
    ]) {
      const value = Buffer.from(JSON.stringify({ ...station, ...wrong }));
      expect(isMeaningful({ key: stationKey('hall'), value }), JSON.stringify(wrong)).to.equal(false);
    }
    for (const wrong of [{}, [7], [{ ...refused, cursor: 1.5 }], [{ ...refused, message: undefined }]]) {
      const value = Buffer.from(JSON.stringify(wrong));
      expect(isMeaningful({ key: refusedKey('hall'), value }), JSON.stringify(wrong)).to.equal(false);
    }
  });

  it('are stamps of unknown time, and no stamps of a later kind', () => {
    expect(isMeaningful({ key: stampKey(id), value: encodeStamp(undefined) })).to.equal(true);
    expect(isMeaningful({ key: stampKey(id), value: Buffer.of(2) })).to.equal(false);
    expect(isMeaningful({ key: stampKey(id), value: longer(encodeStamp(stamp)) })).to.equal(false);
  });

  it('are not positions of nobody', () => {
    expect(isMeaningful({ key: positionKey(''), value: encodeSequence(7) })).to.equal(false);
  });

  it('are of a known kind', () => {
    for (const key of [empty, Buffer.of(0x7f), Buffer.of(0xff, 0x01)]) {
      expect(isMeaningful({ key, value: encodeSequence(1) })).to.equal(false);
      expect(kindOf(key)).to.equal(undefined);
    }
  });

  it('are not those that describe the store, which a repair writes anew', () => {
    for (const key of [formatKey, commitKey]) {
      expect(isMeaningful({ key, value: encodeSequence(1) })).to.equal(false);
      expect(kindOf(key)).to.equal(undefined);
    }
  });
});
