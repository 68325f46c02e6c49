import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { installProgramWith } from '../../../tools/packages/packing.mjs';

const NAME = '@tallybook-examples/reader-package';
const example = fileURLToPath(new URL('..', import.meta.url));

describe('the reader package beside the installed program', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'reader-package-'));
  const project = join(scratch, 'project');
  const program = join(project, 'node_modules/.bin/tallybook');
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:TALLYBOOK|npm)_/.test(name)),
  );
  /** Sends a tag to each reader that connects. */
  const controller = createServer((socket) => socket.on('error', () => undefined).write('04A2B3C4D5\r\n'));
  let url: string;

  const doctor = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(program, ['doctor', ...args], { cwd: project, env })).stdout;

  before(async function () {
    this.timeout(300_000);
    // It brings the domain and the devices from packages; the program has its own copies in its one file.
    installProgramWith(scratch, example);
    await once(controller.listen(0, '127.0.0.1'), 'listening');
    url = `tcp://127.0.0.1:${(controller.address() as AddressInfo).port}?name=door`;
  });

  after(async () => {
    controller.close();
    await once(controller, 'close');
    rmSync(scratch, { recursive: true });
  });

  it('is listed by the doctor, which also tries it', async () => {
    expect(await doctor('--use', NAME)).to.match(
      new RegExp(`^Third-party adapters\\n  reader tcp, from ${NAME}\\n    tcp://HOST:PORT\\?name=NAME\\n`),
    );
    expect(await doctor('--use', NAME, '--reader', url)).to.match(/^id {3}04A2B3C4D5$/m);
  });

  it('records taps when a settings file in another folder names it', async () => {
    const settings = join(project, 'tallybook.toml');
    writeFileSync(settings, `use = ["${NAME}"]\nreader = ["${url}"]\nstore = "memory:"\nport = 0\n`);
    const server = spawn(program, ['serve', '--config', settings], { cwd: scratch, env });
    try {
      const lines: string[] = [];
      for await (const line of createInterface({ input: server.stdout })) {
        lines.push(line);
        if (line.includes('scan recorded')) break;
      }
      expect(lines.join('\n')).to.match(/"reader":"door".*"msg":"scan recorded"/);
    } finally {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  });
});
