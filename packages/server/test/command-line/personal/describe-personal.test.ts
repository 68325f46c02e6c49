import { implicitPerson, parsePersonId, parseTallyId, toDay, toTimestamp } from '@tallybook/domain';
import { expect } from 'chai';
import {
  describeErasure,
  describePerson,
  describeRetention,
  describeTag,
} from '../../../src/command-line/personal/personal-data.js';

const id = parseTallyId('04A2B3C4D5');

describe('The line of an erased tag', () => {
  const tag = { id, hasName: true, days: 2, scans: 1, provisional: 1, corrections: 1, changes: 2 };

  it('counts its kept data, in singular and plural', () => {
    expect(describeTag(tag, { isDryRun: false })).to.equal(
      '04A2B3C4D5: erased a name, 2 days with 1 known scan, 1 scan that waits, 1 correction, 2 changes in the journal',
    );
    const more = { ...tag, hasName: false, days: 1, scans: 2, provisional: 2, corrections: 0, changes: 1 };
    expect(describeTag(more, { isDryRun: true })).to.equal(
      '04A2B3C4D5: would erase no name, 1 day with 2 known scans, 2 scans that wait, 0 corrections, 1 change in the journal',
    );
  });

  it('has the name on request', () => {
    expect(describeTag(tag, { isDryRun: true, name: { first: 'Ada', last: '' } })).to.match(
      /^04A2B3C4D5: would erase the name "Ada", 2 days/,
    );
  });
});

describe('The line of a person', () => {
  const person = parsePersonId('0123456789ABCD');
  const held = { person, why: 'given', isInDoubt: false } as const;

  it('has their name, their number, and their times with each tag', () => {
    const timelines = [
      {
        tag: id,
        holdings: [
          { ...held, since: toTimestamp(0), until: toTimestamp(86_399) },
          { ...held, person: implicitPerson(id), since: toTimestamp(86_400), until: toTimestamp(172_799) },
          { ...held, since: toTimestamp(172_800), until: undefined },
        ],
      },
      {
        tag: parseTallyId('0011223344'),
        holdings: [{ ...held, since: toTimestamp(0), until: undefined }],
      },
    ];
    const name = { first: 'Ada', last: 'Lovelace' };
    expect(describePerson({ id: person, name, number: '17', aliases: [], timelines })).to.equal(
      'person 0123456789ABCD: "Ada Lovelace", number "17", had 04A2B3C4D5 until 1970-01-01 23:59 UTC, ' +
        '04A2B3C4D5 from 1970-01-03 00:00 UTC, 0011223344',
    );
  });

  it('says what is missing', () => {
    expect(describePerson({ id: person, aliases: [], timelines: [] })).to.equal(
      'person 0123456789ABCD: no name, no number, never had a tag',
    );
  });
});

describe('The report of an erasure', () => {
  const report = {
    until: toTimestamp(0),
    tags: [],
    backupsWithIt: [],
    formerFiles: [],
    isDryRun: false,
    isScrubbed: true,
  };
  const said = (of: object, ...more: readonly [searched?: string, isInDatabase?: boolean]): string =>
    describeErasure({ ...report, ...of }, ...more).join('\n');

  it('reports whether files of the store or of a database still hold the person', () => {
    expect(said({}, 'in /b')).to.match(/^no file of the store holds it any more\n/);
    expect(said({ isScrubbed: false }, 'in /b')).to.match(/^files of the store may still hold it: run/);
    expect(said({}, 'in /b', true)).to.match(/^no table holds it any more; files of the database/);
    for (const isInDatabase of [false, true])
      expect(said({ isDryRun: true }, 'in /b', isInDatabase)).to.match(/^no backup/);
  });

  it('names the backups and old files with the person, or reports that none were searched', () => {
    expect(said({ isDryRun: true })).to.match(/^backups were not searched: name their folder with --backup/);
    expect(said({ isDryRun: true }, 'in /b')).to.equal(
      'no backup (*.jsonl) in /b holds it; look at copies elsewhere yourself',
    );
    const found = { isDryRun: true, backupsWithIt: ['a.jsonl', 'b.jsonl'], formerFiles: ['damaged-1'] };
    expect(said(found, 'in /b').split('\n')).to.deep.equal([
      'still in the backup a.jsonl',
      'still in the backup b.jsonl',
      'may still be in damaged-1, kept in the store since a repair or a rollback',
    ]);
  });
});

describe('The report of removed days', () => {
  const told = {
    ...{ isDryRun: true, keep: '24months', firstKept: toDay(20_411), backups: ['a.jsonl'] },
    ...{ doubt: undefined, keepGuests: '30days', guests: [] },
  };
  const days = (
    count: number,
  ): readonly { readonly day: ReturnType<typeof toDay>; readonly entries: number }[] =>
    Array.from({ length: count }, (_, n) => ({ day: toDay(n), entries: 1 }));

  it('counts and lists the days, and lists the removed backups', () => {
    expect(describeRetention({ ...told, days: [...days(1), { day: toDay(1), entries: 2 }] })).to.deep.equal([
      '2 days with 3 entries would be removed: those before 2025-11-19 (24months)',
      '  1970-01-01: 1 entry',
      '  1970-01-02: 2 entries',
      'backup a.jsonl: would be removed',
    ]);
    expect(describeRetention({ ...told, isDryRun: false, days: days(1) })).to.deep.equal([
      '1 day with 1 entry removed: those before 2025-11-19 (24months)',
      '  1970-01-01: 1 entry',
      'backup a.jsonl: removed',
    ]);
  });

  it('lists the first twenty days, and counts the others', () => {
    const lines = (count: number): readonly string[] =>
      describeRetention({ ...told, backups: [], days: days(count) }).slice(1);
    expect(lines(20)).to.have.length(20);
    expect(lines(21).slice(19)).to.deep.equal(['  1970-01-20: 1 entry', '  and 1 more']);
  });

  it('gives the reason in a dry run why a confirmation is needed', () => {
    const doubted = { ...told, days: days(1), doubt: 'many-days' } as const;
    expect(describeRetention(doubted).at(-1)).to.equal(
      'they are not removed without confirmation: more than 60 days, or more than a third of all, would be removed at once',
    );
    expect(describeRetention({ ...doubted, isDryRun: false }).at(-1)).to.equal('backup a.jsonl: removed');
  });

  it('lists the guests who are past their limit, even if all days are kept', () => {
    const person = parsePersonId('00112233445566');
    const guests = [{ person, since: toDay(20_300) }];
    const kept = { ...told, days: [], backups: [], firstKept: undefined, guests };
    expect(describeRetention(kept).slice(1)).to.deep.equal([
      '1 guest would be erased with all scans (30days after the last day)',
      '  person 00112233445566: a guest since 2025-07-31',
    ]);
    expect(describeRetention({ ...kept, isDryRun: false })[1]).to.match(/^1 guest erased with/);
  });

  it('reports that all days are kept', () => {
    const kept = { ...told, days: [], firstKept: undefined };
    expect(describeRetention(kept)).to.deep.equal(['all days are kept: --keep is not set']);
  });
});
