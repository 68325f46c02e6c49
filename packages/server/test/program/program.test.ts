import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { ServerProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const pathOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Whether a package of the server is installed, and runs here. */
function canLoad(name: string): boolean {
  const { status } = spawnSync('node', ['--eval', `require('${name}')`], { cwd: pathOf('') });
  return status === 0;
}

/** What the compiler has made of the sources. */
const manyFiles = pathOf('dist/command-line/program.js');

describe('the command line in one file', () => {
  const folder = temporaryFolder();
  let process: ServerProcess | undefined;

  before(() => {
    // As below `npm start --port 9000`. The built program would refuse to run there.
    const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };
    const env = { ...globalThis.process.env, ...fromNpm, npm_config_port: '9000' };
    execFileSync('node', [pathOf('../../tools/bundle.mjs')], { env });
  });

  afterEach(async () => {
    await process?.kill();
  });

  function run(...args: string[]): ServerProcess {
    process = new ServerProcess([pathOf('bin/tallybook.cjs'), ...args]);
    return process;
  }

  function serve(...args: string[]): ServerProcess {
    return run('serve', '--port', '0', '--store', `level:${folder.path('store')}`, ...args);
  }

  for (const [name, url] of [
    ['serialport', 'serial:/dev/none'],
    ['mqtt', 'mqtt://127.0.0.1:1/tags'],
    ['pcsc-mini', 'pcsc:no such reader'],
  ] as const) {
    it(`finds ${name}, if it is installed, for ${url}`, async () => {
      const doctor = run('doctor', '--reader', url, '--timeout', '100ms');
      await doctor.exited;
      expect(doctor.text.includes('cannot be loaded')).to.equal(!canLoad(name));
    });
  }

  it('has the client of a PostgreSQL inside', async () => {
    const command = run('migrate', '--store', 'postgres://127.0.0.1:1/none');
    await command.exited;
    expect(command.text).to.contain('ECONNREFUSED');
  });

  it('exits with success when its reader takes only the first line', () => {
    // Long help, in pieces, into a pipe that closes after the first line.
    const command = `"${globalThis.process.execPath}" "${pathOf('bin/tallybook.cjs')}" serve --help | head -1; echo "\${PIPESTATUS[*]}"`;
    const said = execFileSync('bash', ['-c', `${command} 2>&1`], { encoding: 'utf8' });
    expect(said.split('\n')).to.deep.equal([said.split('\n')[0], '0 0', '']);
    expect(said).to.match(/^Usage: .* serve/);
  });

  it('records, accepts names, and stops on request', async () => {
    const server = serve();
    const url = await server.url();
    const stream = await EventStream.open(url);
    server.tap('04A2B3C4D5');
    expect(JSON.parse(await stream.data('attendance'))).to.include({ outcome: 'counted' });
    const { status } = await fetch(`${url}/api/mapping`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: '04A2B3C4D5', name: { first: 'Ada', last: 'Lovelace' } }),
    });
    expect(status).to.equal(201);
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
  });

  it('reads bodies of all kinds, with the bundled part of koa-body', async () => {
    const url = await serve().url();
    const post = async (path: string, body: string | FormData, type = {}): Promise<number> =>
      (await fetch(url + path, { method: 'POST', body, headers: type })).status;
    const json = { 'content-type': 'application/json' };
    const form = new FormData();
    form.append('people', new File(['id;first;last\n0A0A0A;Ad\u00e9;L\n'], 'people.csv'));
    expect(await post('/api/people', form)).to.equal(200);
    expect(await post('/api/people', 'id;first\n0B0B0B;B\n', { 'content-type': 'text/csv' })).to.equal(200);
    expect(await post('/api/mapping', `"${'x'.repeat(20_000)}"`, json)).to.equal(413);
    expect(await post('/api/mapping', 'no JSON', json)).to.equal(400);
    expect(await post('/api/mapping', '{}', { ...json, 'content-encoding': 'gzip' })).to.equal(415);
    const names = await (await fetch(`${url}/api/mapping`)).json();
    expect(names).to.deep.equal({
      '0A0A0A': { first: 'Ad\u00e9', last: 'L' },
      '0B0B0B': { first: 'B', last: '' },
    });
  });

  it('marks the same names as formulas as the sources do, on every version of Node', async () => {
    const server = serve();
    const url = await server.url();
    const stream = await EventStream.open(url);
    const formulas = ['\uFF1D1+1', '\uFF0B1', '\uFF20A', '\uFE66A', '\u22121', '=1'];
    const names = [...formulas, '\u00E2ge', '\u00BF?'];
    const headers = { 'content-type': 'application/json' };
    for (const [at, first] of names.entries()) {
      const body = JSON.stringify({ id: `0A0A0${at}`, name: { first, last: '' } });
      await fetch(`${url}/api/mapping`, { method: 'POST', headers, body });
      server.tap(`0A0A0${at}`);
    }
    await stream.data('attendance', names.length);
    const now = Math.floor(Date.now() / 1_000);
    const csv = await (await fetch(`${url}/api/csv?from=${now - 86_400}&to=${now}`)).text();
    expect(names.filter((name) => csv.includes(name))).to.deep.equal(names);
    expect(names.filter((name) => csv.includes(`'${name}`))).to.deep.equal(formulas);
  });

  it('prints no deprecation warnings of Node, for all targets of requests', async () => {
    const server = new ServerProcess(
      [pathOf('bin/tallybook.cjs'), 'serve', '--port', '0', '--store', 'memory:'],
      { NODE_PENDING_DEPRECATION: '1' },
    );
    process = server;
    const { port, origin } = new URL(await server.url());
    const statusOf = async (method: string, target: string): Promise<number | undefined> => {
      const sent = request({ port, method, path: target }).end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await statusOf('GET', `${origin}/api/time?x`)).to.equal(200);
    expect(await statusOf('GET', '/api/time?x#y')).to.equal(200);
    expect(await statusOf('OPTIONS', '*')).to.equal(404);
    server.child.kill('SIGTERM');
    await server.exited;
    expect(/.*DEP\d+.*/.exec(server.text)?.[0]).to.equal(undefined);
  });

  it('loads little for the first body, because others wait during that turn', () => {
    expect(statSync(pathOf('program/koa-body.js')).size).to.be.below(250_000);
  });

  it('finds packages with native parts', async () => {
    const server = serve('--reader', `serial:${folder.path('no-line')}`);
    await server.url();
    await server.says(/READER_DISCONNECTED/);
    expect(server.text).not.to.include('cannot be loaded');
  });

  it('does not contain the path of the checkout, which may be moved or copied', () => {
    const code = readFileSync(pathOf('program/command-line.js'), 'utf8');
    expect(code).not.to.contain(pathOf('../../'));
    expect(code).not.to.match(/require\("[^"]*node_modules/);
  });

  it('does not bundle packages with native parts', () => {
    const code = readFileSync(pathOf('program/command-line.js'), 'utf8');
    expect(code).to.contain('import(`pcsc-mini`)').and.to.contain('require("classic-level/binding.js")');
    const serial = readFileSync(pathOf('program/serialport.js'), 'utf8');
    expect(serial).to.contain('require("@serialport/bindings-cpp")');
    expect(readdirSync(pathOf('program')).filter((name) => name.endsWith('.node'))).to.deep.equal([]);
  });

  it('has lazy imports in separate files', () => {
    expect(readFileSync(pathOf('program/command-line.js'), 'utf8')).to.contain('require("./smol-toml.js")');
    expect(readdirSync(pathOf('program'))).to.include('smol-toml.js');
  });

  it('has no other characters than ASCII, for which V8 would need twice the memory', () => {
    const names = readdirSync(pathOf('program')).filter((name) => name.endsWith('.js'));
    const isPlain = (name: string): boolean =>
      !/[^\0-\x7F]/.test(readFileSync(pathOf(`program/${name}`), 'utf8'));
    expect(names.filter((name) => !isPlain(name))).to.deep.equal([]);
  });

  it('keeps the names of functions and classes, for stacks and the log', () => {
    const code = readFileSync(pathOf('program/command-line.js'), 'utf8');
    expect(code).to.contain('TallybookError=class');
    // Inside the function that the bundler makes of a module.
    expect(code).to.match(/\{var CommanderError\d*=class/);
    // Invisible names are short.
    expect(code).to.match(/function openLevel\(\w,/);
  });

  it('contains the licenses of its bundled packages', () => {
    const text = readFileSync(pathOf('program/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['koa', 'inversify', 'classic-level', 'smol-toml']) {
      expect(text).to.match(new RegExp(`^${name} \\d`, 'm'));
    }
    expect(text).not.to.contain('@tallybook/');
  });

  it('is run by the start of the checkout, with "serve" only if no other command is named', async () => {
    const start = (...args: string[]): Promise<number | null> => {
      process = new ServerProcess([pathOf('../../tools/run.mjs'), 'start', ...args]);
      return process.exited;
    };
    expect(await start('doctor', '--json')).to.equal(0);
    expect(process?.text).to.contain('"title":"Serial lines"');
    expect(await start('--port', 'none')).to.equal(2);
    expect(process?.text).to.contain('--port: ');
  });

  it('has the same types of answers as the command line in many files', async () => {
    const requests: readonly (readonly [path: string, accept: string])[] = [
      ['/api/time', 'text/plain'],
      ['/api/time', 'application/json'],
      ['/api/readers', '*/*'],
      ['/api/mapping', '*/*'],
      ['/api/openapi.json', '*/*'],
      ['/api/none', 'text/plain'],
      ['/api/none', 'application/json'],
    ];
    const typesOf = async (server: ServerProcess): Promise<readonly string[]> => {
      const url = await server.url();
      return Promise.all(
        requests.map(async ([path, accept]) => {
          const { status, headers } = await fetch(url + path, { headers: { accept } });
          return `${path} ${status} ${headers.get('content-type')}`;
        }),
      );
    };
    const inManyFiles = new ServerProcess([manyFiles, 'serve', '--port', '0', '--store', 'memory:']);
    try {
      expect(await typesOf(serve())).to.deep.equal(await typesOf(inManyFiles));
    } finally {
      await inManyFiles.kill();
    }
  });

  it('serves the page with all of its files', async () => {
    const url = await serve().url();
    const html = await (await fetch(`${url}/`)).text();
    const targets = [...html.matchAll(/(?:src|href)="(\.\/(?:assets|icon)[^"]*)"/g)].map(
      ([, target]) => target,
    );
    expect(targets).to.have.length.above(2);
    for (const target of targets) {
      const { status, headers } = await fetch(new URL(target ?? '', `${url}/`), {
        headers: { 'Accept-Encoding': 'br' },
      });
      const length = Number(headers.get('content-length'));
      expect(status).to.equal(200);
      // Answers smaller than a packet are not compressed.
      if (length > 1_500) expect(headers.get('content-encoding'), target).to.equal('br');
    }
  });

  it('knows its version', async () => {
    const { output, exited } = run('--version');
    await exited;
    expect(output.values.join('')).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
