import {
  groupOfName,
  parseGroupId,
  parseGroupName,
  toDay,
  type Group,
  type GroupId,
} from '@tallybook/domain';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { covers, groupsByName, mergeGroups, mergeMemberships } from '../../../src/values/people/group.js';
import { rootOf } from '../../../src/values/people/stamped.js';
import { thrownBy } from '../../fixtures/throws.js';
import type { Membership } from '../../../src/values/people/group.js';

const stamp = (ms: number, node = 'a') => ({ ms, counter: 0, node });
const day = (n: number) => toDay(n);

describe('The id of a group', () => {
  it('is its name without capitals, accents and further spaces', () => {
    for (const [name, id] of [
      ['7b', '7b'],
      ['7B', '7b'],
      ['Vorstand', 'vorstand'],
      ['  1.   Männer ', '1. manner'],
      ['Équipe\u00A0\u3000B', 'equipe b'],
      ['Ä\u0308\u00B4 x', 'a x'],
      ['İZMİR', 'izmir'],
      ['ＡＢ', 'ab'],
    ] as const)
      expect(groupOfName(parseGroupName(name)), name).to.equal(id);
  });

  it('is the same for its own id, with every character that folds', () => {
    for (let point = 0; point <= 0x10_ff_ff; point++) {
      if (point >= 0xd8_00 && point <= 0xdf_ff) continue;
      const text = String.fromCodePoint(point);
      // All others stay as they are.
      if (text.normalize('NFKD').toLowerCase().trim() === text) continue;
      const id = groupOfName(`a${text}B ${text}`);
      if (groupOfName(id) !== id) expect.fail(`U+${point.toString(16)}`);
    }
  });

  it('is the same for its own id, and can be read, whatever the name is', () => {
    const part = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom(' ', '\u00B4', '\u0308', 'Σ', 'İ'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        let name: string;
        try {
          name = parseGroupName(parts.join(''));
        } catch {
          return;
        }
        const id = groupOfName(name);
        expect(groupOfName(id)).to.equal(id);
        expect(parseGroupId(id)).to.equal(id);
        expect(parseGroupName(name)).to.equal(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is refused if it is another text than an id, or none', () => {
    for (const id of ['', '7B', ' 7b', '7b ', '7  b', 'männer', 'a\nb', 'x'.repeat(201), 7, undefined])
      thrownBy('INVALID_GROUP', () => parseGroupId(id));
    expect(parseGroupId('x'.repeat(200))).to.have.length(200);
  });
});

describe('The name of a group', () => {
  it('is one line of 1 to 60 characters, with a letter, a digit or a symbol', () => {
    expect(parseGroupName('  Männer   1 ')).to.equal('Männer 1');
    expect(parseGroupName('x'.repeat(60))).to.have.length(60);
    expect(parseGroupName('가'.repeat(60))).to.have.length(60);
    for (const name of [
      '',
      '   ',
      '\u0301',
      '\u00B4',
      '\u200B',
      '-',
      'a\nb',
      'a\u202Eb',
      'x'.repeat(61),
      7,
      null,
      undefined,
    ])
      thrownBy('INVALID_GROUP', () => parseGroupName(name));
  });

  it('is refused if a list would take it for several', () => {
    for (const name of ['7b, 7c', '7b;7c', '\u037E 7b', '7 / 8', '/ 8', '7 /', '7\u3000/\u00A08'])
      expect(() => parseGroupName(name), name).to.throw('these stand between groups in lists');
    for (const name of ['7/8', '7b/ 7c', '\u2605', '1. & 2.']) expect(parseGroupName(name)).to.equal(name);
  });

  it('is refused if its id is too long for a line of a backup', () => {
    expect(() => parseGroupName('\uFDFA'.repeat(60))).to.throw('some of its characters stand for several');
  });
});

describe('Groups', () => {
  const groups: readonly Group[] = [
    { id: '5b' as GroupId, label: { value: '6B', stamp: stamp(2) } },
    { id: '4b' as GroupId, label: { value: '5b', stamp: stamp(2) } },
    { id: 'board' as GroupId },
    {
      id: 'council' as GroupId,
      label: { value: '6b', stamp: stamp(1) },
      alias: { value: 'board' as GroupId, stamp: stamp(1) },
    },
    {
      id: 'squad' as GroupId,
      label: { value: 'Squad', stamp: stamp(1) },
      alias: { value: 'board' as GroupId, stamp: stamp(1) },
    },
  ];

  it('are found by what they are called now, then by the names of those that were merged away', () => {
    expect([...groupsByName(groups)]).to.have.deep.members([
      ['5b', '4b'],
      ['6b', '5b'],
      ['board', 'board'],
      ['squad', 'squad'],
    ]);
    expect(rootOf((id) => groups.find((each) => each.id === id), 'squad' as GroupId)).to.equal('board');
  });

  it('merge each field by its stamp, in either order', () => {
    const one: Group = { id: 'b' as GroupId, label: { value: 'B', stamp: stamp(3) } };
    const other: Group = {
      id: 'b' as GroupId,
      label: { value: 'C', stamp: stamp(2) },
      alias: { value: 'a' as GroupId, stamp: stamp(1) },
    };
    const merged = { id: 'b', label: one.label, alias: other.alias };
    expect(mergeGroups(one, other)).to.deep.equal(merged);
    expect(mergeGroups(other, one)).to.deep.equal(merged);
    expect(mergeGroups(undefined, one)).to.deep.equal(one);
  });
});

describe('Memberships', () => {
  const membership: fc.Arbitrary<Membership> = fc
    .record({
      group: fc.constantFrom('a' as GroupId, 'b' as GroupId),
      since: fc.nat({ max: 2 }).map(day),
      until: fc.option(fc.nat({ max: 9 }).map(day), { nil: undefined }),
      ms: fc.nat({ max: 2 }),
      isUndone: fc.boolean(),
      isTurned: fc.boolean(),
    })
    // The fields in two orders: a place has them as they were decided, another one as they were read.
    .map(({ group, since, until, ms, isUndone, isTurned }) => {
      const fields = {
        group,
        since,
        ...(until !== undefined && { until }),
        ...(isUndone && { isUndone: true as const }),
      };
      return isTurned ? { stamp: stamp(ms), ...fields } : { ...fields, stamp: stamp(ms) };
    });
  const memberships = fc.array(membership, { maxLength: 4 });

  it('merge in any order, and again and again, to the same', () => {
    fc.assert(
      fc.property(memberships, memberships, memberships, (a, b, c) => {
        const merged = mergeMemberships(mergeMemberships(a, b), c);
        expect(mergeMemberships(c, mergeMemberships(b, a))).to.deep.equal(merged);
        expect(mergeMemberships(mergeMemberships(a, c), b)).to.deep.equal(merged);
        expect(mergeMemberships(merged, merged)).to.deep.equal(merged);
        expect(mergeMemberships(merged, b)).to.deep.equal(merged);
      }),
      { numRuns: 500 },
    );
  });

  it('hold from the first to the last day, both included', () => {
    const [five, always] = [{ since: day(5), until: day(7) }, { since: day(0) }];
    expect([4, 5, 6, 7, 8].map((each) => covers(five, day(each)))).to.deep.equal([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(covers(always, day(0)) && covers(always, day(99_999))).to.equal(true);
  });
});
