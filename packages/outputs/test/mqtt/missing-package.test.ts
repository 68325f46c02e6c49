import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

describe('Without the package mqtt', () => {
  it('a publisher can be made, and opening it says what to install', async () => {
    const program = join(import.meta.dirname, 'fixtures/publisher-without-mqtt.ts');
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import=tsx', '--conditions=@tallybook/source', program],
      { env: { ...process.env, NODE_V8_COVERAGE: '' } },
    );
    // The process ends by itself, so nothing was left open. One change still waits for the publisher.
    expect(stdout).to.match(/^INVALID_OPTION: .*npm install mqtt@5.*\nclosed\n1\n$/);
  });
});
