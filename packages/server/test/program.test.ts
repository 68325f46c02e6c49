import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { EventStream } from './fixtures/event-stream.js';
import { ServerProcess, TallybookProcess } from './fixtures/server-process.js';
import { temporaryFolder } from './fixtures/temporary-folder.js';

const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

describe('the command line in one file', () => {
  const folder = temporaryFolder();
  let process: ServerProcess | undefined;

  before(() => {
    // As below `npm start --port 9000`, where the program that is made would refuse to run.
    const fromNpm = { npm_lifecycle_event: 'start', npm_package_name: 'tallybook-monorepo' };
    const env = { ...globalThis.process.env, ...fromNpm, npm_config_port: '9000' };
    execFileSync('node', [pathOf('../../tools/bundle.mjs')], { env });
  });

  afterEach(async () => {
    await process?.kill();
  });

  function run(...args: string[]): ServerProcess {
    process = new ServerProcess([pathOf('program/tallybook.js'), ...args]);
    return process;
  }

  function serve(...args: string[]): ServerProcess {
    return run('serve', '--port', '0', '--store', `level:${folder.path('store')}`, ...args);
  }

  for (const url of ['serial:/dev/none', 'mqtt://127.0.0.1:1/tags', 'pcsc:no such reader']) {
    it(`finds the package that ${url} needs, if it is installed`, async () => {
      const args = ['doctor', '--reader', url, '--timeout', '1s'];
      const inManyFiles = new TallybookProcess(...args);
      const inOneFile = run(...args);
      expect(await inOneFile.exited).to.equal(await inManyFiles.exited);
      expect(inOneFile.text.includes('cannot be loaded')).to.equal(
        inManyFiles.text.includes('cannot be loaded'),
      );
    });
  }

  it('records, takes names, and stops when it is asked to', async () => {
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

  it('finds what has native parts', async () => {
    const server = serve('--reader', `serial:${folder.path('no-line')}`);
    await server.url();
    await server.says(/READER_DISCONNECTED/);
    expect(server.text).not.to.include('cannot be loaded');
  });

  it('does not name the folder of the checkout, which may be moved or copied', () => {
    const code = readFileSync(pathOf('program/command-line.js'), 'utf8');
    expect(code).to.match(/require\("(?:\.\.\/)+node_modules\/.*serialport.*"\)/);
    expect(code).not.to.contain(pathOf('../../'));
  });

  it('is what the start of the checkout runs, and "serve" only if no other command is named', async () => {
    const start = (...args: string[]): Promise<number | null> => {
      process = new ServerProcess([pathOf('../../tools/run.mjs'), 'start', ...args]);
      return process.exited;
    };
    expect(await start('doctor', '--json')).to.equal(0);
    expect(process?.text).to.contain('"title":"Serial lines"');
    expect(await start('--port', 'none')).to.equal(2);
    expect(process?.text).to.contain('--port: ');
  });

  it('answers with the same types as the command line in many files', async () => {
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
    const inManyFiles = new TallybookProcess('serve', '--port', '0', '--store', 'memory:');
    try {
      expect(await typesOf(serve())).to.deep.equal(await typesOf(inManyFiles));
    } finally {
      await inManyFiles.kill();
    }
  });

  it('serves the page, with everything that it names', async () => {
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
      expect([status, headers.get('content-encoding')]).to.deep.equal([
        200,
        target?.startsWith('./assets') === true ? 'br' : null,
      ]);
    }
  });

  /** Has a program say its version, and then whether it was compiled anew. */
  function sayVersion(program: string): string {
    const code = `console.log(require(${JSON.stringify(`${program}/tallybook.js`)}).isCompiledAnew)`;
    return execFileSync('node', ['--eval', code, 'tallybook', '--version'], { encoding: 'utf8' });
  }

  it('starts with what was compiled when it was made', () => {
    expect(sayVersion(pathOf('program')).split('\n')).to.include('false');
  });

  it('is compiled anew when it was compiled by another Node', () => {
    const program = folder.path('program');
    cpSync(pathOf('program'), program, { recursive: true });
    cpSync(pathOf('package.json'), folder.path('package.json'));
    const compiled = readFileSync(`${program}/command-line.compiled`).subarray(4);
    // Behind a number that tells that it is V8's stands the version of V8.
    compiled.writeUInt8(compiled.readUInt8(4) ^ 1, 4);
    const checksum = Buffer.alloc(4);
    checksum.writeUInt32BE(crc32(compiled, crc32(readFileSync(`${program}/command-line.js`))));
    writeFileSync(`${program}/command-line.compiled`, Buffer.concat([checksum, compiled]));
    expect(sayVersion(program).split('\n')).to.include('true');
  });

  const compiledFiles: Readonly<Record<string, (compiled: Buffer) => Buffer | undefined>> = {
    'is something else': (compiled) => Buffer.alloc(compiled.length, 'x'),
    'has a block of zeros': (compiled) => compiled.fill(0, 40 * 4_096, 41 * 4_096),
    'is cut': (compiled) => compiled.subarray(0, compiled.length / 2),
    'is empty': () => Buffer.alloc(0),
    'is missing': () => undefined,
  };
  for (const [what, change] of Object.entries(compiledFiles)) {
    it(`starts all the same when what was compiled ${what}`, async () => {
      cpSync(pathOf('program'), folder.path('program'), { recursive: true });
      cpSync(pathOf('package.json'), folder.path('package.json'));
      const path = folder.path('program/command-line.compiled');
      const compiled = change(readFileSync(path));
      if (compiled === undefined) rmSync(path);
      else writeFileSync(path, compiled);
      process = new ServerProcess([folder.path('program/tallybook.js'), '--version']);
      const { output, exited } = process;
      expect(await exited).to.equal(0);
      expect(output.values.join('')).to.match(/^\d+\.\d+\.\d+\n$/);
    });
  }

  it('knows its version', async () => {
    const { output, exited } = run('--version');
    await exited;
    expect(output.values.join('')).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
