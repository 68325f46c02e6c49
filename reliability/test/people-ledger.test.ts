import { expect } from 'chai';
import type { Contents } from '../ledger/contents.js';
import { Ledger } from '../ledger/ledger.js';
import { nameOfPerson } from '../ledger/people-ledger.js';

const [TAG, RESERVED] = ['E0000001', 'FF5442000001'];
const name = nameOfPerson('P0a', 1);
const text = `${name.first}|${name.last}|`;
const added = ['person-sent P0a 1', 'person-kept P0a', 'person-sent P0b 1', 'person-kept P0b'];
const giving = `act-sent ${TAG} 86400 P0a`;
const given = [...added, giving, `act-kept ${TAG}`, `tapped ${TAG}`, `attended ${TAG} 1 86500`];
const lost = [
  ...given,
  `act-sent ${TAG} 86600 lost`,
  `act-kept ${TAG}`,
  `tapped ${TAG}`,
  `attended ${TAG} 1 86700`,
];

interface Shown {
  readonly persons?: readonly string[];
  readonly holders?: string;
  readonly hasName?: boolean;
  /** Number of scans of the tag, and of those of its holder, a hundred seconds after each other. */
  readonly scans?: number;
  readonly ofPerson?: number;
}

function show({
  persons = ['P0a', 'P0b'],
  holders,
  hasName = false,
  scans = 0,
  ofPerson = 0,
}: Shown): Contents {
  const names = new Map(persons.map((number, index) => [`${RESERVED}${index}`, nameOfPerson(number, 1)]));
  if (hasName) names.set(TAG, name);
  const last = 86_500 + (scans - 1) * 200;
  return {
    mapping: names,
    days: new Map(scans > 0 ? [[1, [{ id: TAG, first: 86_500, last, count: scans }]]] : []),
    provisional: [],
    people: {
      persons: new Map(persons.map((number) => [number, text])),
      timelines: new Map(holders === undefined ? [] : [[TAG, holders]]),
    },
    table:
      ofPerson > 0
        ? [
            {
              number: 'P0a',
              days: { 1: { first: 86_500, last: 86_500 + (ofPerson - 1) * 200, scans: ofPerson } },
            },
          ]
        : [],
  };
}

describe('Ledger, of persons and tags', () => {
  const sound = { holders: '86400 P0a', hasName: true, scans: 1, ofPerson: 1 };
  const soundLost = { holders: '86400 P0a, 86600 lost', scans: 2, ofPerson: 1 };
  const judge = (lines: readonly string[], shown: Shown) => Ledger.of(lines).judge(show(shown));

  it('lets the last request be done or not, as a whole', () => {
    const lines = [...added, giving];
    expect(judge(lines, {})).to.be.empty;
    expect(judge(lines, { holders: '86400 P0a', hasName: true })).to.be.empty;
    expect(judge(lines, { holders: '86400 P0a' })).to.not.be.empty;
    expect(judge([...added, giving, `act-kept ${TAG}`], {})).to.not.be.empty;
  });

  it('lets the last tap be there or not', () => {
    const lines = [...given, `tapped ${TAG}`];
    expect(judge(lines, sound)).to.be.empty;
    expect(judge(lines, { ...sound, scans: 2, ofPerson: 2 })).to.be.empty;
    expect(judge(given, { ...sound, scans: 2, ofPerson: 2 })).to.not.be.empty;
  });

  it('finds a holder who is gone or another one, a name that is not theirs, and a lost tag that counts', () => {
    expect(judge(lost, soundLost)).to.be.empty;
    for (const wrong of [
      { ...soundLost, holders: '86400 P0a' },
      { ...soundLost, holders: '86400 P0b, 86600 lost' },
      { ...soundLost, hasName: true },
      { ...soundLost, ofPerson: 2 },
      { ...soundLost, persons: ['P0a'] },
    ])
      expect(judge(lost, wrong), JSON.stringify(wrong)).to.not.be.empty;
  });

  it('takes the time of an erased person out of the record, and leaves the namesake', () => {
    const lines = [...lost, `act-sent ${TAG} 86800 P0b`, `act-kept ${TAG}`, 'person-erasing P0a'];
    const before = { holders: '86400 P0a, 86600 lost, 86800 P0b', hasName: true, scans: 2, ofPerson: 1 };
    const erased = { holders: '86400 removed, 86600 lost, 86800 P0b', hasName: true, persons: ['P0b'] };
    const days = new Map([[1, [{ id: TAG, first: 86_700, last: 86_700, count: 1 }]]]);
    expect(judge(lines, before)).to.be.empty;
    const done = Ledger.of([...lines, 'person-erased P0a']);
    expect(done.judge({ ...show(erased), days })).to.be.empty;
    expect(done.judge({ ...show({ ...erased, persons: [] }), days })).to.not.be.empty;
    expect(done.judge(show({ ...erased, scans: 2 }))).to.not.be.empty;
    expect(done.judge(show(before))).to.not.be.empty;
  });

  it('holds what was settled', () => {
    const ledger = Ledger.of([...added, giving]);
    ledger.settle(show({ holders: '86400 P0a', hasName: true }));
    expect(ledger.judge(show({}))).to.not.be.empty;
  });
});
