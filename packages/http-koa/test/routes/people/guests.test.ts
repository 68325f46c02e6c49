import type { AttendanceDay, PersonDetail } from '@tallybook/http-contract';
import { expect } from 'chai';
import { useService } from '../../fixtures/running-service.js';

const RED = '04A2B3C4D5';
const ada = { first: 'Ada', last: 'Lovelace' };
const grace = { first: 'Grace', last: 'Hopper' };

describe('guests over HTTP', () => {
  const service = useService();

  async function post(path: string, body: object, expected = 201): Promise<PersonDetail> {
    const { status, text } = await service.post(body, {}, path);
    expect(status, text).to.equal(expected);
    return JSON.parse(text) as PersonDetail;
  }
  const add = (body: object): Promise<PersonDetail> => post('/api/guest', body);
  const idsOfToday = async (): Promise<readonly string[]> =>
    (await service.json<AttendanceDay>(`/api/day?timestamp=${service.clock.now()}`)).ids;
  it('are added with whom they visit, and are here at once', async () => {
    const guest = await add({ name: ada, host: '  Grace Hopper ', reason: 'Audit' });
    expect(guest.guest).to.deep.include({ host: 'Grace Hopper', reason: 'Audit' });
    expect(guest.tags).to.deep.equal([]);
    expect(await idsOfToday()).to.deep.equal([`FF5442${guest.id}`]);
    const [note] = await service.audit.read(0, 9);
    expect([note?.action, note?.details]).to.deep.equal(['person-added', {}]);
  });

  it('get a badge from the second of its tap on, until it is back', async () => {
    const at = service.clock.now();
    service.clock.advance(5_000);
    const { id, tags } = await add({ name: ada, badge: '04:a2:b3:c4:d5', at });
    expect(tags).to.deep.equal([{ id: RED, since: at, isLost: false }]);
    expect((await service.request(`/api/day?timestamp=${at}`)).status).to.equal(404);
    const refused = await service.post({ name: grace, badge: RED }, {}, '/api/guest');
    expect([refused.status, refused.text]).to.deep.equal([409, 'somebody has this badge']);
    await post('/api/tag', { id: RED, act: 'returned', since: service.clock.now() + 1 }, 200);
    service.clock.advance(5_000);
    const next = await add({ name: grace, badge: RED, at: service.clock.now() });
    expect(next.timelines[0]?.holdings.map(({ person }) => person)).to.deep.equal([id, null, next.id]);
  });

  it('come again, as do members without a tag, by one request', async () => {
    const guest = await add({ name: ada });
    const member = await post('/api/person', { name: grace });
    service.clock.advance(86_400_000);
    for (const { id } of [guest, member]) {
      const { status, text } = await service.post({ id }, {}, '/api/person/here');
      expect([status, text]).to.deep.equal([204, '']);
    }
    expect(await idsOfToday()).to.have.members([`FF5442${guest.id}`, `FF5442${member.id}`]);
  });

  it('are recorded with their tag if they have one, and nobody is recorded who is not there', async () => {
    const { id } = await add({ name: ada, badge: RED });
    const refused = await service.post({ id }, {}, '/api/person/here');
    expect([refused.status, refused.text]).to.deep.equal([409, 'this person has a tag']);
    const unknown = await service.post({ id: '0'.repeat(14) }, {}, '/api/person/here');
    expect([unknown.status, unknown.text]).to.deep.equal([404, 'there is no such person']);
  });

  it('keep their id and their days when they become members', async () => {
    const { id } = await add({ name: ada });
    const member = await post('/api/person', { id, guest: null }, 200);
    expect([member.id, member.guest]).to.deep.equal([id, null]);
    expect(await idsOfToday()).to.deep.equal([`FF5442${id}`]);
  });

  it('are refused with the second of a tap that there was not', async () => {
    const { status, text } = await service.post({ name: ada, at: 0 }, {}, '/api/guest');
    expect([status, text]).to.deep.equal([
      400,
      'at: it is the second of the tap that showed the badge; leave it out without a badge',
    ]);
    expect(await service.json('/api/people')).to.deep.include({ people: [] });
  });
});
