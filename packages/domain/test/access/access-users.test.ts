import { anyone, nobody, owner, type Principal } from '@tallybook/domain/access';
import { ScriptedIdentityProvider } from '@tallybook/testing';
import { expect } from 'chai';
import {
  abroad,
  AccessFixture,
  codeOf,
  DAY_MS,
  home,
  PASSWORD,
  itWithViewer,
  itUnclaimed,
  itUnguarded,
  itClaimed as test,
} from './access-fixture.js';
import { rejectionOf } from '../fixtures/throws.js';
import { failureOf } from '../../../testing/test/fixtures/failure-of.js';

describe('claiming a service', () => {
  const user = { name: 'Ada', password: PASSWORD };

  itUnclaimed('makes a person with the setup code the first admin, and signs them in', async (fixture) => {
    const { access } = fixture;
    expect(access.state).to.equal('unclaimed');
    const { secret, principal } = await access.setup.claim(access.setup.code, user, home);
    expect([access.state, access.setup.code]).to.deep.equal(['claimed', undefined]);
    expect(principal).to.include({ name: 'ada', role: 'admin' });
    expect(access.credentials.authenticate('session', secret)).to.deep.equal(principal);
    await access.passwords.signIn('ada', PASSWORD, home);
    expect(fixture.notes.map(({ action }) => action)).to.include('claimed');
  });

  itUnclaimed('takes the code as people write it', async (fixture) => {
    fixture.secrets.randomCode = () => '10AB0EFGH1JK';
    await fixture.access.close();
    await fixture.access.open();
    await fixture.access.setup.claim(' io-ab OEFG hljk', user, home);
  });

  itUnclaimed('refuses another code, and slows down guesses', async (fixture) => {
    for (const code of ['', '000000000000', undefined]) {
      await rejectionOf('SETUP_REFUSED', fixture.access.setup.claim(code, user, abroad));
    }
    await rejectionOf(
      'SIGN_IN_TOO_SOON',
      fixture.access.setup.claim(fixture.access.setup.code, user, abroad),
    );
    await fixture.access.setup.claim(fixture.access.setup.code, user, home);
  });

  it('notes the first, the second, the fourth refused code and so on, and never the code itself', async () => {
    await using fixture = await AccessFixture.open({ requiresClaim: true });
    for (let attempt = 0; attempt < 5; attempt++) {
      await codeOf(fixture.access.setup.claim('0123456789AB', user, abroad));
      fixture.clock.advance(60_000);
    }
    expect(fixture.notes).to.deep.equal(
      [1, 2, 4].map((attempts) => ({
        actor: 'anyone',
        action: 'setup-refused',
        details: { attempts, address: abroad.address },
      })),
    );
  });

  itUnclaimed('happens once, also for two at the same time', async (fixture) => {
    const { code: setupCode } = fixture.access.setup;
    const codes = await Promise.all(
      ['ada', 'bob'].map((name) => codeOf(fixture.access.setup.claim(setupCode, { ...user, name }, home))),
    );
    expect(codes).to.have.members(['none', 'ALREADY_CLAIMED']);
    expect(fixture.access.users.list()).to.have.lengthOf(1);
  });

  itUnclaimed('keeps the code if the name or the password is refused', async (fixture) => {
    const { code: setupCode } = fixture.access.setup;
    await rejectionOf('INVALID_USER', fixture.access.setup.claim(setupCode, { ...user, name: '' }, home));
    await rejectionOf(
      'INVALID_PASSWORD',
      fixture.access.setup.claim(setupCode, { ...user, password: 'short' }, home),
    );
    await fixture.access.setup.claim(setupCode, user, home);
  });

  itUnclaimed('has another code after each start', async (fixture) => {
    const first = fixture.access.setup.code;
    await fixture.access.close();
    expect(fixture.access.setup.code).to.equal(undefined);
    await fixture.access.open();
    expect(fixture.access.setup.code)
      .to.match(/^[0-9A-Z]{12}$/)
      .and.not.equal(first);
  });

  it('needs no code if everybody may do everything: the first user is simply added', async () => {
    await using fixture = await AccessFixture.open();
    expect([fixture.access.state, fixture.access.setup.code]).to.deep.equal(['open', undefined]);
    await rejectionOf('SETUP_REFUSED', fixture.access.setup.claim('', user, home));
    await fixture.access.users.put(anyone, user);
    expect(fixture.access.state).to.equal('claimed');
  });

  itUnguarded('needs a way to sign in where everybody may do everything', async (fixture) => {
    const { access } = fixture;
    for (const choice of [{}, { provider: true }, { subject: 's1' }, { provider: false }]) {
      const adding = access.users.put(anyone, { name: 'ada', ...choice });
      const { message } = await rejectionOf('LAST_ADMIN', adding);
      expect(message).to.match(/the first user needs a way to sign in: a password/);
    }
    expect([access.state, access.users.list()]).to.deep.equal(['open', []]);
  });

  it('needs no password where the first user is one of the identity provider', async () => {
    for (const choice of [{ provider: true }, { subject: 's1' }]) {
      await using fixture = await AccessFixture.open({}, new ScriptedIdentityProvider());
      const { access } = fixture;
      for (const none of [{}, { provider: false }])
        await rejectionOf('LAST_ADMIN', access.users.put(anyone, { name: 'ada', ...none }));
      expect(await access.users.put(anyone, { name: 'ada', ...choice })).to.equal('added');
    }
  });

  it('needs no password for somebody whom the command line, a proxy or a token lets in again', async () => {
    const proxied: Principal = { role: 'admin', name: 'ada' };
    for (const how of [owner, proxied, 'token']) {
      await using fixture = await AccessFixture.open();
      const { token } = await fixture.access.credentials.createToken(owner, {
        label: 'setup',
        role: 'admin',
      });
      const by =
        typeof how === 'string' ? (fixture.access.credentials.authenticate('token', token) ?? nobody) : how;
      expect(await fixture.access.users.put(by, { name: 'ada' }), by.name).to.equal('added');
    }
  });
});

describe('users', () => {
  it('keep their tokens when an admin gives them a new password, unless the admin ends them too', async () => {
    await using fixture = await AccessFixture.claimed('admin');
    const { access } = fixture;
    const { principal } = await access.passwords.signIn('admin', PASSWORD, home);
    const labels = (): readonly string[] =>
      access.credentials
        .list(owner, { all: true })
        .map(({ label }) => label)
        .sort();
    for (const role of ['viewer', 'device'])
      await access.credentials.createToken(principal, { label: role, role });
    await access.users.put(owner, { name: 'admin', password: 'another horse battery' });
    expect(labels()).to.deep.equal(['device', 'viewer']);
    await access.users.put(owner, { name: 'admin', password: PASSWORD, endTokens: true });
    expect(labels()).to.deep.equal(['device']);
    expect(fixture.notes.at(-1)?.details).to.deep.equal({
      ...{ user: 'admin', role: 'admin', password: true, tokens: 1 },
    });
    const wrong = access.users.put(owner, { name: 'admin', endTokens: 'yes' });
    const { message } = await rejectionOf('INVALID_USER', wrong);
    expect(message).to.equal('endTokens: true or false; got "yes"');
  });

  test('do not have names that look the same: Cyrillic, Greek and wide letters beside Latin ones', async (fixture) => {
    for (const name of ['root1', '\u0442\u043E\u0440', 'Zo\u00EB'])
      await fixture.access.users.put(owner, { name });
    for (const name of [
      'r\u043E\u043Et1',
      'r\u03BFot1',
      '\uFF52\uFF4F\uFF4F\uFF54\uFF11',
      'top',
      '\u0430d\u0430',
    ]) {
      const { message } = await rejectionOf('INVALID_USER', fixture.access.users.put(owner, { name }));
      expect(message).to.match(
        /^the name looks like that of the user "(root1|\u0442\u043E\u0440|ada)", with other letters/,
      );
    }
    for (const name of ['\u043A\u0430\u0442\u044F', 'zoe', 'root2']) {
      expect(await fixture.access.users.put(owner, { name }), name).to.equal('added');
    }
    expect(await fixture.access.users.put(owner, { name: 'root1', role: 'desk' })).to.equal('changed');
  });

  itUnguarded('begin with an admin, and are viewers by default', async (fixture) => {
    await rejectionOf('LAST_ADMIN', fixture.access.users.put(owner, { name: 'bob', role: 'viewer' }));
    expect(await fixture.access.users.put(owner, { name: 'ada', password: PASSWORD })).to.equal('added');
    expect(await fixture.access.users.put(owner, { name: 'bob' })).to.equal('added');
    expect(await fixture.access.users.put(owner, { name: 'Bob', role: 'desk' })).to.equal('changed');
    expect(
      fixture.access.users.list().map(({ name, role, hasPassword }) => ({ name, role, hasPassword })),
    ).to.deep.equal([
      { name: 'ada', role: 'admin', hasPassword: true },
      { name: 'bob', role: 'desk', hasPassword: false },
    ]);
  });

  test('who are to be new replace nobody, however the name is written', async (fixture) => {
    const { access } = fixture;
    const add = (name: string) => access.users.put(owner, { name, isNew: true, password: 'another horse' });
    expect(await add('zoë')).to.equal('added');
    for (const name of ['ADA', 'zoe\u0308']) expect(await codeOf(add(name)), name).to.equal('USER_EXISTS');
    await access.passwords.signIn('ada', PASSWORD, home);
    expect(access.users.list().map(({ name }) => name)).to.deep.equal(['ada', 'zoë']);
    expect(await access.users.put(owner, { name: 'ada', isNew: false, role: 'admin' })).to.equal('changed');
  });

  test('who are to be new are not the one who asks', async (fixture) => {
    const { principal } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    for (const choice of [{ password: 'another horse' }, { provider: true }])
      await rejectionOf(
        'USER_EXISTS',
        fixture.access.users.put(principal, { name: 'ada', isNew: true, ...choice }),
      );
  });

  test('who are to be new are no last admin with a smaller role', async (fixture) => {
    const choice = { name: 'ada', role: 'viewer', isNew: true };
    await rejectionOf('USER_EXISTS', fixture.access.users.put(owner, choice));
  });

  test('are new or not, and nothing between', async (fixture) => {
    for (const isNew of ['true', 1, 0, null, ''])
      await rejectionOf('INVALID_USER', fixture.access.users.put(owner, { name: 'bob', isNew }));
  });

  itWithViewer('never lose their last admin', async (fixture) => {
    await rejectionOf('LAST_ADMIN', fixture.access.users.put(owner, { name: 'ada', role: 'desk' }));
    await rejectionOf('LAST_ADMIN', fixture.access.users.remove(owner, 'ada'));
    await fixture.access.users.put(owner, { name: 'viewer', role: 'admin' });
    expect(await fixture.access.users.remove(owner, 'ADA')).to.equal(true);
    expect(await fixture.access.users.remove(owner, 'ada')).to.equal(false);
  });

  test('lose the tokens that they made when they may no longer manage access, but devices keep theirs', async (fixture) => {
    const { access } = fixture;
    await access.users.put(owner, { name: 'eve', role: 'admin', password: PASSWORD });
    const { principal } = await access.passwords.signIn('eve', PASSWORD, home);
    const script = await access.credentials.createToken(principal, { label: 'script', role: 'desk' });
    const door = await access.credentials.createToken(principal, { label: 'door', role: 'device' });
    await access.users.put(owner, { name: 'eve', password: `${PASSWORD}!` });
    expect(access.credentials.authenticate('token', script.token)).not.to.equal(undefined);
    await access.users.put(owner, { name: 'eve', role: 'desk' });
    expect(access.credentials.authenticate('token', script.token)).to.equal(undefined);
    expect(access.credentials.authenticate('token', door.token)).not.to.equal(undefined);
  });

  test('are named by their tokens even if they come through a proxy and are not stored here', async (fixture) => {
    const { access } = fixture;
    const byProxy = { role: 'admin', name: 'paula' } as const;
    const { token } = await access.credentials.createToken(byProxy, { label: 'script', role: 'admin' });
    expect(access.credentials.authenticate('token', token)).to.include({
      name: 'token script',
      user: 'paula',
    });
    const { token: another } = await access.credentials.createToken(owner, {
      label: 'console',
      role: 'admin',
    });
    expect(access.credentials.authenticate('token', another)).not.to.have.property('user');
  });

  itWithViewer('stay signed in if they are saved unchanged', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('viewer', PASSWORD, home);
    await fixture.access.users.put(owner, { name: 'viewer', role: 'viewer' });
    expect(fixture.access.credentials.authenticate('session', secret)?.name).to.equal('viewer');
  });

  test('have names that cannot be confused', async (fixture) => {
    const refused = [
      '',
      ' ',
      'a b',
      '-a',
      'a\u0000',
      'a\u202e',
      'a'.repeat(65),
      'anyone',
      'Console',
      'nobody',
      'token x',
      7,
      null,
    ];
    for (const name of refused) {
      expect(await codeOf(fixture.access.users.put(owner, { name })), String(name)).to.equal('INVALID_USER');
    }
    for (const name of ['a', 'zoë', 'ada@example.org', 'a'.repeat(64), '李']) {
      expect(await codeOf(fixture.access.users.put(owner, { name })), name).to.equal('none');
    }
  });

  test('have one of the existing roles', async (fixture) => {
    for (const role of ['owner', 'nobody', '', null, 1, ['admin']]) {
      await rejectionOf('INVALID_USER', fixture.access.users.put(owner, { name: 'bob', role }));
    }
  });

  test('are 1,000 at most', async (fixture) => {
    for (let n = 1; n < 1_000; n++) await fixture.access.users.put(owner, { name: `user${n}` });
    await rejectionOf('ACCESS_LIMIT_REACHED', fixture.access.users.put(owner, { name: 'one-more' }));
  });
});

describe('tokens', () => {
  test('are 1,000 at most, and a revoked one makes room for another', async (fixture) => {
    const add = () => fixture.access.credentials.createToken(owner, { label: 'board', role: 'device' });
    const { id } = await add();
    for (let n = 1; n < 1_000; n++) await add();
    await rejectionOf('ACCESS_LIMIT_REACHED', add());
    await fixture.access.credentials.revoke(owner, id);
    await add();
  });
});

describe('a password', () => {
  const refused = [
    'short',
    '1234567',
    '12345678',
    '87654321',
    'password',
    'Passwort1!',
    'P@ssw0rd',
    'p4ssw0rd123',
    'tallybook2026',
    'qwertzuiop',
    'aaaaaaaa',
    'abababab',
    'passpass',
    'letmein1',
    'Sommer2026!',
    'ada-lovelace',
    '1ada-lovelace!',
    'x'.repeat(257),
  ];
  const taken = [
    'correct horse battery',
    'ünïcödé',
    'x7$kQ2!p',
    '        .  x y',
    `ab${'xy'.repeat(127)}`,
    'ada-lovelace writes',
  ];

  test('is refused if it is short, too long, tried first, or nearly the name', async (fixture) => {
    for (const password of refused) {
      const change = fixture.access.users.put(owner, { name: 'ada-lovelace', password });
      expect(await codeOf(change), password).to.equal('INVALID_PASSWORD');
    }
  });

  test('is accepted otherwise: no rule demands digits or signs', async (fixture) => {
    for (const password of taken) {
      const change = fixture.access.users.put(owner, { name: 'ada-lovelace', password });
      expect(await codeOf(change), password).to.equal(password.length < 8 ? 'INVALID_PASSWORD' : 'none');
    }
  });

  test('is not in the error that refuses it', async (fixture) => {
    const error = await failureOf(fixture.access.users.put(owner, { name: 'bob', password: 'hunter2' }));
    expect(String(error)).not.to.include('hunter2');
  });

  test('is changed by a user who knows it, which ends the other sessions', async (fixture) => {
    const { access } = fixture;
    const here = await access.passwords.signIn('ada', PASSWORD, home);
    const there = await access.passwords.signIn('ada', PASSWORD, home);
    const change = (current: string): Promise<string> =>
      codeOf(
        access.passwords.change(here.principal, {
          current,
          password: 'another horse',
          address: home.address,
        }),
      );
    expect(await change('wrong horse')).to.equal('SIGN_IN_REFUSED');
    expect(await change(PASSWORD)).to.equal('none');
    expect(access.credentials.authenticate('session', here.secret)?.name).to.equal('ada');
    expect(access.credentials.authenticate('session', there.secret)).to.equal(undefined);
    await rejectionOf('SIGN_IN_REFUSED', access.passwords.signIn('ada', PASSWORD, home));
    await access.passwords.signIn('ada', 'another horse', home);
  });

  test('is not changed by a session alone, nor by a token', async (fixture) => {
    const { access } = fixture;
    const { principal } = await access.passwords.signIn('ada', PASSWORD, home);
    await rejectionOf('NOT_ALLOWED', access.users.put(principal, { name: 'Ada', password: 'another horse' }));
    const { token } = await access.credentials.createToken(principal, { label: 'ada', role: 'admin' });
    for (const by of [access.credentials.authenticate('token', token) ?? anyone, anyone, owner]) {
      const change = access.passwords.change(by, {
        current: PASSWORD,
        password: 'another horse',
        address: '',
      });
      await rejectionOf('NOT_ALLOWED', change);
    }
  });
});

describe('a token', () => {
  test('has its role until it is revoked', async (fixture) => {
    const { access } = fixture;
    const { id, token } = await access.credentials.createToken(owner, { label: 'wall', role: 'kiosk' });
    expect(token).to.match(/^tb_[\w-]{43}$/);
    expect(access.credentials.authenticate('token', token)).to.deep.equal({
      role: 'kiosk',
      name: 'token wall',
      credential: id,
    });
    expect(access.credentials.authenticate('session', token)).to.equal(undefined);
    expect(await access.credentials.revoke(owner, id)).to.equal(true);
    expect(await access.credentials.revoke(owner, id)).to.equal(false);
    expect(access.credentials.authenticate('token', token)).to.equal(undefined);
  });

  it('belongs to the user whose token made it, and is removed with that user, unless it is of a device', async () => {
    await using fixture = await AccessFixture.claimed('desk');
    const { access } = fixture;
    await access.users.put(owner, { name: 'eve', role: 'admin', password: PASSWORD });
    const eve = (await access.passwords.signIn('eve', PASSWORD, home)).principal;
    const first = await access.credentials.createToken(eve, { label: 'first', role: 'admin' });
    const byToken = access.credentials.authenticate('token', first.token);
    expect(byToken).to.include({ name: 'token first', user: 'eve' });
    const second = await access.credentials.createToken(byToken ?? nobody, {
      label: 'second',
      role: 'admin',
    });
    const door = await access.credentials.createToken(byToken ?? nobody, { label: 'door', role: 'device' });
    expect(access.credentials.authenticate('token', second.token)).to.include({
      name: 'token second',
      user: 'eve',
    });
    await access.users.remove(owner, 'eve');
    for (const { token } of [first, second])
      expect(access.credentials.authenticate('token', token)).to.equal(undefined);
    expect(access.credentials.authenticate('token', door.token)).to.include({ name: 'token door' });
  });

  test('ends after its days, and without days never', async (fixture) => {
    const { access, clock } = fixture;
    const short = await access.credentials.createToken(owner, { label: 'short', role: 'viewer', days: 2 });
    const long = await access.credentials.createToken(owner, { label: 'long', role: 'viewer' });
    clock.advance(2 * DAY_MS - 1_000);
    expect(access.credentials.authenticate('token', short.token)).not.to.equal(undefined);
    clock.advance(1_000);
    expect(access.credentials.authenticate('token', short.token)).to.equal(undefined);
    clock.advance(3_000 * DAY_MS);
    expect(access.credentials.authenticate('token', long.token)).not.to.equal(undefined);
  });

  test('has a label of one line, a role, and days within ten years', async (fixture) => {
    const good = { label: 'door', role: 'device' };
    for (const wrong of [
      ...['', ' ', ' door', 'a\nb', 'x'.repeat(101), 7].map((label) => ({ label })),
      ...['owner', undefined].map((role) => ({ role })),
      ...[0, -1, 1.5, 3_661, '30', null, Number.NaN].map((days) => ({ days })),
    ]) {
      const made = fixture.access.credentials.createToken(owner, { ...good, ...wrong });
      expect(await codeOf(made), JSON.stringify(wrong)).to.equal('INVALID_TOKEN');
    }
  });
});

describe('sessions and tokens', () => {
  it('are listed for their users, and all of them for a manager of access, without their secrets', async () => {
    await using fixture = await AccessFixture.claimed('viewer');
    const { access } = fixture;
    const ada = (await access.passwords.signIn('ada', PASSWORD, home)).principal;
    const viewer = (await access.passwords.signIn('viewer', PASSWORD, home)).principal;
    await access.credentials.createToken(owner, { label: 'door', role: 'device' });
    const of = (by: Principal, all: boolean) =>
      access.credentials.list(by, { all }).map(({ kind, user }) => `${kind} ${user ?? '-'}`);
    expect(of(viewer, false)).to.deep.equal(['session viewer']);
    expect(of(viewer, true)).to.deep.equal(['session viewer']);
    expect(of(ada, true)).to.have.members(['session viewer', 'session ada', 'token -']);
    expect(of(owner, false)).to.deep.equal([]);
    expect(JSON.stringify(access.credentials.list(ada, { all: true }))).not.to.include('digest');
  });

  itWithViewer('are revoked by their users, or by a manager of access', async (fixture) => {
    const { access } = fixture;
    const ada = (await access.passwords.signIn('ada', PASSWORD, home)).principal;
    const viewer = (await access.passwords.signIn('viewer', PASSWORD, home)).principal;
    expect(await access.credentials.revoke(viewer, ada.credential ?? '')).to.equal(false);
    expect(await access.credentials.revoke(viewer, viewer.credential ?? '')).to.equal(true);
    const again = (await access.passwords.signIn('viewer', PASSWORD, home)).principal;
    expect(await access.credentials.revoke(ada, again.credential ?? '')).to.equal(true);
  });

  itWithViewer('of a removed user are invalid', async (fixture) => {
    const { secret } = await fixture.access.passwords.signIn('viewer', PASSWORD, home);
    // Like a store that was copied while a service wrote to it.
    fixture.contents.users.delete('viewer');
    await fixture.access.close();
    await fixture.access.open();
    expect(fixture.access.credentials.authenticate('session', secret)).to.equal(undefined);
  });

  test('do not change if the store cannot write', async (fixture) => {
    const { secret, principal } = await fixture.access.passwords.signIn('ada', PASSWORD, home);
    fixture.store.change = () => Promise.reject(new Error('the disk is full'));
    expect(await codeOf(fixture.access.credentials.revoke(principal, principal.credential ?? ''))).to.include(
      'disk is full',
    );
    expect(fixture.access.credentials.authenticate('session', secret)).to.deep.equal(principal);
  });

  test('do not change if the audit trail takes no note, which is reported', async (fixture) => {
    const { notes } = fixture;
    notes.push = () => {
      throw new Error('no notes');
    };
    await fixture.access.passwords.signIn('ada', PASSWORD, home);
    expect(fixture.faults).to.have.lengthOf(1);
  });
});
