import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { TallybookProcess, type ServerProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const WIEGAND = 'wiegand:gpiochip0?d0=17&d1=18&name=door';
const LAMP = 'gpio:gpiochip0?green=22&name=lamp';

describe('without the programs that devices need', () => {
  const folder = temporaryFolder();
  let server: ServerProcess;

  /** Starts the service with an empty search path for programs. */
  function serve(...args: readonly string[]): void {
    mkdirSync(folder.path('bin'), { recursive: true });
    const all = ['serve', '--port', '0', '--store', 'memory:', ...args];
    server = TallybookProcess.with({ PATH: folder.path('bin') }, ...all);
  }

  afterEach(() => server.kill());

  it('the other readers record, and the missing program is in the log and in the state of the reader', async () => {
    serve('--reader', WIEGAND, '--reader', 'stdin:?name=desk', '--indicator', LAMP);
    const url = await server.url();
    const stream = await EventStream.open(url);
    server.tap('04A2B3C4D5');
    expect(JSON.parse(await stream.data('attendance'))).to.include({ outcome: 'counted', reader: 'desk' });
    stream.close();
    const readers = (await (await fetch(`${url}/api/readers`)).json()) as readonly object[];
    expect(readers[0]).to.deep.include({
      name: 'door',
      connection: 'waiting',
      faults: { INVALID_OPTION: 1 },
    });
    expect(readers[0])
      .to.have.property('lastFault')
      .that.has.property('message')
      .that.matches(/gpiomon is not installed/);
    const { text } = server;
    expect(text).to.match(/"level":50,.*"reader":"door","code":"INVALID_OPTION","msg":"gpiomon is not .*apt/);
    expect(text).to.match(/"level":50,.*"output":"lamp","code":"INVALID_OPTION","msg":"gpioset is not .*apt/);
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
  });

  it('the start fails with 2 if no reader could be opened', async () => {
    serve('--reader', WIEGAND, '--reader', 'hid:/dev/input/by-id/reader-event-kbd');
    expect(await server.exited).to.equal(2);
    expect(server.text).to.match(/^tallybook: gpiomon is not installed/);
    expect(server.text).to.contain('evtest is not installed').and.not.to.contain('listening on');
  });
});
