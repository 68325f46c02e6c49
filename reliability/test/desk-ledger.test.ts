import { expect } from 'chai';
import type { Contents, ShownAccess, ShownCorrection } from '../ledger/contents.js';
import { Ledger } from '../ledger/ledger.js';
import { nameOf } from '../ledger/names.js';
import { KEEPER } from '../ledger/users.js';

const ADA = 'D0000001';
const BOB = 'C0000001';
const nothing: Contents = { mapping: new Map(), days: new Map(), provisional: [] };
const noAccess: ShownAccess = { users: [], sessions: [], tokens: [] };

const ledgerAfter = (...lines: readonly string[]): Ledger => Ledger.of(lines);

function correction(reason: string, more: Partial<ShownCorrection> = {}): ShownCorrection {
  return { number: 1, reason, day: 1, id: BOB, at: 90_000, action: 'add', state: 'approved', ...more };
}

describe('Ledger, of corrections', () => {
  const making = ['correcting r1 1 C0000001 90000 add'];
  const made = [...making, 'corrected r1'];

  it('lets what was not acknowledged be there or not', () => {
    expect(ledgerAfter(...making).judge({ ...nothing, corrections: [] })).to.be.empty;
    expect(ledgerAfter(...making).judge({ ...nothing, corrections: [correction('r1')] })).to.be.empty;
    expect(ledgerAfter(...made).judge({ ...nothing, corrections: [correction('r1')] })).to.be.empty;
  });

  it('finds one that is gone, is there twice, says something else, or was never made', () => {
    for (const corrections of [
      [],
      [correction('r1'), correction('r1', { number: 2 })],
      [correction('r1', { at: 90_001 })],
      [correction('r1', { state: 'pending' })],
      [correction('r1'), correction('r2', { number: 2 })],
    ]) {
      const problems = ledgerAfter(...made).judge({ ...nothing, corrections });
      expect(problems, JSON.stringify(corrections)).to.have.length(1);
    }
  });

  it('lets a day take its corrections with it, and finds those that stay', () => {
    const removed = ledgerAfter(...made, 'removing 1', 'removed 1');
    expect(removed.judge({ ...nothing, corrections: [] })).to.be.empty;
    expect(removed.judge({ ...nothing, corrections: [correction('r1')] })).to.have.length(1);
    const removing = ledgerAfter(...made, 'removing 1');
    for (const corrections of [[], [correction('r1')]])
      expect(removing.judge({ ...nothing, corrections })).to.be.empty;
  });

  it('finds a journal that does not tell of one', () => {
    const journal = { after: 0, latest: 0, entries: [], position: undefined };
    const problems = ledgerAfter(...made).judge({ ...nothing, corrections: [correction('r1')], journal });
    expect(problems.join()).to.match(/^the journal has the corrections/);
  });

  it('holds what was settled', () => {
    const ledger = ledgerAfter(...making);
    ledger.settle({ ...nothing, corrections: [correction('r1')] });
    expect(ledger.judge({ ...nothing, corrections: [] })).to.have.length(1);
    const lost = ledgerAfter(...making);
    lost.settle({ ...nothing, corrections: [] });
    expect(lost.judge({ ...nothing, corrections: [correction('r1')] })).to.have.length(1);
  });
});

describe('Ledger, of erased tags', () => {
  const named = [`put ${ADA} 1`, `answered ${ADA} 1`];
  const there: Contents = { ...nothing, mapping: new Map([[ADA, nameOf(ADA, 1)]]) };

  it('finds one that comes back, and what is left of one', () => {
    const ledger = ledgerAfter(...named, `erasing ${ADA}`, `erased ${ADA}`);
    expect(ledger.judge(nothing)).to.be.empty;
    expect(ledger.judge(there).join()).to.match(/was erased, and is in the names/);
    ledger.settle(nothing);
    expect(ledger.judge(there).join()).to.match(/was erased, and is in the names/);
    const scan = { id: ADA, first: 90_000, last: 90_000, count: 1 };
    expect(ledger.judge({ ...nothing, days: new Map([[1, [scan]]]) }).join()).to.match(/is in the days/);
    const waiting = { sequence: 1, id: ADA, shown: 7, isFiling: false };
    expect(ledger.judge({ ...nothing, provisional: [waiting] }).join()).to.match(/is in the provisional/);
    const corrections = [correction('r1', { id: ADA })];
    expect(ledger.judge({ ...nothing, corrections }).join()).to.match(/is in the corrections/);
  });

  it('lets one that was asked for be there as a whole, or be gone as a whole', () => {
    const lines = [...named, `tapped ${ADA}`, `attended ${ADA} 1 90000`, `erasing ${ADA}`];
    const scan = { id: ADA, first: 90_000, last: 90_000, count: 1 };
    const days = new Map([[1, [scan]]]);
    expect(ledgerAfter(...lines).judge(nothing)).to.be.empty;
    expect(ledgerAfter(...lines).judge({ ...there, days })).to.be.empty;
    expect(ledgerAfter(...lines).judge(there)).to.have.length(1);
    expect(ledgerAfter(...lines).judge({ ...nothing, days })).to.have.length(1);
    expect(ledgerAfter(...named).judge(nothing)).to.have.length(1);
  });

  it('finds a journal that does not tell of one, or tells of too many', () => {
    const digest = '0'.repeat(32);
    const told = (count: number): Contents => ({
      ...nothing,
      journal: {
        after: 0,
        latest: count,
        entries: Array.from({ length: count }, (_, n) => ({
          cursor: n + 1,
          change: { kind: 'erased', digest } as const,
        })),
        position: undefined,
      },
    });
    const ledger = ledgerAfter(`erasing ${ADA}`, `erased ${ADA}`, `erasing ${BOB}`);
    for (const count of [1, 2]) expect(ledger.judge(told(count)), String(count)).to.be.empty;
    for (const count of [0, 3]) expect(ledger.judge(told(count)), String(count)).to.have.length(1);
    // A service that was killed may have told of the first.
    const twice = ledgerAfter(`erasing ${ADA}`, `erasing ${ADA}`, `erased ${ADA}`);
    for (const count of [1, 2]) expect(twice.judge(told(count)), String(count)).to.be.empty;
    for (const count of [0, 3]) expect(twice.judge(told(count)), String(count)).to.have.length(1);
  });
});

describe('Ledger, of access', () => {
  const judge = (lines: readonly string[], access: Partial<ShownAccess>): readonly string[] =>
    ledgerAfter(...lines).judge({ ...nothing, access: { ...noAccess, ...access } });
  const users = (version: number | undefined): ShownAccess['users'] => [{ name: KEEPER, version }];

  it('finds a user who is gone, or has an older password or one that was never sent', () => {
    const lines = [`user-sent ${KEEPER} 1`, `user-kept ${KEEPER} 1`, `user-sent ${KEEPER} 2`];
    for (const version of [1, 2]) expect(judge(lines, { users: users(version) })).to.be.empty;
    for (const version of [3, undefined]) expect(judge(lines, { users: users(version) })).to.have.length(1);
    expect(judge([...lines, `user-kept ${KEEPER} 2`], { users: users(1) })).to.have.length(1);
    expect(judge(lines, {})).to.have.length(1);
  });

  it('finds a session that is gone, one that was ended, and one too many', () => {
    const begun = [
      `user-sent ${KEEPER} 1`,
      `user-kept ${KEEPER} 1`,
      `signing-in ${KEEPER}`,
      `signed-in ${KEEPER}`,
    ];
    const shown = { users: users(1) };
    expect(judge(begun, { ...shown, sessions: [KEEPER] })).to.be.empty;
    expect(judge(begun, shown)).to.have.length(1);
    expect(judge(begun, { ...shown, sessions: [KEEPER, KEEPER] })).to.have.length(1);
    const ending = [...begun, `signing-out ${KEEPER}`];
    for (const sessions of [[], [KEEPER]]) expect(judge(ending, { ...shown, sessions })).to.be.empty;
    expect(judge([...ending, `signed-out ${KEEPER}`], { ...shown, sessions: [KEEPER] })).to.have.length(1);
    // A new password ends it.
    const changed = [...begun, `user-sent ${KEEPER} 2`, `user-kept ${KEEPER} 2`];
    expect(judge(changed, { users: users(2), sessions: [KEEPER] })).to.have.length(1);
  });

  it('finds a token that is gone, one that was revoked, and one that nobody asked for', () => {
    const issued = ['issuing t1', 'issued t1'];
    expect(judge(issued, { tokens: ['t1'] })).to.be.empty;
    for (const tokens of [[], ['t1', 't1'], ['t1', 't2']])
      expect(judge(issued, { tokens })).to.have.length(1);
    for (const tokens of [[], ['t1']]) expect(judge([...issued, 'revoking t1'], { tokens })).to.be.empty;
    const revoked = [...issued, 'revoking t1', 'revoked t1'];
    expect(judge(revoked, {})).to.be.empty;
    expect(judge(revoked, { tokens: ['t1'] })).to.have.length(1);
  });

  it('holds what was settled', () => {
    const ledger = ledgerAfter('issuing t1', `user-sent ${KEEPER} 1`);
    ledger.settle({ ...nothing, access: { users: users(1), sessions: [], tokens: [] } });
    expect(
      ledger.judge({ ...nothing, access: { users: users(1), sessions: [], tokens: ['t1'] } }),
    ).to.have.length(1);
    expect(ledger.judge({ ...nothing, access: noAccess })).to.have.length(1);
    expect(ledger.access.isSettled(KEEPER)).to.equal(true);
    expect(ledger.access.nextVersion(KEEPER)).to.equal(2);
  });
});
