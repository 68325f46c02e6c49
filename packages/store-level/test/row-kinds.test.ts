import { expect } from 'chai';
import { parseTallyId, toDay, toTimestamp, type Credential, type User } from '@tallybook/domain';
import { encodeChange } from '../src/rows/change-codec.js';
import {
  encodeBounds,
  encodeDay,
  encodeEntry,
  encodeName,
  encodeProvisional,
  encodeSequence,
} from '../src/rows/codec.js';
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
} from '../src/rows/keys.js';
import { isMeaningful, kindOf } from '../src/rows/row-kinds.js';
import { credentialKey, encodeCredential, encodeUser, userKey } from '../src/rows/service/access-rows.js';

const day = toDay(20_411);
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
const change = { kind: 'day', day, action: 'removed' } as const;
const empty = Buffer.alloc(0);
const longer = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.of(0)]);

const rows: Readonly<Record<string, { key: Buffer; value: Buffer; kind: string | undefined }>> = {
  'a name': { key: nameKey(id), value: encodeName({ first: 'Ada', last: '' }), kind: 'names' },
  'a day': { key: dayKey(day), value: encodeDay(3), kind: 'days' },
  'an entry': {
    key: entryKey(day, id),
    value: encodeEntry({ entry: { id, first: at, last: at, count: 1 }, order: 0 }),
    kind: 'entries',
  },
  'a scan': { key: scanKey(day, id, at), value: empty, kind: 'scans' },
  'a provisional scan': { key: provisionalKey(7), value: encodeProvisional(scan), kind: 'provisional' },
  'the sequence of a moment': { key: momentKey(scan), value: encodeSequence(7), kind: undefined },
  'a change': { key: changeKey(7), value: encodeChange({ change, writtenAt: at }), kind: undefined },
  'a position': { key: positionKey('mqtt'), value: encodeSequence(7), kind: undefined },
  'the bounds of the journal': { key: journalBoundsKey, value: encodeBounds(7, 1), kind: undefined },
  'a user': { key: userKey(user.name), value: encodeUser(user), kind: 'users' },
  'a credential': { key: credentialKey(token.id), value: encodeCredential(token), kind: 'credentials' },
  'the latest sequence': { key: latestSequenceKey, value: encodeSequence(7), kind: undefined },
};

describe('The rows that a repair saves', () => {
  for (const [what, { key, value, kind }] of Object.entries(rows)) {
    it(`are meaningful, and counted by what they are: ${what}`, () => {
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

  for (const what of ['a day', 'a scan', 'a provisional scan', 'a change']) {
    it(`are not those with a longer key: ${what}`, () => {
      const { key = empty, value = empty } = rows[what] ?? {};
      expect(isMeaningful({ key: longer(key), value })).to.equal(false);
    });
  }

  for (const what of ['a name', 'an entry']) {
    it(`are not those with no id: ${what}`, () => {
      const { key = empty, value = empty } = rows[what] ?? {};
      expect(isMeaningful({ key: key.subarray(0, key.indexOf(Buffer.from(id, 'hex'))), value })).to.equal(
        false,
      );
    });
  }

  it('are not users and credentials without a name', () => {
    expect(isMeaningful({ key: userKey(''), value: encodeUser(user) })).to.equal(false);
    expect(isMeaningful({ key: credentialKey(''), value: encodeCredential(token) })).to.equal(false);
  });

  it('are not users and credentials with a role or a kind that there is not', () => {
    const king = { ...user, role: 'king' } as unknown as User;
    const key = { ...token, kind: 'key' } as unknown as Credential;
    expect(isMeaningful({ key: userKey('ada'), value: encodeUser(king) })).to.equal(false);
    expect(isMeaningful({ key: credentialKey(token.id), value: encodeCredential(key) })).to.equal(false);
  });

  it('are not positions of nobody', () => {
    expect(isMeaningful({ key: positionKey(''), value: encodeSequence(7) })).to.equal(false);
  });

  it('are of a kind that is known', () => {
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
