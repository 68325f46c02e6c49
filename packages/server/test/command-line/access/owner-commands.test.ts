import { TallybookError } from '@tallybook/domain';
import { expect } from 'chai';
import {
  addToken,
  forgetStation,
  listPasskeys,
  listStations,
  listTokens,
  removePasskey,
  revokeToken,
} from '../../../src/command-line/access/access-commands.js';
import {
  addUser,
  listUsers,
  removeUser,
  setLink,
  setPassword,
  setRole,
} from '../../../src/command-line/access/user-commands.js';
import type { OwnerClient } from '../../../src/control/owner-client.js';
import { failureOf } from '../../fixtures/failure-of.js';

/** 2025-11-21T04:40:00Z. */
const AT = 1_763_700_000;

/** A service that answers one path with a list, and records all other requests. */
function owned(
  path: string,
  list: readonly object[],
): { readonly client: OwnerClient; readonly asked: string[] } {
  const asked: string[] = [];
  const client: Pick<OwnerClient, 'get' | 'post' | 'delete'> = {
    get: <T>(from: string) => {
      expect(from).to.equal(path);
      return Promise.resolve(list as T);
    },
    post: <T>(to: string, body: object) => {
      asked.push(`POST ${to} ${JSON.stringify(body)}`);
      return Promise.resolve({ id: 'new', token: 'secret' } as T);
    },
    delete: (of) => {
      asked.push(`DELETE ${of}`);
      return Promise.resolve();
    },
  };
  return { client: client as OwnerClient, asked };
}

describe('The commands of passkeys', () => {
  const all = '/api/passkeys?all=1';
  const passkeys = [
    { id: 'a b', user: 'ada', host: 'tally.example', label: 'phone', lastUsed: 20_413 },
    { id: 'c', user: 'bob', host: 'localhost', label: 'key', lastUsed: null },
  ];

  it('list the user, the last use and the host of each', async () => {
    expect(await listPasskeys(owned(all, passkeys).client)).to.deep.equal([
      'ID   USER  LAST USED   FOR            LABEL',
      'a b  ada   2025-11-21  tally.example  phone',
      'c    bob   never       localhost      key',
    ]);
    expect(await listPasskeys(owned(all, []).client)).to.deep.equal(['there are no passkeys']);
  });

  it('remove one by its id, and reject an unknown id', async () => {
    const { client, asked } = owned(all, passkeys);
    expect(await removePasskey(client, 'a b')).to.equal(
      'the passkey "phone" of ada is removed, and ada is signed out',
    );
    expect(await failureOf(removePasskey(client, 'phone'), 'INVALID_OPTION')).to.equal(
      'there is no passkey "phone"; "tallybook passkey list" has their ids',
    );
    expect(asked).to.deep.equal(['DELETE /api/passkeys?id=a%20b']);
  });
});

describe('The commands of tokens', () => {
  const all = '/api/credentials?all=1';
  const credentials = [
    { id: 'a b', kind: 'token', role: 'kiosk', label: 'wall', expiresAt: AT, lastUsed: 20_413 },
    { id: 'c', kind: 'token', role: 'device', label: 'gate', expiresAt: null, lastUsed: null },
    { id: 'd', kind: 'session', role: 'admin', label: 'Firefox', expiresAt: AT, lastUsed: 20_413 },
  ];

  it('make one with its label', async () => {
    const { client, asked } = owned(all, []);
    expect(await addToken(client, { label: 'wall', role: 'kiosk', days: 30 })).to.deep.equal({
      id: 'new',
      token: 'secret',
    });
    expect(asked).to.deep.equal(['POST /api/tokens {"label":"wall","role":"kiosk","days":30}']);
  });

  it('list tokens without sessions, with their last use and their end', async () => {
    expect(await listTokens(owned(all, credentials).client)).to.deep.equal([
      'ID   ROLE    LAST USED   ENDS                  LABEL',
      'a b  kiosk   2025-11-21  2025-11-21 04:40 UTC  wall',
      'c    device  never       never                 gate',
    ]);
    const sessions = credentials.slice(2);
    expect(await listTokens(owned(all, sessions).client)).to.deep.equal(['there are no tokens']);
  });

  it('end a token or a session by its id, and reject an unknown id', async () => {
    const { client, asked } = owned(all, credentials);
    expect(await revokeToken(client, 'a b')).to.equal('the token "wall" is revoked');
    expect(await revokeToken(client, 'd')).to.equal('the session "Firefox" is revoked');
    expect(await failureOf(revokeToken(client, 'wall'), 'INVALID_OPTION')).to.equal(
      'there is no token "wall"; "tallybook token list" has their ids',
    );
    expect(asked).to.deep.equal(['DELETE /api/credentials?id=a%20b', 'DELETE /api/credentials?id=d']);
  });
});

describe('The commands of stations', () => {
  const station = {
    ...{ name: 'hall 1', version: '1.2.3', heardAt: AT, waiting: 3, oldestWaitingAt: AT - 60 },
    ...{ provisional: 2, isClockTrusted: false },
    refused: [{ at: AT - 120, code: 'DAY_NOT_KEPT', message: 'too old' }],
  };
  const well = {
    ...{ ...station, name: 'gate', waiting: 0, oldestWaitingAt: null, provisional: 0 },
    ...{ isClockTrusted: true, refused: [] },
  };

  it('list the state of each, and below it its refused items', async () => {
    expect(await listStations(owned('/api/stations', [station, well]).client)).to.deep.equal([
      'STATION  HEARD                 WAITING  SINCE                 PROVISIONAL  CLOCK     REFUSED  RELEASE',
      'hall 1   2025-11-21 04:40 UTC  3        2025-11-21 04:39 UTC  2            doubtful  1        1.2.3',
      'gate     2025-11-21 04:40 UTC  0        -                     0            right     0        1.2.3',
      'hall 1, refused 2025-11-21 04:38 UTC: too old (DAY_NOT_KEPT)',
    ]);
    expect(await listStations(owned('/api/stations', []).client)).to.deep.equal([
      'no station has sent anything yet',
    ]);
  });

  it('forget one by its name, and reject an unknown name', async () => {
    const { client, asked } = owned('/api/stations', [station, well]);
    expect(await forgetStation(client, 'hall 1')).to.match(/^"hall 1" is off the list; its record stays/);
    expect(await failureOf(forgetStation(client, 'hall'), 'INVALID_OPTION')).to.match(
      /^there is no station "hall"/,
    );
    expect(asked).to.deep.equal(['DELETE /api/stations?name=hall%201']);
  });
});

describe('The commands of users', () => {
  const users = [
    { name: 'ada', role: 'admin', groups: [], createdAt: AT, hasPassword: true, provider: null },
    {
      name: 'bob',
      role: 'desk',
      groups: ['7b', '7c'],
      createdAt: AT,
      hasPassword: false,
      provider: { subject: 's1', grantsRole: true },
    },
    {
      name: 'zoë',
      role: 'desk',
      groups: [],
      createdAt: AT,
      hasPassword: false,
      provider: { subject: null, grantsRole: false },
    },
  ];
  const begin = (): ReturnType<typeof owned> => owned('/api/users', users);

  it('list when each was made, and how each signs in', async () => {
    expect(await listUsers(begin().client)).to.deep.equal([
      'NAME  ROLE   GROUPS  SINCE                 PASSWORD  PROVIDER',
      'ada   admin  all     2025-11-21 04:40 UTC  yes       no',
      'bob   desk   7b, 7c  2025-11-21 04:40 UTC  no        s1, which gives the role',
      'zoë   desk   all     2025-11-21 04:40 UTC  no        whoever comes first',
    ]);
    expect(await listUsers(owned('/api/users', []).client)).to.deep.equal(['there are no users']);
  });

  it('add a user with a password or with the identity provider', async () => {
    const { client, asked } = begin();
    expect(await addUser(client, 'Carl', { role: 'desk', password: 'secret' })).to.equal(
      'Carl may sign in now, as desk',
    );
    await addUser(client, 'carl', { role: 'desk', password: undefined, link: true });
    await addUser(client, 'carl', { role: 'desk', password: undefined, link: 's2' });
    expect(asked).to.deep.equal([
      'POST /api/users {"name":"Carl","role":"desk","password":"secret","isNew":true}',
      'POST /api/users {"name":"carl","role":"desk","provider":true,"isNew":true}',
      'POST /api/users {"name":"carl","role":"desk","subject":"s2","isNew":true}',
    ]);
  });

  it('reject a known user, and name the commands that change one', async () => {
    const post = (): Promise<never> =>
      Promise.reject(new TallybookError('USER_EXISTS', 'there is a user "ada" already'));
    const client = { post } as Pick<OwnerClient, 'post'> as OwnerClient;
    expect(
      await failureOf(addUser(client, 'ADA', { role: 'desk', password: 'secret' }), 'INVALID_OPTION'),
    ).to.equal(
      'there is a user "ada" already; change the role with "tallybook user role", the password with "tallybook user password"',
    );
  });

  it('reject a user with the reason of the service', async () => {
    const refused = new TallybookError('INVALID_PASSWORD', 'the password is too common');
    const post = (): Promise<never> => Promise.reject(refused);
    const client = { post } as Pick<OwnerClient, 'post'> as OwnerClient;
    expect(
      await addUser(client, 'eve', { role: 'desk', password: 'secret' }).catch((error: unknown) => error),
    ).to.equal(refused);
  });

  it('change a role, a password and the identity provider of a user, and remove a user', async () => {
    const { client, asked } = begin();
    expect(await setRole(client, 'Ada', 'desk')).to.equal('ada is desk now, and has to sign in again');
    expect(await setPassword(client, 'Ada', 'secret')).to.equal(
      'ada has a new password, and has to sign in again; their tokens stay: --end-tokens ends them',
    );
    expect(await setPassword(client, 'Ada', 'secret', true)).to.contain('; their tokens have ended');
    expect(await setLink(client, 'Ada', 's2')).to.equal(
      'ada signs in at the identity provider, which knows them as s2',
    );
    expect(await setLink(client, 'Ada', true)).to.equal(
      'the first person from the identity provider with the name ada becomes this user',
    );
    expect(await setLink(client, 'Bob', false)).to.equal(
      'bob does not sign in at the identity provider any more',
    );
    expect(await removeUser(client, 'Zoë')).to.equal('zoë is removed');
    expect(asked).to.deep.equal([
      'POST /api/users {"name":"ada","role":"desk"}',
      'POST /api/users {"name":"ada","password":"secret"}',
      'POST /api/users {"name":"ada","password":"secret","endTokens":true}',
      'POST /api/users {"name":"ada","subject":"s2"}',
      'POST /api/users {"name":"ada","provider":true}',
      'POST /api/users {"name":"bob","provider":false}',
      'DELETE /api/users?name=zo%C3%AB',
    ]);
  });

  it('bind a user to groups by their names, and to none', async () => {
    const { client, asked } = begin();
    const choice = { role: 'desk', groups: ['7B', '1st  Squad'], password: undefined };
    expect(await addUser(client, 'carl', choice)).to.equal(
      'carl may sign in now, as desk for 7B, 1st  Squad only',
    );
    expect(await setRole(client, 'bob', 'viewer', ['Chor Ä'])).to.equal(
      'bob is viewer now for Chor Ä only, and has to sign in again',
    );
    expect(await setRole(client, 'bob', 'desk', false)).to.equal(
      'bob is desk now for everybody, and has to sign in again',
    );
    expect(asked).to.deep.equal([
      'POST /api/users {"name":"carl","role":"desk","groups":["7b","1st squad"],"isNew":true}',
      'POST /api/users {"name":"bob","role":"viewer","groups":["chor a"]}',
      'POST /api/users {"name":"bob","role":"desk","groups":[]}',
    ]);
  });

  it('reject a change of an unknown user', async () => {
    const { client, asked } = begin();
    for (const change of [
      setRole(client, 'eve', 'desk'),
      setPassword(client, 'eve', 'secret'),
      setLink(client, 'eve', true),
      removeUser(client, 'eve'),
    ])
      expect(await failureOf(change, 'INVALID_OPTION')).to.equal(
        'there is no user "eve"; "tallybook user list" has them all',
      );
    expect(asked).to.deep.equal([]);
  });
});
