import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { SystemSecrets } from '@tallybook/system';
import { HttpClient } from '../fixtures/http/http-client.js';
import { program, type TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';
import { Terminal } from '../fixtures/processes/terminal.js';

const PASSWORD = 'a quiet yellow door 9';

describe('The commands of users and tokens', () => {
  const { processes, folder, store, start, serve, inStore } = storedService();

  /** A command in another process, with a password on its standard input. */
  async function withPassword(password: string, ...args: readonly string[]): Promise<TallybookProcess> {
    const command = start(...args, '--password-stdin');
    command.child.stdin.end(`${password}\n`);
    await command.exited;
    return command;
  }

  async function addAda(): Promise<void> {
    const command = await withPassword(PASSWORD, 'user', 'add', 'Ada', '--role', 'admin');
    expect([await command.exited, command.text]).to.deep.equal([0, 'Ada may sign in now, as admin\n']);
  }

  /** An administrator with a sign-in at a provider: setting a password needs another process that can ask for it. */
  async function addAdmin(): Promise<void> {
    const { exitCode } = await inStore('user', 'add', 'Ada', '--role', 'admin', '--no-password');
    expect(exitCode).to.equal(0);
  }

  for (const isRunning of [false, true]) {
    describe(isRunning ? 'while the service runs' : 'while the service does not run', () => {
      beforeEach(async () => {
        if (isRunning) await serve().url();
      });

      it('bind users to an account at the identity provider, and unbind them', async () => {
        await addAdmin();
        expect((await inStore('user', 'add', 'bob', '--role', 'desk', '--provider', 's1')).exitCode).to.equal(
          0,
        );
        expect((await inStore('user', 'add', 'carl', '--role', 'viewer', '--provider')).exitCode).to.equal(0);
        expect((await inStore('user', 'provider', 'ada', 's2')).output).to.match(/knows them as s2\n$/);
        const links = async (): Promise<readonly unknown[]> =>
          (await inStore('user', 'list')).output
            .trim()
            .split('\n')
            .map((line) => line.split(/ {2,}/).at(-1));
        expect(await links()).to.deep.equal(['PROVIDER', 's2', 's1', 'whoever comes first']);
        expect((await inStore('user', 'provider', 'Bob', '--remove')).output).to.match(/^bob does not/);
        expect(await links()).to.deep.equal(['PROVIDER', 's2', 'no', 'whoever comes first']);
        // The subject belongs to ada.
        expect((await inStore('user', 'provider', 'bob', 's2')).exitCode).to.not.equal(0);
      });

      it('add, list, change and remove users', async () => {
        await addAda();
        expect((await inStore('user', 'add', 'bob', '--role', 'viewer', '--no-password')).exitCode).to.equal(
          0,
        );
        expect((await inStore('user', 'role', 'Bob', 'desk')).output).to.match(/^bob is desk now/);
        const { output } = await inStore('user', 'list');
        expect(output.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, 'then')).to.equal(
          'NAME  ROLE   GROUPS  SINCE     PASSWORD  PROVIDER\nada   admin  all     then UTC  yes       no\nbob   desk   all     then UTC  no        no\n'
            .replaceAll('SINCE     ', 'SINCE                 ')
            .replaceAll('then UTC  ', 'then UTC  '),
        );
        expect((await withPassword('another quiet door 8', 'user', 'password', 'bob')).text).to.match(
          /^bob has a new password/,
        );
        expect((await inStore('user', 'remove', 'bob')).output).to.equal('bob is removed\n');
        expect((await inStore('user', 'list')).output).not.to.include('bob');
      });

      it('make tokens with only the secret as the output, list them without it, and revoke them', async () => {
        await addAdmin();
        const add = ['token', 'add', 'front door', '--role', 'device', '--days', '3'];
        const { output, errors } = await inStore(...add);
        expect(output).to.match(/^tb_[\w-]{43}\n$/);
        const [, id = ''] = /^token (\S+) of front door;/.exec(errors) ?? [];
        const listed = (await inStore('token', 'list')).output;
        expect(listed).to.match(new RegExp(`^ID .*\\n${id}  device  never      \\d.* UTC  front door\\n$`));
        expect(listed).not.to.include(output.trim());
        expect((await inStore('token', 'revoke', id)).output).to.equal('the token "front door" is revoked\n');
        expect((await inStore('token', 'list')).output).to.equal('there are no tokens\n');
      });

      it('describe mistakes', async () => {
        await addAdmin();
        const adding = ['user', 'add', 'ADA', '--role', 'desk', '--no-password'];
        const wrong: readonly (readonly [code: number, errors: RegExp, args: readonly string[]])[] = [
          [2, /already; change the role with "tallybook user role"/, adding],
          [2, /there is no user "eve"; "tallybook user list"/, ['user', 'remove', 'eve']],
          [1, /last admin.*\(LAST_ADMIN\)/, ['user', 'remove', 'ada']],
          [2, /there is no token "x"; "tallybook token list"/, ['token', 'revoke', 'x']],
          [2, /Allowed choices are device, station, /, ['token', 'add', 'x', '--role', 'god']],
          [2, /no setup code: the service has users already/, ['setup-code']],
        ];
        for (const [code, pattern, args] of wrong) {
          const { exitCode, output, errors } = await inStore(...args);
          expect([exitCode, output], args.join(' ')).to.deep.equal([code, '']);
          expect(errors).to.match(pattern);
        }
        const short = await withPassword('short', 'user', 'password', 'ada');
        expect([await short.exited, short.text]).to.deep.equal([1, short.text]);
        expect(short.text).to.match(/\(INVALID_PASSWORD\)/);
      });
    });
  }

  it('ask for a password twice on a terminal, without showing it', async () => {
    const add = processes.add(
      new Terminal([program, 'user', 'add', 'ada', '--role', 'admin', '--store', store()]),
    );
    await add.says(/password of ada: /);
    add.type(`${PASSWORD}x\u007F\r`);
    await add.says(/the same again: /);
    add.type(`${PASSWORD}\r`);
    expect(await add.exited).to.equal(0);
    expect(add.text).to.equal('password of ada: \r\nthe same again: \r\nada may sign in now, as admin\r\n');
  });

  for (const [what, second, errors] of [
    ['the two differ', 'something else 7\r', /the two passwords differ; nothing was changed/],
    ['somebody interrupts', '\u0003', /no password was given; nothing was changed/],
  ] as const) {
    it(`change nothing if ${what}`, async () => {
      const add = processes.add(
        new Terminal([program, 'user', 'add', 'ada', '--role', 'admin', '--store', store()]),
      );
      await add.says(/password of ada: /);
      add.type(`${PASSWORD}\r`);
      await add.says(/the same again: /);
      add.type(second);
      expect(await add.exited).to.equal(2);
      expect(add.text).to.match(errors);
      expect(await readdir(folder.path())).to.deep.equal([]);
    });
  }

  it('are done by a running service, like an export and a list of names', async () => {
    const client = new HttpClient(await serve().url());
    await addAda();
    expect((await inStore('export', folder.path('copy.jsonl'))).exitCode).to.equal(0);
    await writeFile(folder.path('people.csv'), '0A0A0A;Ada;Lovelace\n');
    const list = ['import-names', folder.path('people.csv')];
    expect((await inStore(...list, '--dry-run')).output).to.match(/^would change persons in \S+: 1 new/);
    expect((await inStore(...list)).output).to.match(/^changed persons in \S+: 1 new/);
    expect(await readFile(folder.path('copy.jsonl'), 'utf8')).to.match(/"names":0,.*\n$/);
    expect((await inStore('export')).output).to.include('{"kind":"name","id":"0A0A0A","first":"Ada"');
    expect(await client.json('/api/session')).to.include({ access: 'claimed' });
    expect((await inStore('audit', 'verify')).output).to.match(/^the audit trail is sound: [1-9]/);
    expect((await inStore('audit', 'list')).output).to.match(/"console" user-added user="ada"/);
  });

  it('report that a program without a control socket has the store', async () => {
    await serve().url();
    await rm(folder.path('store', 'control.sock'));
    const { exitCode, errors } = await inStore('user', 'list');
    expect(exitCode).to.equal(1);
    expect(errors).to.match(/nothing answers at its control\.sock: stop that program.*\(STORE_LOCKED\)/);
  });
});

describe('A service on a network', () => {
  const { folder, start, serve, inStore } = storedService();
  let server: TallybookProcess;

  /** @returns The URL of the service on this machine. */
  async function urlWith(...args: readonly string[]): Promise<string> {
    server = serve(...args);
    return (await server.url()).replace('0.0.0.0', '127.0.0.1');
  }

  const get = async (url: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.status;
  };

  it('gives nobody access before it is claimed with the setup code, and the code is useless afterwards', async () => {
    const url = await urlWith('--host', '0.0.0.0');
    const [, code = ''] = await server.says(
      /"level":40.*enter the setup code ((?:[0-9A-HJKMNP-TV-Z]{4}-?){3})"/,
    );
    expect((await inStore('setup-code')).output).to.equal(`${code}\n`);
    expect(await new HttpClient(url).json('/api/session')).to.include({
      access: 'unclaimed',
      isInsecure: false,
    });
    expect(await get(`${url}/api/day`)).to.equal(401);
    expect(await get(`${url}/api/nothing`)).to.equal(401);
    const claim = { code: code.toLowerCase(), name: 'ada', password: PASSWORD };
    expect(await new HttpClient(url).post('/api/setup', { ...claim, code: 'AAAA-AAAA-AAAA' })).to.equal(403);
    expect(await new HttpClient(url).post('/api/setup', claim)).to.equal(201);
    expect(await new HttpClient(url).post('/api/setup', claim)).to.equal(409);
    expect(await get(`${url}/api/day`)).to.equal(401);
    await server.says(/the service was claimed/);
    while ((await readdir(folder.path('store'))).includes('setup-code')) await new Promise(setImmediate);
    const { exitCode, errors } = await inStore('setup-code');
    expect([exitCode, errors]).to.deep.equal([2, errors]);
    expect(errors).to.match(/the service has users already/);
  });

  it('is claimed by the first user of the command line', async () => {
    const url = await urlWith('--host', '0.0.0.0');
    const add = start('user', 'add', 'ada', '--role', 'admin', '--password-stdin');
    add.child.stdin.end(PASSWORD);
    expect(await add.exited).to.equal(0);
    expect(await new HttpClient(url).json('/api/session')).to.include({ access: 'claimed' });
    while ((await readdir(folder.path('store'))).includes('setup-code')) await new Promise(setImmediate);
  });

  it('needs a sign-in as soon as it has users, also on loopback and with --insecure', async () => {
    const url = await urlWith('--insecure');
    expect(await get(`${url}/api/readers`)).to.equal(200);
    const added = await inStore('user', 'add', 'ada', '--role', 'admin', '--no-password');
    expect(added.exitCode).to.equal(0);
    expect(await get(`${url}/api/readers`)).to.equal(401);
    server.child.kill('SIGTERM');
    await server.exited;
    expect(await get(`${await urlWith('--insecure')}/api/readers`)).to.equal(401);
    await server.says(/"level":40.*--insecure has no effect/);
  });

  it('writes no secret into its log except the setup code, which is useless after its use', async () => {
    const url = await urlWith('--host', '0.0.0.0', '--log-level', 'trace');
    const [, code = ''] = await server.says(/enter the setup code (\S+)"/);
    const send = (method: string, path: string, body: object, cookie = ''): Promise<Response> =>
      fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', origin: url, cookie },
        body: JSON.stringify(body),
      });
    const claimed = await send('POST', '/api/setup', { code, name: 'ada', password: PASSWORD });
    const cookie = claimed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    await send('POST', '/api/session', { name: 'ada', password: 'the wrong password 1' });
    const { token } = (await (
      await send('POST', '/api/tokens', { label: 'door', role: 'device' }, cookie)
    ).json()) as { token: string };
    await send('POST', '/api/password', { current: PASSWORD, password: 'the next password 2' }, cookie);
    expect(await get(`${url}/api/session`, { authorization: `Bearer ${token}` })).to.equal(200);
    server.child.kill('SIGTERM');
    await server.exited;
    expect(server.text)
      .to.match(/token added/)
      .and.match(/sign-in refused/);
    const secrets = [
      PASSWORD,
      'the wrong password 1',
      'the next password 2',
      token,
      cookie.split('=')[1] ?? '',
    ];
    const digests = secrets.map((secret) => new SystemSecrets().digest(secret));
    for (const secret of [...secrets, ...digests, '$scrypt$']) expect(server.text).not.to.include(secret);
  });
});
