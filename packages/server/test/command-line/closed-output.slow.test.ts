import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { storedService } from '../fixtures/processes/stored-service.js';

const ID = '04A2B3C4D5';
/** So many that their output does not fit into a pipe. */
const DAYS = 5_000;

describe('A command whose output is no longer read, as by head', () => {
  const { processes, folder, start, inStore } = storedService();

  async function fillStore(): Promise<void> {
    const entries = Array.from({ length: DAYS }, (_, n) => {
      const at = (10_000 + n) * 86_400;
      return `{"kind":"entry","day":${10_000 + n},"id":"${ID}","first":${at},"last":${at + 60},"count":2}\n`;
    });
    const file = folder.path('backup.jsonl');
    await writeFile(file, `{"kind":"tallybook","version":1}\n${entries.join('')}`);
    expect((await inStore('import', file)).exitCode).to.equal(0);
  }

  for (const args of [['export'], ['person', ID]]) {
    it(`ends "${args.join(' ')}" with success and without a message`, async () => {
      await fillStore();
      const { child, exited } = start(...args);
      let errors = '';
      child.stderr.on('data', (text: string) => (errors += text));
      child.stdout.once('data', () => child.stdout.destroy());
      expect(await exited).to.equal(0);
      expect(errors).to.equal('');
    });
  }

  it('ends with the same exit code if its errors are not read either', async () => {
    const running = processes.start('serve', '--port', 'none');
    running.child.stderr.destroy();
    expect(await running.exited).to.equal(2);
  });
});
