import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { warnOfFormerOutboxes } from '../../src/log/former-outboxes.js';
import { recordedLog } from '../fixtures/logged.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const HEAD = '00000000 {"kind":"tallybook-outbox","version":1,"next":1,"latest":null}';

describe('warnOfFormerOutboxes', () => {
  const folder = temporaryFolder();

  /** The warnings in the log for these lines in the outbox of a publisher. */
  async function warningsOf(...lines: readonly string[]): Promise<readonly unknown[]> {
    const { log, lines: logged } = recordedLog();
    await mkdir(folder.path('outbox', 'mqtt%3Ahome'), { recursive: true });
    const file = folder.path('outbox', 'mqtt%3Ahome', 'outbox.jsonl');
    const text = [HEAD, ...lines, ''].join('\n');
    await writeFile(file, text);
    await warnOfFormerOutboxes(log, folder.path());
    expect(await readFile(file, 'latin1')).to.equal(text);
    return logged.values.map(({ file: named, messages, level }) => ({ named, messages, level }));
  }

  const message = (sequence: number): string =>
    `0123abcd {"sequence":${sequence},"body":{"message":"a-${sequence}"}}`;

  it('names the file and the number of its waiting messages, and does not change it', async () => {
    const lines = [message(1), message(2), '0123abcd {"gone":1}', message(3), '0123abcd {"go'];
    expect(await warningsOf(...lines)).to.deep.equal([
      { named: folder.path('outbox', 'mqtt%3Ahome', 'outbox.jsonl'), messages: 2, level: 40 },
    ]);
  });

  it('logs nothing about an empty outbox', async () => {
    expect(await warningsOf(message(1), '0123abcd {"gone":1}')).to.deep.equal([]);
  });

  it('logs nothing without an outbox, and for a store in memory', async () => {
    const { log, lines } = recordedLog();
    await warnOfFormerOutboxes(log, folder.path('none'));
    await warnOfFormerOutboxes(log, undefined);
    expect(lines.values).to.deep.equal([]);
  });
});
