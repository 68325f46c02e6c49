import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTempDirectory } from '../../../store-level/test/fixtures/temp-directory.js';
import { findHolder } from '../../src/serial/find-holder.js';

describe('findHolder', () => {
  const folder = useTempDirectory();
  let file: string;

  beforeEach(async () => {
    file = join(folder.path, 'line');
    await writeFile(file, 'x\n');
    await symlink(file, join(folder.path, 'by-id'));
  });

  /** Runs Node, which opens the file, and resolves with the holder that is found. */
  async function holderAmong(...args: readonly string[]): Promise<[found: string | undefined, pid: number]> {
    const child = spawn(process.execPath, args, { env: { ...process.env, NODE_V8_COVERAGE: '' } });
    await once(child.stdout, 'data');
    try {
      return [await findHolder(join(folder.path, 'by-id')), child.pid ?? NaN];
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  }

  const program = (): string =>
    `require('fs').openSync(${JSON.stringify(file)}); process.stdout.write('.'); setInterval(() => {}, 1e6)`;

  it('names the process that has a file open, also through a link', async () => {
    const [found, pid] = await holderAmong('--eval', program());
    expect(found).to.equal(`node (${pid})`);
  });

  it('names the service, but no other command of its program', async () => {
    for (const name of ['tallybook', 'tallybook.cjs']) {
      const script = join(folder.path, name);
      await writeFile(script, program());
      const [found, pid] = await holderAmong(script, 'serve', '--port', '0');
      expect(found).to.equal(`the service (${pid})`);
      const [other, otherPid] = await holderAmong(script, 'doctor');
      expect(other).to.equal(`node (${otherPid})`);
    }
  });

  it('finds this process', async () => {
    const descriptor = openSync(file, 'r');
    expect(await findHolder(file)).to.equal(`this program (${process.pid})`);
    closeSync(descriptor);
  });

  it('gives nothing for an unused or missing file', async () => {
    expect(await findHolder(file)).to.equal(undefined);
    expect(await findHolder(join(folder.path, 'none'))).to.equal(undefined);
  });
});
