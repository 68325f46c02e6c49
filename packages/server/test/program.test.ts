import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { EventStream } from './fixtures/event-stream.js';
import { ServerProcess } from './fixtures/server-process.js';
import { temporaryFolder } from './fixtures/temporary-folder.js';

const pathOf = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

describe('the command line in one file', () => {
  const folder = temporaryFolder();
  let process: ServerProcess | undefined;

  before(() => {
    execFileSync('node', [pathOf('../../tools/bundle.mjs')]);
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

  it('knows its version', async () => {
    const { output, exited } = run('--version');
    await exited;
    expect(output.values.join('')).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
