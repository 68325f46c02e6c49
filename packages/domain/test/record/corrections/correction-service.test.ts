import { Calendar, parseTallyId, Timekeeper, toTimestamp, type Day } from '@tallybook/domain';
import {
  CorrectedDayStore,
  CORRECTIONS_AT_ONCE_MAX,
  CorrectionService,
  type CorrectionOptions,
  type CorrectionRequest,
} from '@tallybook/domain/record';
import { ManualClock, MemoryCorrectionStore, MemoryDayStore } from '@tallybook/testing';
import { expect } from 'chai';
import { rejectionOf } from '../../fixtures/throws.js';
import { ada, bob } from '../../../../testing/test/fixtures/known-values.js';
import { notingIn, type Note } from '../../fixtures/notes.js';

async function start(options?: CorrectionOptions) {
  const clock = new ManualClock();
  const calendar = new Calendar();
  const timekeeper = new Timekeeper(clock, { builtAt: 0 });
  const record = new MemoryDayStore();
  const corrections = new MemoryCorrectionStore();
  const days = new CorrectedDayStore({ days: record, corrections });
  await record.open();
  await corrections.open();
  const notes: Note[] = [];
  const audit = notingIn(notes);
  const service = new CorrectionService({ days, corrections, calendar, timekeeper, audit }, options);
  const today = calendar.dayOf(clock.now());
  const noon = toTimestamp(clock.now() - 60);
  const request = (more: Partial<CorrectionRequest> = {}): CorrectionRequest => ({
    ...{ action: 'add', day: today, id: ada, at: noon, reason: 'Forgot to tap' },
    ...more,
  });
  const idsOf = async (day: Day) => (await days.load(day))?.entries.map(({ id }) => id);
  return { clock, service, days, record, corrections, notes, today, noon, request, idsOf };
}

describe('CorrectionService', () => {
  it('adds a forgotten scan, with author, time and reason', async () => {
    const { service, request, today, noon, clock, idsOf } = await start();
    const [made] = await service.correct([request()], 'desk');
    expect(made).to.deep.equal({
      ...{ number: 1, action: 'add', day: today, id: ada, at: noon, reason: 'Forgot to tap' },
      ...{ author: 'desk', madeAt: clock.now(), state: 'approved' },
    });
    expect(await idsOf(today)).to.deep.equal([ada]);
    expect(await service.list(today, today)).to.deep.equal([made]);
  });

  it('voids a recorded scan, and does not change the record', async () => {
    const { service, record, request, today, noon, idsOf } = await start();
    await record.record(today, ada, noon);
    await service.correct([request({ action: 'void' })], 'desk');
    expect(await idsOf(today)).to.deep.equal([]);
    expect(await record.scans(today, ada)).to.deep.equal([noon]);
  });

  it('undoes corrections by further ones, any number of times, in one second and with a clock that goes back', async () => {
    const { service, request, today, idsOf, clock } = await start();
    for (let round = 0; round < 3; round++) {
      await service.correct([request()], 'desk');
      expect(await idsOf(today)).to.deep.equal([ada]);
      clock.set(clock.now() - 10);
      await service.correct([request({ action: 'void' })], 'desk');
      expect(await idsOf(today)).to.deep.equal([]);
    }
    expect(await service.list(today, today)).to.have.length(6);
  });

  it('makes several corrections or none', async () => {
    const { service, request, today, corrections } = await start();
    const refused = [request(), request({ id: bob, action: 'void' })];
    const error = await rejectionOf('SCAN_NOT_FOUND', service.correct(refused, 'desk'));
    expect(error.message).to.match(/^corrections\[1\]: tag 0006547886 has no scan at /);
    expect(await corrections.list(today, today)).to.deep.equal([]);
    await service.correct([request(), request({ action: 'void' }), request()], 'desk');
    expect((await corrections.list(today, today)).map(({ action }) => action)).to.deep.equal([
      'add',
      'void',
      'add',
    ]);
  });

  it('gives the scans of a tag', async () => {
    const { service, record, request, today, noon } = await start();
    const at = (second: number) => toTimestamp(noon - second);
    for (const second of [30, 10, 20]) await record.record(today, ada, at(second));
    await service.correct(
      [
        request({ at: at(20), action: 'void' }),
        request({ at: at(5) }),
        request({ at: at(6) }),
        request({ at: at(6), action: 'void' }),
      ],
      'desk',
    );
    expect(await service.scansOf(today, ada)).to.deep.equal({
      recorded: [at(30), at(20), at(10)],
      added: [at(5)],
      voided: [at(20), at(6)],
    });
    expect(await service.scansOf(today, bob)).to.deep.equal({ recorded: [], added: [], voided: [] });
  });

  it('notes a durable correction in the audit trail without tag and reason', async () => {
    const { service, request, today, notes, noon } = await start();
    await service.correct([request(), request({ at: toTimestamp(noon - 1) }), request({ id: bob })], 'desk');
    expect(notes).to.deep.equal([
      ['desk', 'corrected', { day: today, number: 1, count: 2 }],
      ['desk', 'corrected', { day: today, number: 3, count: 1 }],
    ]);
  });

  it('names the wrong one of several corrections, and does not change errors of others', async () => {
    const { service, record, request } = await start();
    const failureOf = async (...requests: CorrectionRequest[]): Promise<unknown> =>
      service.correct(requests, 'desk').catch((error: unknown) => error);
    const wrong = request({ action: 'void', id: bob });
    expect(await failureOf(wrong))
      .to.have.property('message')
      .that.does.not.match(/^corrections/);
    const error = await failureOf(request(), wrong);
    expect(error)
      .to.have.property('message')
      .that.matches(/^corrections\[1\]: /);
    expect(error).to.have.nested.property('details.index', 1);
    const mistake = new Error('a mistake');
    record.scans = () => Promise.reject(mistake);
    expect(await failureOf(request(), request())).to.equal(mistake);
  });

  it('refuses an empty list and too many corrections', async () => {
    const { service, request, corrections, today } = await start();
    await rejectionOf('INVALID_CORRECTION', service.correct([], 'desk'));
    const many = Array.from({ length: CORRECTIONS_AT_ONCE_MAX + 1 }, () => request());
    await rejectionOf('INVALID_CORRECTION', service.correct(many, 'desk'));
    expect(await corrections.list(today, today)).to.deep.equal([]);
  });

  it('refuses to add a scan of another day, in the future or too far back', async () => {
    const { service, request, today, clock } = await start();
    const refuse = (more: Partial<CorrectionRequest>) =>
      rejectionOf('INVALID_CORRECTION', service.correct([request(more)], 'desk'));
    await refuse({ day: (today - 1) as Day });
    await refuse({ at: toTimestamp(clock.now() + 1) });
    const long = toTimestamp(clock.now() - 400 * 86_400);
    await refuse({ at: toTimestamp(long - 1), day: Math.floor((long - 1) / 86_400) as Day });
    await service.correct([request({ at: long, day: Math.floor(long / 86_400) as Day })], 'desk');
    await service.correct([request({ at: clock.now() })], 'desk');
  });

  it('refuses to add a tag that means "no tag"', async () => {
    const { service, request } = await start();
    for (const id of ['00000000', 'FFFFFF'].map(parseTallyId)) {
      await rejectionOf('BLANK_TALLY_ID', service.correct([request({ id })], 'desk'));
    }
  });

  it('voids a scan of any age, also one in the future', async () => {
    const { service, record, request } = await start();
    const late = toTimestamp(4_000_000_000);
    await record.record(7 as Day, ada, late);
    const [voided] = await service.correct([request({ action: 'void', day: 7 as Day, at: late })], 'desk');
    expect(voided).to.include({ action: 'void', day: 7, at: late, state: 'approved' });
  });

  it('refuses a correction that would change nothing', async () => {
    const { service, record, request, today, noon } = await start();
    const refuse = (more: Partial<CorrectionRequest>) =>
      rejectionOf('CORRECTION_CONFLICT', service.correct([request(more)], 'desk'));
    await record.record(today, ada, noon);
    await refuse({});
    await service.correct([request({ action: 'void' })], 'desk');
    await refuse({ action: 'void' });
    await service.correct([request({})], 'desk');
    await refuse({});
  });

  it('does not void a scan of another second, tag or day', async () => {
    const { service, record, request, today, noon } = await start();
    await record.record(today, ada, noon);
    for (const other of [{ at: toTimestamp(noon + 1) }, { id: bob }, { day: (today - 1) as Day }]) {
      await rejectionOf('SCAN_NOT_FOUND', service.correct([request({ action: 'void', ...other })], 'desk'));
    }
  });
});

describe('CorrectionService with a second person', () => {
  it('names the author of each correction, in the audit trail with the means, and lets no author decide', async () => {
    const { service, request, notes } = await start({ needsApproval: true });
    const [made] = await service.correct([request()], 'eve', 'token script');
    expect(made?.author).to.equal('eve');
    const byToken = { approve: true, by: 'bob', actor: 'token other' };
    const number = made?.number ?? 0;
    await rejectionOf('OWN_CORRECTION', service.decide(number, { ...byToken, by: 'eve' }));
    await rejectionOf('OWN_CORRECTION', service.decide(number, { ...byToken, actor: 'eve' }));
    expect((await service.decide(number, byToken)).decision?.by).to.equal('bob');
    expect(notes.map(([actor, action]) => [actor, action])).to.deep.equal([
      ['token script', 'corrected'],
      ['token other', 'correction-decided'],
    ]);
  });

  it('lets a correction wait until somebody else approves it', async () => {
    const { service, request, today, idsOf, clock, notes } = await start({ needsApproval: true });
    const [made] = await service.correct([request()], 'desk');
    expect(made?.state).to.equal('pending');
    expect(await idsOf(today)).to.equal(undefined);
    const decided = await service.decide(1, { approve: true, by: 'boss', reason: 'Saw her' });
    expect(decided).to.deep.equal({
      ...made,
      state: 'approved',
      decision: { by: 'boss', at: clock.now(), reason: 'Saw her' },
    });
    expect(await idsOf(today)).to.deep.equal([ada]);
    expect(notes.at(-1)).to.deep.equal([
      'boss',
      'correction-decided',
      { number: 1, day: today, isApproved: true },
    ]);
  });

  it('keeps a rejected correction without an effect', async () => {
    const { service, request, today, idsOf } = await start({ needsApproval: true });
    await service.correct([request()], 'desk');
    expect((await service.decide(1, { approve: false, by: 'boss' })).state).to.equal('rejected');
    expect(await idsOf(today)).to.equal(undefined);
    await service.correct([request()], 'other');
    expect(await service.list(today, today)).to.have.length(2);
  });

  it('decides once, and only existing corrections', async () => {
    const { service, request } = await start({ needsApproval: true });
    await rejectionOf('CORRECTION_NOT_FOUND', service.decide(1, { approve: true, by: 'boss' }));
    await service.correct([request()], 'desk');
    await service.decide(1, { approve: true, by: 'boss' });
    await rejectionOf('CORRECTION_CONFLICT', service.decide(1, { approve: false, by: 'other' }));
  });

  it('refuses all but one of several decisions at the same time as too late', async () => {
    const { service, request } = await start({ needsApproval: true });
    await service.correct([request()], 'desk');
    const results = await Promise.allSettled(
      ['boss', 'other', 'third'].map((by) => service.decide(1, { approve: by !== 'other', by })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
  });

  it('refuses the same correction while one waits', async () => {
    const { service, request } = await start({ needsApproval: true });
    await service.correct([request()], 'desk');
    await rejectionOf('CORRECTION_CONFLICT', service.correct([request()], 'other'));
    await rejectionOf(
      'CORRECTION_CONFLICT',
      service.correct([request({ id: bob }), request({ id: bob })], 'other'),
    );
  });
});
