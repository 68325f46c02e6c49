import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { fillStore, TAGS_A_DAY } from '../fixtures/stores/filled-store.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { TallybookProcess } from '../fixtures/processes/server-process.js';

/** Less than the entries take when all of them are read before one is written. */
const HEAP_MB = 24;

describe('tallybook export', () => {
  const folder = temporaryFolder();

  it('needs no more memory for 200,000 entries than for those of a day', async function () {
    this.timeout(300_000);
    await fillStore(`level:${folder.path('store')}`, 400);
    // Collecting coverage needs more memory than the export.
    const variables = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`, NODE_V8_COVERAGE: '' };
    const args = ['export', '--store', `level:${folder.path('store')}`, folder.path('copy.jsonl')];
    const process = TallybookProcess.with(variables, ...args);
    expect(await process.exited, process.text).to.equal(0);
    expect((await readFile(folder.path('copy.jsonl'), 'utf8')).split('\n')).to.have.length(
      400 * TAGS_A_DAY + 3,
    );
  });
});
