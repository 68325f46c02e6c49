import type { GroupId } from '@tallybook/domain';
import { mayDo, owner, readUser, roles, writeUser } from '@tallybook/domain/access';
import { expect } from 'chai';
import { home, PASSWORD, itClaimed as test } from './access-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';

const groups = ['7b', '7c'] as GroupId[];

describe('a user who is bound to groups', () => {
  test('is known with them, in their order and once each, by session and by proxy', async ({ access }) => {
    await access.users.put(owner, {
      name: 'eve',
      role: 'desk',
      groups: ['7c', '7b', '7c'],
      password: PASSWORD,
    });
    const { principal, secret } = await access.passwords.signIn('eve', PASSWORD, home);
    expect(principal.groups).to.deep.equal(groups);
    expect(access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    expect(access.users.principalOf('eve')).to.deep.include({ role: 'desk', groups });
    expect(access.users.list().find(({ name }) => name === 'eve')?.groups).to.deep.equal(groups);
  });

  test('keeps them after a restart, another password and the other role that may be bound', async (fixture) => {
    const { access } = fixture;
    await access.users.put(owner, { name: 'eve', role: 'desk', groups });
    await access.users.put(owner, { name: 'eve', password: PASSWORD });
    await access.users.put(owner, { name: 'eve', role: 'viewer' });
    await access.close();
    await access.open();
    expect(access.users.principalOf('eve')).to.deep.include({ role: 'viewer', groups });
  });

  test('loses the sessions with other groups, and not with the same ones', async ({ access }) => {
    await access.users.put(owner, { name: 'eve', role: 'desk', password: PASSWORD });
    for (const wanted of [groups, ['7b'], []]) {
      const { secret } = await access.passwords.signIn('eve', PASSWORD, home);
      await access.users.put(owner, { name: 'eve', role: 'desk' });
      expect(access.credentials.authenticate('session', secret)).to.not.equal(undefined);
      await access.users.put(owner, { name: 'eve', groups: wanted });
      expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
    }
    expect(access.users.principalOf('eve')).to.not.have.property('groups');
  });

  test('is a viewer or a desk: other roles and unreadable groups are refused', async ({ access }) => {
    await access.users.put(owner, { name: 'eve', role: 'desk', groups });
    for (const role of roles.filter((each) => each !== 'viewer' && each !== 'desk')) {
      await rejectionOf('INVALID_USER', access.users.put(owner, { name: 'new', role, groups }));
      await rejectionOf('INVALID_USER', access.users.put(owner, { name: 'eve', role }));
    }
    expect(access.users.principalOf('eve')).to.deep.include({ role: 'desk', groups });
    await access.users.put(owner, { name: 'eve', role: 'kiosk', groups: [] });
    const many = Array.from({ length: 21 }, (_, n) => `${n}`);
    for (const wrong of ['7b', null, many])
      await rejectionOf('INVALID_USER', access.users.put(owner, { name: 'ivy', groups: wrong }));
    for (const wrong of [['7B'], [''], [7]])
      await rejectionOf('INVALID_GROUP', access.users.put(owner, { name: 'ivy', groups: wrong }));
  });

  test('may not do what is about everybody', async ({ access }) => {
    await access.users.put(owner, { name: 'eve', role: 'desk', groups });
    const by = access.users.principalOf('eve');
    if (by === undefined) throw new Error('there is no such user');
    expect(mayDo(by, 'change-names')).to.equal(true);
    for (const action of ['push-readings', 'see-service', 'add-guests', 'manage-access'] as const)
      expect(mayDo(by, action), action).to.equal(false);
  });

  test('is not read without groups that cannot be read', ({ access }) => {
    expect(access.state).to.equal('claimed');
    const user = { name: 'eve', role: 'desk', groups, password: undefined, createdAt: 1 } as const;
    const row = JSON.parse(writeUser(user as never)) as object;
    expect(readUser('eve', row)).to.deep.equal(user);
    for (const wrong of [[], '7b', null, [1]])
      expect(() => readUser('eve', { ...row, groups: wrong }), JSON.stringify(wrong)).to.throw();
    return Promise.resolve();
  });
});
