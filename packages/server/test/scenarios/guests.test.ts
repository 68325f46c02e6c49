import { expect } from 'chai';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

const RED = '04A2B3C4D5';
const roles = ['device', 'kiosk', 'desk', 'viewer'] as const;
type Role = (typeof roles)[number];

interface Guest {
  readonly id: string;
}

describe('guests of a running service', () => {
  const service = storedService();
  const tokens = new Map<Role, string>();
  let url: string;

  beforeEach(async () => {
    await service.inStore('user', 'add', 'ada', '--role', 'admin', '--no-password');
    for (const role of roles) {
      const { output } = await service.inStore('token', 'add', role, '--role', role);
      tokens.set(role, /tb_\S+/.exec(output)?.[0] ?? '');
    }
  });

  async function serve(): Promise<TallybookProcess> {
    const server = service.serve('--clock', 'trusted', ...noMidnight(), '--reader', 'http:hall');
    url = await server.url();
    return server;
  }

  async function ask(role: Role, path: string, body?: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${tokens.get(role) ?? ''}` };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    return fetch(`${url}${path}`, { headers, ...sent });
  }

  async function add(role: Role, body: object): Promise<Guest> {
    const response = await ask(role, '/api/guest', body);
    expect(response.status).to.equal(201);
    return (await response.json()) as Guest;
  }

  async function push(role: Role, id: string): Promise<unknown> {
    const response = await ask(role, '/api/readers/hall/readings', { id });
    const { results } = (await response.json()) as {
      readonly results: readonly { readonly outcome: string; readonly code?: string }[];
    };
    return results.map(({ outcome, code }) => code ?? outcome);
  }

  async function idsOfToday(): Promise<readonly string[]> {
    const response = await ask('desk', `/api/day?timestamp=${Math.floor(Date.now() / 1_000)}`);
    return response.ok ? ((await response.json()) as { readonly ids: readonly string[] }).ids : [];
  }

  it('are added by whoever is at the desk or a kiosk, and recorded again there, but not by a device', async () => {
    await serve();
    const name = { first: 'Grace', last: 'Hopper' };
    for (const role of ['device', 'viewer'] as const)
      expect((await ask(role, '/api/guest', { name })).status, role).to.equal(403);
    const guests = [await add('kiosk', { name }), await add('desk', { name })];
    for (const { id } of guests) {
      const reserved = `FF5442${id}`;
      expect(await push('device', reserved)).to.deep.equal(['RESERVED_TALLY_ID']);
      expect(await push('kiosk', reserved)).to.deep.equal(['already-counted']);
      expect((await ask('viewer', '/api/readers/hall/readings', { id: reserved })).status).to.equal(403);
    }
    expect(await push('desk', 'FF544200112233445566')).to.deep.equal(['counted']);
    expect(await idsOfToday()).to.have.length(3);
  });

  it('stay, with their badges, when the power is cut right after the answer', async () => {
    const server = await serve();
    const at = Math.floor(Date.now() / 1_000);
    expect(await push('device', RED)).to.deep.equal(['counted']);
    const lent = await add('desk', { name: { first: 'Grace', last: '' }, badge: RED, at });
    const other = await add('kiosk', { name: { first: 'Ada', last: '' } });
    server.child.kill('SIGKILL');
    await server.exited;
    await serve();
    expect(await idsOfToday()).to.have.members([RED, `FF5442${other.id}`]);
    const holder = (await (await ask('desk', `/api/person?tag=${RED}`)).json()) as Guest;
    expect(holder.id).to.equal(lent.id);
    expect(
      (await ask('desk', '/api/guest', { name: { first: 'Bob', last: '' }, badge: RED })).status,
    ).to.equal(409);
  });
});
