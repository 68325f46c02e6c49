import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createContext, runInContext } from 'node:vm';
import { Emitter } from '@tallybook/domain';
import { Recorder } from '@tallybook/testing';
import { expect } from 'chai';
import { HeldPort } from '../../../testing/test/fixtures/held-port.js';
import { isInstalled } from '../fixtures/processes/is-installed.js';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const guide = readFileSync(
  new URL('../../../../docs/how-to/send-scans-over-http.md', import.meta.url),
  'utf8',
);
const EXAMPLE = 'http://tallybook.local:8080';
const ADA = '04A2B3C4D5';
const BUTTON = '60:ef:ab:42:12:34';

/** The program in the guide for a language, adapted to a service. */
function programOf(language: string, url: string): string {
  const [, program = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(guide) ?? [];
  expect(program).to.contain(EXAMPLE);
  return program.replaceAll(EXAMPLE, url);
}

describe('the guide to sending scans over HTTP', () => {
  const folder = temporaryFolder();
  const endings: (() => Promise<unknown>)[] = [];
  let held: HeldPort;
  let server: TallybookProcess;
  let url: string;

  async function serve(): Promise<void> {
    server = new TallybookProcess(
      ...['serve', '--port', String(held.port), '--store', `level:${folder.path('store')}`],
      // So long that a second tap is always a repeat.
      ...['--reader', 'http:gate', '--reader', 'http:hall', '--repeat-window', '1d'],
      ...['--clock', 'trusted', ...noMidnight()],
    );
    url = await server.url();
  }

  beforeEach(async () => {
    held = await HeldPort.take();
    await serve();
  });

  afterEach(async () => {
    for (const end of endings.splice(0)) await end();
    await server.kill();
    await held[Symbol.asyncDispose]();
  });

  async function recorded(): Promise<string[]> {
    const response = await fetch(`${url}/api/day?timestamp=${Math.floor(Date.now() / 1000)}`);
    return response.ok ? ((await response.json()) as { ids: string[] }).ids : [];
  }

  it('has a working command for curl', async function () {
    if (!isInstalled('curl')) this.skip('curl is not installed');
    const command = /^(curl .*?\n.*?)\n```/ms.exec(guide)?.[1] ?? '';
    const answer = execFileSync('sh', ['-c', command.replace(EXAMPLE, url)], { stdio: 'pipe' }).toString();
    const [, shown = ''] = /```json\n(.*?)\n```/s.exec(guide) ?? [];
    expect(JSON.parse(answer)).to.deep.equal(JSON.parse(shown));
    expect(await recorded()).to.deep.equal([ADA]);
  });

  it('has a program in Python that keeps scans while the service is away, and sends each once', async function () {
    if (!isInstalled('python3')) this.skip('python3 is not installed');
    await writeFile(
      folder.path('push.py'),
      programOf('python', url).replace('time.sleep(5)', 'time.sleep(0.2)'),
    );
    const start = (): {
      readonly said: Recorder<string>;
      readonly type: (id: string) => void;
      end(): Promise<void>;
    } => {
      const child = spawn('python3', ['push.py'], { cwd: folder.path() });
      const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
      const lines = new Emitter<string>();
      for (const input of [child.stdout, child.stderr]) {
        createInterface({ input }).on('line', (line) => lines.emit(line));
      }
      const end = async (): Promise<void> => {
        child.kill('SIGKILL');
        await exited;
      };
      endings.push(end);
      return { said: new Recorder(lines, 30_000), type: (id) => void child.stdin.write(`${id}\n`), end };
    };
    const first = start();
    first.type(ADA);
    await first.said.find('counted', (line) => line === "['counted']");
    await server.kill();
    first.type('0006547886');
    await first.said.find('an error', (line) => line.includes('refused') || line.includes('reset'));
    await first.end();
    expect(JSON.parse(await readFile(folder.path('scans.json'), 'utf8')))
      .to.have.property('scans')
      .with.length(1);
    await serve();
    const second = start();
    await second.said.find('counted', (line) => line === "['counted']");
    expect(await recorded()).to.deep.equal([ADA, '0006547886']);
    expect(second.said.values.filter((line) => line.includes('refused'))).to.deep.equal([]);
  });

  it('has a script for Shelly that sends unaccepted scans once', async () => {
    const calls = new Emitter<string>();
    const called = new Recorder(calls, 30_000);
    let hear: (event: number, found: { addr: string }) => void = () => undefined;
    let again: () => void = () => undefined;
    let isAway = true;
    const shelly = {
      getUptimeMs: () => Math.floor(performance.now()),
      call: (
        method: string,
        request: { method: string; url: string; headers: Record<string, string>; body: string },
        done: (answer: { code: number } | undefined, error: number) => void,
      ): void => {
        expect(method).to.equal('HTTP.Request');
        if (isAway) {
          done(undefined, -104);
          calls.emit('away');
          return;
        }
        const { url: target, ...init } = request;
        void fetch(target, init).then(async (response) => {
          const { results } = (await response.json()) as { results: { outcome: string }[] };
          done({ code: response.status }, 0);
          calls.emit(results.map(({ outcome }) => outcome).join());
        });
      },
    };
    const context = createContext({
      Shelly: shelly,
      Timer: { set: (_ms: number, _isRepeated: boolean, work: () => void) => (again = work) },
      BLE: {
        Scanner: {
          SCAN_RESULT: 2,
          INFINITE_SCAN: -1,
          Subscribe: (listener: typeof hear) => (hear = listener),
          Start: () => undefined,
        },
      },
    });
    runInContext(programOf('js', url), context);
    hear(2, { addr: BUTTON });
    hear(2, { addr: '00:11:22:33:44:55' });
    hear(1, { addr: BUTTON });
    await called.find('away', (what) => what === 'away');
    isAway = false;
    again();
    await called.find('counted', (what) => what === 'counted');
    hear(2, { addr: BUTTON });
    await called.count(3);
    again();
    expect(called.values).to.deep.equal(['away', 'counted', 'repeated']);
    expect(await recorded()).to.deep.equal(['60EFAB421234']);
  });
});
