import { TallybookError } from '@tallybook/domain';
import {
  owner,
  type AccessOptions,
  type Origin,
  type Role,
  type SignedInElsewhere,
} from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import {
  abroad,
  AccessFixture,
  codeOf,
  from,
  home,
  PASSWORD,
  secureHome,
  itClaimed,
} from './access-fixture.js';
import { Deferred } from '../fixtures/deferred.js';
import { testOn } from '../fixtures/test-on.js';
import { rejectionOf } from '../fixtures/throws.js';

const HALF_DAY_S = 43_200;
const staff: AccessOptions = {
  identityRules: { groupRoles: { staff: 'viewer', office: 'desk', it: 'admin' } },
};

/** A service with an admin, `ada`, who has a password, and a provider that knows some people. */
class World extends AccessFixture {
  readonly provider: ScriptedIdentityProvider;

  private constructor(options: AccessOptions) {
    const provider = new ScriptedIdentityProvider();
    super({ requiresClaim: true, ...options }, provider);
    this.provider = provider;
  }

  static async withAda(options: AccessOptions = {}): Promise<World> {
    const world = await new World(options).start();
    await world.access.users.put(owner, { name: 'ada', password: PASSWORD });
    return world;
  }

  /** Signs in as the current person of the provider. */
  async signIn(
    subject: string,
    name: string | undefined,
    ...groups: readonly string[]
  ): Promise<SignedInElsewhere> {
    this.provider.people.set(subject, { subject, name, groups });
    const { url, ticket } = await this.access.provider.begin();
    return this.access.provider.finish(ticket, this.provider.answer(url, subject), home);
  }

  /** Begins a sign-in as usual, then brings a worthless answer. */
  async guess(origin: Origin): Promise<string> {
    const { url, ticket } = await this.access.provider.begin();
    return codeOf(this.access.provider.finish(ticket, this.provider.answer(url, 'nobody'), origin));
  }

  user(name: string): unknown {
    return this.access.users.list().find((user) => user.name === name);
  }
}

const test = testOn(() => World.withAda(staff));
const itWithProvider = testOn(() => World.withAda());

describe('signing in at an identity provider', () => {
  test('makes no user whose name looks like that of another one', async (world) => {
    await world.access.users.put(owner, { name: 'root1' });
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'r\u043E\u043Et1', 'staff'));
    expect(world.access.users.list()).to.have.lengthOf(2);
  });

  test('makes a user of a person whose groups give a role, bound to the subject', async (world) => {
    const { principal, secret } = await world.signIn('s1', 'Bob', 'staff', 'office', 'unknown');
    expect(principal).to.include({ name: 'bob', role: 'desk' });
    expect(world.access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    expect(world.user('bob')).to.deep.include({
      hasPassword: false,
      identity: { issuer: world.provider.issuer, subject: 's1', isRoleGranted: true },
    });
    const [added, signedIn] = world.notes.slice(-2);
    expect(added).to.deep.include({ actor: 'bob', action: 'user-added' });
    expect(signedIn).to.deep.equal({
      ...{ actor: 'bob', action: 'signed-in' },
      details: { transport: 'http', address: home.address, by: 'provider' },
    });
  });

  test('recognises a person by the subject, even after a change of the name', async (world) => {
    await world.signIn('s1', 'bob', 'staff');
    for (const name of ['robert', 'ada', undefined, 'x y']) {
      expect((await world.signIn('s1', name, 'staff')).principal.name).to.equal('bob');
    }
    expect(world.access.users.list()).to.have.lengthOf(2);
  });

  test('gives the role of the groups at each sign-in, and ends sessions with the former role', async (world) => {
    const before = await world.signIn('s1', 'bob', 'it');
    expect((await world.signIn('s1', 'bob', 'staff')).principal.role).to.equal('viewer');
    expect(world.access.credentials.authenticate('session', before.secret)).to.equal(undefined);
  });

  test('is refused with a role that nobody may have who is bound to groups here, and ends the sessions', async (world) => {
    const { access } = world;
    await world.signIn('s1', 'bob', 'staff');
    await access.users.put(owner, { name: 'bob', groups: ['7b'] });
    const { principal, secret } = await world.signIn('s1', 'bob', 'staff');
    expect(principal.groups).to.deep.equal(['7b']);
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'bob', 'it'));
    expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
    expect(access.users.principalOf('bob')).to.deep.include({ role: 'viewer', groups: ['7b'] });
  });

  test('ends the tokens that a person made if the groups no longer give the role admin, except tokens of devices', async (world) => {
    const { access } = world;
    const { principal } = await world.signIn('s1', 'bob', 'it');
    const mine = await access.credentials.createToken(principal, { label: 'script', role: 'admin' });
    const door = await access.credentials.createToken(principal, { label: 'door', role: 'device' });
    await world.signIn('s1', 'bob', 'it');
    expect(access.credentials.authenticate('token', mine.token)?.role).to.equal('admin');
    await world.signIn('s1', 'bob', 'staff');
    expect(access.credentials.authenticate('token', mine.token)).to.equal(undefined);
    expect(access.credentials.authenticate('token', door.token)?.role).to.equal('device');
  });

  test('is refused when the groups no longer give a role, and ends the sessions and tokens, except tokens of devices', async (world) => {
    const { access } = world;
    const { principal, secret } = await world.signIn('s1', 'bob', 'it');
    const mine = await access.credentials.createToken(principal, { label: 'script', role: 'admin' });
    const wall = await access.credentials.createToken(principal, { label: 'door', role: 'device' });
    const theirs = await access.credentials.createToken(owner, { label: 'other', role: 'viewer' });
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'bob'));
    const left = [mine, wall, theirs].map(
      ({ token }) => access.credentials.authenticate('token', token)?.role,
    );
    expect(left).to.deep.equal([undefined, 'device', 'viewer']);
    expect(access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  it('gives everybody a role only if one is set for everybody', async () => {
    await using closed = await World.withAda();
    await rejectionOf('IDENTITY_UNKNOWN', closed.signIn('s1', 'bob', 'staff', '__proto__', 'constructor'));
    await using open = await World.withAda({
      identityRules: { role: 'viewer', groupRoles: { it: 'admin' } },
    });
    expect((await open.signIn('s1', 'bob')).principal.role).to.equal('viewer');
    expect((await open.signIn('s2', 'eve', 'it')).principal.role).to.equal('admin');
  });

  it('never signs in or changes a user of the same name who has a password', async () => {
    await using world = await World.withAda({ identityRules: { role: 'admin' } });
    const before = world.user('ada');
    for (const name of ['ada', 'ADA', 'Ada']) {
      await rejectionOf('IDENTITY_UNKNOWN', world.signIn('eve', name));
    }
    expect(world.user('ada')).to.deep.equal(before);
    expect(world.access.users.list()).to.have.lengthOf(1);
  });

  it('never signs in a user of the same name who is bound to somebody else, or signs in by a proxy', async () => {
    await using world = await World.withAda({ identityRules: { role: 'admin' } });
    await world.signIn('s1', 'bob');
    await world.access.users.put(owner, { name: 'carl', role: 'viewer' });
    for (const name of ['bob', 'carl']) {
      expect(await codeOf(world.signIn('eve', name)), name).to.equal('IDENTITY_UNKNOWN');
    }
  });

  test('does not take the same subject of another provider for the same person', async (world) => {
    await world.signIn('s1', 'bob', 'staff');
    const other = new ScriptedIdentityProvider(
      [{ subject: 's1', name: 'bob', groups: ['it'] }],
      'https://evil.example',
    );
    world.provider.finish = other.finish.bind(other);
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'bob', 'it'));
  });

  it('shows the subject to a person who is no user, so that an admin can add it', async () => {
    await using world = await World.withAda();
    const error = await world.signIn('s1', 'bob').catch((reason: unknown) => reason as TallybookError);
    expect(error).to.deep.include({ code: 'IDENTITY_UNKNOWN', details: { subject: 's1' } });
    const { action, details } = world.notes.at(-1) ?? {};
    expect([action, details]).to.deep.equal([
      'sign-in-refused',
      { attempts: 1, address: home.address, subject: 's1', by: 'provider' },
    ]);
  });

  it('needs a valid name for a new user', async () => {
    await using world = await World.withAda({ identityRules: { role: 'viewer' } });
    for (const name of [undefined, '', 'x y', 'console', '-', 'a'.repeat(1_000)]) {
      expect(await codeOf(world.signIn('s1', name)), String(name)).to.equal('IDENTITY_UNKNOWN');
    }
  });

  test('lasts half a day also over https, so that a withdrawal of access at the provider soon ends it', async (world) => {
    world.provider.people.set('s1', { subject: 's1', name: 'bob', groups: ['staff'] });
    const { url, ticket } = await world.access.provider.begin();
    const answer = world.provider.answer(url, 's1');
    const { expiresAt } = await world.access.provider.finish(ticket, answer, secureHome);
    expect(expiresAt - world.access.now()).to.equal(HALF_DAY_S);
  });
});

describe('a user who signs in at an identity provider', () => {
  it('may be added by subject, and then a person with only the name is refused', async () => {
    await using world = await World.withAda();
    await world.access.users.put(owner, { name: 'bob', role: 'desk', subject: 's1' });
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('eve', 'bob', 'it'));
    expect((await world.signIn('s1', 'somebody else')).principal).to.include({ name: 'bob', role: 'desk' });
    expect(world.user('bob')).to.have.deep.property('identity', {
      ...{ issuer: world.provider.issuer, subject: 's1', isRoleGranted: false },
    });
  });

  test('may be added by name, and is bound to the first person who comes with it', async (world) => {
    await world.access.users.put(owner, { name: 'bob', role: 'desk', provider: true });
    expect((await world.signIn('s1', 'Bob', 'it')).principal.role).to.equal('desk');
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('eve', 'bob', 'it'));
    expect((await world.signIn('s1', undefined)).principal.name).to.equal('bob');
  });

  itWithProvider('may also have a password, if an admin sets one', async (world) => {
    await world.access.users.put(owner, { name: 'ada', subject: 's1' });
    expect((await world.signIn('s1', 'x')).principal.role).to.equal('admin');
    await world.access.passwords.signIn('ada', PASSWORD, home);
  });

  itWithProvider('can be unbound, which ends the sessions, and bound again', async (world) => {
    await world.access.users.put(owner, { name: 'bob', role: 'desk', subject: 's1' });
    const { secret } = await world.signIn('s1', 'bob');
    await world.access.users.put(owner, { name: 'bob', provider: false });
    expect(world.user('bob')).not.to.have.property('identity');
    expect(world.access.credentials.authenticate('session', secret)).to.equal(undefined);
    await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'bob'));
  });

  it('can be bound again to the same subject after the URL of the provider has changed', async () => {
    for (const choice of [{ subject: 's1' }, { provider: true }]) {
      await using world = await World.withAda();
      await world.access.users.put(owner, { name: 'bob', role: 'desk', subject: 's1' });
      await world.signIn('s1', 'bob');
      const moved = new ScriptedIdentityProvider([], 'https://new.example.org');
      world.provider.begin = moved.begin.bind(moved);
      world.provider.finish = moved.finish.bind(moved);
      moved.people.set('s1', { subject: 's1', name: 'bob', groups: [] });
      await rejectionOf('IDENTITY_UNKNOWN', world.signIn('s1', 'bob'));
      await world.access.users.put(owner, { name: 'bob', ...choice });
      expect((await world.signIn('s1', 'bob')).principal).to.include({ name: 'bob', role: 'desk' });
      expect(world.user('bob')).to.have.deep.property('identity', {
        ...{ issuer: moved.issuer, subject: 's1', isRoleGranted: false },
      });
    }
  });

  itWithProvider('has one subject, and nobody else has it', async (world) => {
    const { access } = world;
    await access.users.put(owner, { name: 'bob', subject: 's1' });
    await rejectionOf('INVALID_USER', access.users.put(owner, { name: 'carl', subject: 's1' }));
    for (const choice of [
      { subject: '' },
      { subject: 7 },
      { subject: 'a\nb' },
      { subject: 'a'.repeat(256) },
      { provider: 'yes' },
      { provider: false, subject: 's2' },
    ]) {
      expect(
        await codeOf(access.users.put(owner, { name: 'carl', ...choice })),
        JSON.stringify(choice),
      ).to.equal('INVALID_USER');
    }
  });

  it('is not bound by a session of the same user, because an unlocked computer is not the person', async () => {
    await using world = await World.withAda();
    const { principal } = await world.access.passwords.signIn('ada', PASSWORD, home);
    for (const choice of [{ provider: true }, { provider: false }, { subject: 'eve' }]) {
      await rejectionOf('NOT_ALLOWED', world.access.users.put(principal, { name: 'ada', ...choice }));
    }
  });

  test('has the role that the provider gives, until an admin decides on it', async (world) => {
    await world.signIn('s1', 'bob', 'staff');
    const { access } = world;
    await rejectionOf('INVALID_USER', access.users.put(owner, { name: 'bob', role: 'admin' }));
    await access.users.put(owner, { name: 'bob', role: 'viewer' });
    await access.users.put(owner, { name: 'bob', role: 'desk', provider: true });
    expect((await world.signIn('s1', 'bob', 'it')).principal.role).to.equal('desk');
  });

  test('does not lose the role of the last admin through the groups, but gets no session', async (world) => {
    const { secret } = await world.signIn('s1', 'bob', 'it');
    await world.access.users.remove(owner, 'ada');
    await rejectionOf('LAST_ADMIN', world.signIn('s1', 'bob', 'staff'));
    expect(world.user('bob')).to.have.property('role' satisfies keyof { role: Role }, 'admin');
    expect(world.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  test('is made only once, also by two sign-ins at the same time', async (world) => {
    const both = await Promise.all([world.signIn('s1', 'bob', 'staff'), world.signIn('s1', 'bob', 'staff')]);
    expect(both.map(({ principal }) => principal.name)).to.deep.equal(['bob', 'bob']);
  });
});

describe('an identity provider', () => {
  it('claims no service: without users nobody signs in through it', async () => {
    for (const requiresClaim of [true, false]) {
      const provider = new ScriptedIdentityProvider([{ subject: 's1', name: 'eve', groups: [] }]);
      const options: AccessOptions = { requiresClaim, identityRules: { role: 'admin' } };
      await using fixture = await AccessFixture.open(options, provider);
      const { url, ticket } = await provider.begin();
      const finished = fixture.access.provider.finish(ticket, provider.answer(url, 's1'), home);
      await rejectionOf('NOT_CLAIMED', finished);
      await rejectionOf('NOT_CLAIMED', fixture.access.provider.begin());
      expect(fixture.access.state).to.equal(requiresClaim ? 'unclaimed' : 'open');
    }
  });

  test('does not make people wait while it is away', async (world) => {
    const { ticket } = await world.access.provider.begin();
    world.provider.isAway = true;
    for (let n = 0; n < 30; n++) {
      const finished = world.access.provider.finish(ticket, 'b', home);
      await rejectionOf('IDENTITY_UNAVAILABLE', finished);
    }
  });

  test('is not asked about every invalid answer', async (world) => {
    const codes: string[] = [];
    for (let n = 0; n < 13; n++) codes.push(await world.guess(abroad));
    const expected = Array.from({ length: 13 }, (_, n) => (n < 10 ? 'IDENTITY_REFUSED' : 'SIGN_IN_TOO_SOON'));
    expect(codes).to.deep.equal(expected);
    await world.signIn('s1', 'bob', 'staff');
  });

  test('makes nobody wait because of others who sign in from the same address', async (world) => {
    for (let n = 0; n < 15; n++) {
      await world.signIn(`s${n}`, `user${n}`, 'staff');
    }
  });

  test('is noted with the reason of a refusal', async (world) => {
    const { ticket } = await world.access.provider.begin();
    world.notes.length = 0;
    const refused = { details: { reason: 'nonce' } };
    world.provider.finish = () => Promise.reject(new TallybookError('IDENTITY_REFUSED', 'no', refused));
    await codeOf(world.access.provider.finish(ticket, 'b', home));
    world.provider.finish = () => Promise.reject(new TallybookError('IDENTITY_REFUSED', 'no'));
    await codeOf(world.access.provider.finish(ticket, 'b', home));
    expect(world.notes.map(({ action, details }) => [action, details])).to.deep.equal([
      ['sign-in-refused', { attempts: 1, address: home.address, reason: 'nonce', by: 'provider' }],
      ['sign-in-refused', { attempts: 2, address: home.address, reason: 'unknown', by: 'provider' }],
    ]);
  });

  test('makes no more users than allowed', async (world) => {
    for (let n = 1; n < 1_000; n++) await world.access.users.put(owner, { name: `user${n}` });
    await rejectionOf('ACCESS_LIMIT_REACHED', world.signIn('s1', 'one-more', 'staff'));
    await world.access.users.remove(owner, 'user1');
    await world.signIn('s1', 'one-more', 'staff');
  });

  test('makes nobody wait for answers that do not fit their ticket: they guess nothing', async (world) => {
    const own = (await world.access.provider.begin()).ticket;
    for (let n = 0; n < 30; n++) {
      for (const ticket of [undefined, 'x', 'a'.repeat(10_000), own]) {
        const finished = world.access.provider.finish(ticket, 'state=a&subject=nobody', home);
        await rejectionOf('IDENTITY_REFUSED', finished);
      }
    }
    await world.signIn('s1', 'bob', 'staff');
  });

  test('is not asked about an invented ticket: without a begun sign-in, nobody uses up the attempts of others', async (world) => {
    const { provider, access } = world;
    const sealed = (await access.provider.begin()).ticket;
    const [seal = ''] = sealed.split('.');
    let asked = 0;
    const finish = provider.finish.bind(provider);
    provider.finish = (ticket, answer) => finish(ticket, answer, () => void asked++);
    for (let n = 0; n < 30; n++) {
      const { url, ticket } = await provider.begin();
      const answer = provider.answer(url, 'nobody');
      for (const made of [ticket, `${seal}.${ticket}`, `.${ticket}`, `${'a'.repeat(104)}.${ticket}`]) {
        await rejectionOf('IDENTITY_REFUSED', access.provider.finish(made, answer, home));
      }
    }
    expect(asked).to.equal(0);
    await world.signIn('s1', 'bob', 'staff');
  });

  test('is not asked about a ticket of more than ten minutes ago', async (world) => {
    world.provider.people.set('s1', { subject: 's1', name: 'bob', groups: ['staff'] });
    for (const [seconds, code] of [
      [599, 'none'],
      [600, 'IDENTITY_REFUSED'],
    ] as const) {
      const { url, ticket } = await world.access.provider.begin();
      world.clock.advance(seconds * 1_000);
      const finished = world.access.provider.finish(ticket, world.provider.answer(url, 's1'), home);
      expect(await codeOf(finished), String(seconds)).to.equal(code);
    }
  });

  test('accepts tickets of another server on the store, and writes only for the first of all tickets', async (world) => {
    const { provider } = world;
    provider.people.set('s1', { subject: 's1', name: 'bob', groups: ['staff'] });
    await using other = await world.another(provider, staff);
    const { url, ticket } = await world.access.provider.begin();
    const written = await world.store.revision();
    for (let n = 0; n < 3; n++) await other.provider.begin();
    expect(await world.store.revision()).to.equal(written);
    const { principal } = await other.provider.finish(ticket, provider.answer(url, 's1'), home);
    expect(principal.name).to.equal('bob');
  });

  test('slows down attempts as for passwords, but counts them separately: neither makes the other wait', async (world) => {
    while ((await world.guess(abroad)) !== 'SIGN_IN_TOO_SOON');
    await world.access.passwords.signIn('ada', PASSWORD, abroad);
  });

  test('is not asked faster after a fault of its own', async (world) => {
    world.provider.finish = (_ticket, _answer, beforeAsking) => {
      beforeAsking?.();
      return Promise.reject(new TallybookError('IDENTITY_UNAVAILABLE', 'it says 429'));
    };
    const codes: string[] = [];
    for (let n = 0; n < 13; n++) codes.push(await world.guess(abroad));
    const expected = Array.from({ length: 13 }, (_, n) =>
      n < 10 ? 'IDENTITY_UNAVAILABLE' : 'SIGN_IN_TOO_SOON',
    );
    expect(codes).to.deep.equal(expected);
  });

  test('lets people begin while 20 others wait for it to finish', async (world) => {
    const answered = new Deferred<void>();
    const { ticket } = await world.access.provider.begin();
    const finish = world.provider.finish.bind(world.provider);
    world.provider.finish = async (...given) => {
      await answered.promise;
      return finish(...given);
    };
    const waiting = Array.from({ length: 20 }, (_, n) =>
      codeOf(world.access.provider.finish(ticket, 'b', from(`10.0.0.${n}`))),
    );
    await rejectionOf('SIGN_IN_TOO_SOON', world.access.provider.finish(ticket, 'b', home));
    await world.access.provider.begin();
    answered.resolve();
    await Promise.all(waiting);
  });

  test('lets people begin while 20 others wait for the address of signing out, and vice versa', async (world) => {
    const { provider, access } = world;
    const { principal } = await world.signIn('s1', 'bob', 'staff');
    const signOut = (): Promise<unknown> => access.provider.signOutUrl(principal);
    const begin = (): Promise<unknown> => access.provider.begin();
    const begins = provider.begin.bind(provider);
    const signsOut = provider.signOutUrl.bind(provider);
    for (const [busy, free] of [
      [signOut, begin],
      [begin, signOut],
    ] as const) {
      const answered = new Deferred<void>();
      if (busy === begin) provider.begin = () => answered.promise.then(begins);
      else provider.signOutUrl = () => answered.promise.then(() => signsOut());
      const waiting = Array.from({ length: 20 }, () => codeOf(busy()));
      await rejectionOf('SIGN_IN_TOO_SOON', busy());
      await free();
      answered.resolve();
      expect(await Promise.all(waiting)).to.deep.equal(Array(20).fill('none'));
    }
  });

  test('is asked about 20 people at the same time, and the next is asked to wait', async (world) => {
    const answered = new Deferred<void>();
    const begin = world.provider.begin.bind(world.provider);
    world.provider.begin = async () => {
      await answered.promise;
      return begin();
    };
    const waiting = Array.from({ length: 20 }, () => codeOf(world.access.provider.begin()));
    const error: unknown = await world.access.provider.begin().catch((cause: unknown) => cause);
    expect(error).to.deep.include({ code: 'SIGN_IN_TOO_SOON', details: { retryAfterSeconds: 2 } });
    answered.resolve();
    expect(await Promise.all(waiting)).to.deep.equal(Array(20).fill('none'));
    // The waiting sign-ins have freed their places.
    await world.access.provider.begin();
  });

  test('gets only texts of a sensible length', async (world) => {
    const { ticket } = await world.access.provider.begin();
    const said: unknown[] = [];
    const finish = world.provider.finish.bind(world.provider);
    world.provider.finish = (asked, answer) => {
      said.push(answer);
      return finish(asked, answer);
    };
    for (const odd of [undefined, 7, {}, 'a'.repeat(10_000)]) {
      for (const shown of [odd, ticket]) {
        await rejectionOf('IDENTITY_REFUSED', world.access.provider.finish(shown, odd, home));
      }
    }
    expect(said).to.deep.equal(['', '', '', '']);
  });

  test('gives the address of signing out to people who sign in there, and to nobody else', async (world) => {
    const { principal } = await world.signIn('s1', 'bob', 'staff');
    expect(await world.access.provider.signOutUrl(principal)).to.equal(`${world.provider.issuer}/end`);
    expect(await world.access.provider.signOutUrl({ name: 'ada', role: 'admin' })).to.equal(undefined);
    expect(await world.access.provider.signOutUrl({ name: 'nobody', role: 'nobody' })).to.equal(undefined);
    world.provider.isAway = true;
    await rejectionOf('IDENTITY_UNAVAILABLE', world.access.provider.signOutUrl(principal));
  });

  test('passes on the provider’s hint for signing out, and does not store it', async (world) => {
    const { principal, signOutHint } = await world.signIn('s1', 'bob', 'staff');
    expect(signOutHint).to.equal('hint.s1');
    expect(await world.access.provider.signOutUrl(principal, signOutHint)).to.equal(
      `${world.provider.issuer}/end?hint=hint.s1`,
    );
    const kept = [world.access.users.list(), world.access.credentials.list(owner, { all: true })];
    expect(JSON.stringify([kept, world.notes])).not.to.include('hint');
    expect(await world.access.provider.signOutUrl({ name: 'ada', role: 'admin' }, signOutHint)).to.equal(
      undefined,
    );
  });

  itClaimed('is missing unless it is set up', async (fixture) => {
    expect(fixture.access.provider.label).to.equal(undefined);
    await rejectionOf('IDENTITY_UNAVAILABLE', fixture.access.provider.begin());
  });

  it('gives only existing roles', async () => {
    const rules = { identityRules: { role: 'root' as Role } };
    await rejectionOf('INVALID_OPTION', AccessFixture.open(rules));
  });
});
