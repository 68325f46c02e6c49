import { parseTallyId } from '@tallybook/domain';
import type { TagActReport } from '@tallybook/http-contract';
import { expect } from 'chai';
import { useService } from '../../fixtures/running-service.js';
import { StreamClient } from '../../fixtures/stream-client.js';

const TAG = '04A2B3C4D5';
const OTHER = '0011223344';
const DAY = 86_400;
const ada = { first: 'Ada', last: 'Lovelace' };
const grace = { first: 'Grace', last: 'Hopper' };

describe('POST /api/tag', () => {
  const service = useService();

  const now = (): number => service.clock.now();
  const act = async (fields: object): Promise<TagActReport> => {
    const { status, text } = await service.post({ id: TAG, ...fields }, {}, '/api/tag');
    expect(status, text).to.equal(200);
    return JSON.parse(text) as TagActReport;
  };
  const refused = async (fields: object): Promise<string> => {
    const { status, text } = await service.post({ id: TAG, ...fields }, {}, '/api/tag');
    return `${status} ${text}`;
  };
  const add = async (name: object): Promise<string> =>
    (JSON.parse((await service.post({ name }, {}, '/api/person')).text) as { id: string }).id;
  const holders = async (): Promise<unknown> => {
    const all = Object.entries(await service.json<object>('/api/mapping'));
    return Object.fromEntries(all.filter(([id]) => !id.startsWith('FF5442')));
  };

  /** A tap on each of these days, counted from the first one. */
  const tapOn = async (...days: readonly number[]): Promise<void> => {
    const first = now();
    for (const day of days) {
      service.clock.set(first + day * DAY);
      await service.tap(TAG);
    }
  };

  it('hands a tag on from a second, and says how many days move', async () => {
    await service.post({ id: TAG, name: ada });
    const start = now();
    await tapOn(0, 1, 2, 5);
    const id = await add(grace);
    const since = start + 2 * DAY;
    const dry = await act({ act: 'give', person: id, since, isDryRun: true });
    const before = { person: `tag-${TAG}`, name: ada };
    const after = { person: id, name: grace };
    const given = { why: 'given', isInDoubt: false } as const;
    expect(dry).to.deep.equal({
      ...{ isDryRun: true, tag: TAG },
      before: [{ ...before, ...given, since: 0, until: null }],
      after: [
        { ...before, ...given, since: 0, until: since - 1 },
        { ...after, ...given, since, until: null },
      ],
      moves: [{ from: since, until: null, before, after, days: 2 }],
    });
    expect(await holders()).to.deep.equal({ [TAG]: ada });
    expect(await act({ act: 'give', person: id, since })).to.deep.equal({ ...dry, isDryRun: false });
    expect(await holders()).to.deep.equal({ [TAG]: grace });
    expect((await service.audit.read(0, 10)).map(({ action, details }) => [action, details])).to.deep.equal([
      ['name-set', {}],
      ['person-added', {}],
      ['holder-changed', { act: 'give' }],
    ]);
  });

  it('counts no days for a lost tag, and gives it back from the second in which it was found', async () => {
    await service.post({ id: TAG, name: ada });
    const start = now();
    await tapOn(0, 1, 2, 3);
    const lost = await act({ act: 'lost', since: start + DAY });
    expect(lost.moves.map(({ from, until, after, days }) => [from, until, after, days])).to.deep.equal([
      [start + DAY, null, null, 3],
    ]);
    expect(await holders()).to.deep.equal({});
    const found = await act({ act: 'found', since: start + 3 * DAY });
    expect(found.moves.map(({ from, before, days }) => [from, before, days])).to.deep.equal([
      [start + 3 * DAY, null, 1],
    ]);
    expect(await holders()).to.deep.equal({ [TAG]: ada });
  });

  it('says that it was theirs all along, and undoes what was a mistake', async () => {
    await service.post({ id: TAG, name: ada });
    const start = now();
    await tapOn(0, 1);
    const [id, other] = [await add(grace), await add({ first: 'Bob', last: '' })];
    await act({ act: 'give', person: other, since: start + DAY });
    const along = await act({ act: 'all-along', person: id });
    expect(along.moves).to.deep.equal([
      {
        ...{ from: start + DAY, until: null, days: 1 },
        before: { person: other, name: { first: 'Bob', last: '' } },
        after: { person: id, name: grace },
      },
    ]);
    const undone = await act({ act: 'undo' });
    expect(undone.after.map(({ person, until }) => [person, until])).to.deep.equal([[`tag-${TAG}`, null]]);
    expect(await holders()).to.deep.equal({ [TAG]: ada });
  });

  it('gives a tag that nobody ever held from the beginning', async () => {
    await tapOn(0, 1);
    const id = await add(grace);
    const { after, moves } = await act({ act: 'give', person: id });
    expect(after.map(({ since }) => since)).to.deep.equal([0]);
    expect(moves.map(({ from, before, days }) => [from, before, days])).to.deep.equal([[0, null, 2]]);
  });

  it('moves a span between two others, and counts a day in each span in which the tag was there', async () => {
    await service.post({ id: TAG, name: ada });
    const start = now();
    await service.tap(TAG);
    service.clock.set(start + 100);
    await service.tap(TAG);
    const id = await add(grace);
    await act({ act: 'give', person: id, since: start + 100 });
    const { moves } = await act({ act: 'undo', since: 0 });
    expect(moves.map(({ from, until, days }) => [from, until, days])).to.deep.equal([[0, start + 99, 1]]);
  });

  it('refuses what does not fit, with the reason, and changes nothing', async () => {
    await service.post({ id: TAG, name: ada });
    const id = await add(grace);
    const before = await service.json(`/api/person?tag=${TAG}`);
    expect(await refused({ act: 'give' })).to.equal('400 person: must be given with "give"');
    expect(await refused({ act: 'all-along' })).to.equal('400 person: must be given with "all-along"');
    expect(await refused({ id: `FF5442${id}`, act: 'give', person: id })).to.match(/^400 FF5442/);
    expect(await refused({ act: 'found' })).to.equal('409 this tag is not lost');
    expect(await refused({ act: 'lost', since: now() + 1 })).to.equal('409 the second is in the future');
    expect(await refused({ act: 'undo', since: 5 })).to.match(/^409 nothing happened to this tag/);
    expect(await refused({ id: OTHER, act: 'returned' })).to.equal('409 nobody holds this tag then');
    expect(await refused({ act: 'give', person: '00000000000000' })).to.equal('404 there is no such person');
    expect(await service.json(`/api/person?tag=${TAG}`)).to.deep.equal(before);
    expect(service.reports).to.deep.equal([]);
  });

  it('accepts only what needs no time while the clock may be wrong', async () => {
    await service.post({ id: TAG, name: ada });
    const id = await add(grace);
    service.clock.setSynchronised(false);
    service.clock.set(5);
    expect(await refused({ act: 'give', person: id })).to.match(
      /^409 the holder of a tag cannot change while/,
    );
    expect((await act({ act: 'all-along', person: id })).after.map(({ person }) => person)).to.deep.equal([
      id,
    ]);
    await act({ act: 'give', person: id, since: 0 });
    await act({ act: 'undo' });
  });

  it('is followed by the events of persons and names, and by taps of the holder at that time', async () => {
    await service.post({ id: TAG, name: ada });
    const client = await StreamClient.connect(service);
    await act({ act: 'lost' });
    const told = (await client.receive(2)).map(({ event, data }) => `${event} ${data}`);
    expect(told.sort()).to.deep.equal([
      // Also the tag of last resort of a person who has no tag now.
      'names {"added":1,"changed":0,"removed":1}',
      'people {"persons":1,"tags":2}',
    ]);
    await service.tap(TAG);
    const lost = (await client.receive(4)).at(-1);
    const outcome = { id: TAG, day: 20_413, at: now(), outcome: 'counted', reader: 'door' };
    expect(JSON.parse(lost?.['data'] ?? '')).to.deep.equal({
      ...outcome,
      ...{ name: null, person: null, holder: 'lost' },
    });
    const id = await add(grace);
    service.clock.advance(10_000);
    await act({ act: 'give', person: id });
    await service.tap(TAG);
    const late = await StreamClient.connect(service, `${await service.journal.origin()}-0`);
    const taps = (): readonly unknown[] =>
      late.events
        .filter(({ event }) => event === 'attendance')
        .map(({ data }) => JSON.parse(data ?? '') as { person: unknown })
        .map(({ person }) => person);
    await late.blocks.find('both taps', () => taps().length === 2);
    expect(taps()).to.deep.equal([null, id]);
  });

  it('makes a tag without a holder one of /api/unnamed, once it is tapped since', async () => {
    await service.post({ id: TAG, name: ada });
    await tapOn(0, 1);
    const since = now() + 10;
    service.clock.advance(10_000);
    await act({ act: 'lost', since });
    expect(await service.json('/api/unnamed')).to.deep.equal([]);
    await service.tap(TAG);
    const tag = { id: TAG, at: now(), day: 20_414, reader: 'door' };
    const lostBy = { person: `tag-${TAG}`, name: ada };
    expect(await service.json('/api/unnamed')).to.deep.equal([{ ...tag, scans: 1, lostBy }]);
    expect(await service.json(`/api/id?text=${TAG}`)).to.deep.nested.include({
      'readings[0].person': null,
      'readings[0].isLost': true,
    });
    service.clock.advance(10_000);
    await act({ act: 'found' });
    expect(await service.json('/api/unnamed')).to.deep.equal([]);
    expect(await service.json(`/api/id?text=${TAG}`)).to.deep.nested.include({
      'readings[0].person': `tag-${TAG}`,
      'readings[0].name': ada,
    });
    service.clock.advance(10_000);
    await act({ act: 'returned' });
    expect(await service.json('/api/unnamed')).to.deep.equal([]);
    service.clock.advance(DAY * 1_000);
    await service.tap(TAG);
    expect(await service.json('/api/unnamed')).to.deep.equal([
      { id: TAG, at: now(), day: 20_415, scans: 1, reader: 'door' },
    ]);
  });
});

describe('the mapping of persons', () => {
  const service = useService();

  const post = async (path: string, body: object): Promise<number> =>
    (await service.post(body, {}, path)).status;
  const name = (id: string, given: object): Promise<number> => post('/api/mapping', { id, name: given });
  const mapping = async (): Promise<string> => (await service.request('/api/mapping')).text;
  const holdersOf = async (tag: string): Promise<readonly (string | undefined)[]> => {
    const timeline = await service.people.timeline(parseTallyId(tag));
    return timeline.entries.map(({ holder, why }) => holder ?? why);
  };
  const add = async (given: object): Promise<string> =>
    (JSON.parse((await service.post({ name: given }, {}, '/api/person')).text) as { id: string }).id;

  it('corrects the name of a holder on all their tags', async () => {
    await name(TAG, ada);
    await post('/api/tag', { id: OTHER, act: 'give', person: `tag-${TAG}` });
    expect(await name(OTHER, { first: 'ada', last: 'King' })).to.equal(200);
    const king = '{"first":"ada","last":"King"}';
    expect(await mapping()).to.equal(`{"${OTHER}":${king},"${TAG}":${king}}`);
  });

  it('gives one of several tags to a new person for another first name', async () => {
    await name(TAG, ada);
    await post('/api/tag', { id: OTHER, act: 'give', person: `tag-${TAG}` });
    expect(await name(OTHER, grace)).to.equal(200);
    expect(await mapping()).to.equal(
      `{"${OTHER}":{"first":"Grace","last":"Hopper"},"${TAG}":{"first":"Ada","last":"Lovelace"}}`,
    );
    const holders = await holdersOf(OTHER);
    expect(holders[0]).to.equal(`tag-${TAG}`);
    expect(holders[1]).to.match(/^[0-9A-F]{14}$/);
  });

  it('gives a lost tag back to whom it was, by their very name, else to a new person', async () => {
    await name(TAG, ada);
    service.clock.advance(10_000);
    await post('/api/tag', { id: TAG, act: 'lost' });
    service.clock.advance(10_000);
    expect(await name(TAG, ada)).to.equal(201);
    expect(await holdersOf(TAG)).to.deep.equal([`tag-${TAG}`, 'lost', `tag-${TAG}`]);
    service.clock.advance(10_000);
    await post('/api/tag', { id: TAG, act: 'returned' });
    service.clock.advance(10_000);
    expect(await name(TAG, grace)).to.equal(201);
    expect((await holdersOf(TAG)).at(-1)).to.match(/^[0-9A-F]{14}$/);
  });

  it('takes the place of a removed holder', async () => {
    await name(TAG, ada);
    await post('/api/tag', { id: TAG, act: 'give', person: await add(grace), since: 0 });
    const removed = await service.request(`/api/mapping?id=${TAG}`, { method: 'DELETE' });
    expect(removed.status).to.equal(204);
    expect(await mapping()).not.to.include(`"${TAG}"`);
    expect(await holdersOf(TAG)).to.deep.equal(['removed']);
    const again = await service.request(`/api/mapping?id=${TAG}`, { method: 'DELETE' });
    expect([again.status, again.text]).to.deep.equal([404, 'the tag has no name']);
    expect(await name(TAG, ada)).to.equal(201);
    const [holder, ...others] = await holdersOf(TAG);
    expect(holder).to.match(/^[0-9A-F]{14}$/);
    expect(others).to.deep.equal([]);
  });

  it('has a person without a tag under a reserved id, whose name is never removed alone', async () => {
    const id = await add(grace);
    const reserved = `FF5442${id}`;
    expect(await mapping()).to.equal(`{"${reserved}":{"first":"Grace","last":"Hopper"}}`);
    expect(await name(reserved, { first: 'Grace', last: 'Murray' })).to.equal(200);
    expect((await service.people.person(id as never))?.name?.value?.last).to.equal('Murray');
    expect(await name('FF54420102030405060A'.slice(0, 20), ada)).to.equal(201);
    const removal = await service.request(`/api/mapping?id=${reserved}`, { method: 'DELETE' });
    expect(removal.status).to.equal(409);
    expect(removal.text).to.match(/remove the person instead$/);
  });

  it('takes a list with tags of holders, lost tags and new ones, all or none', async () => {
    await name(TAG, ada);
    service.clock.advance(10_000);
    await post('/api/tag', { id: TAG, act: 'lost' });
    service.clock.advance(10_000);
    const list = `id,first,last\n${TAG},Ada,Lovelace\n${OTHER},Grace,Hopper`;
    const { status, text } = await service.post(list, { 'Content-Type': 'text/csv' }, '/api/people');
    expect(status, text).to.equal(200);
    expect(JSON.parse(text)).to.include({ new: 1, changed: 1, same: 0 });
    expect(await holdersOf(TAG)).to.deep.equal([`tag-${TAG}`, 'lost', `tag-${TAG}`]);
    expect((await service.people.person(`tag-${OTHER}` as never))?.name?.value?.first).to.equal('Grace');
  });
});
