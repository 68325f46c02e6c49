import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { findHolder } from '../../src/serial/find-holder.js';

describe('findHolder', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tallybook-holder-'));
    file = join(folder, 'line');
    await writeFile(file, 'x\n');
    await symlink(file, join(folder, 'by-id'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('names the process that has a file open, also through a link', async () => {
    const program = `require('fs').openSync(${JSON.stringify(file)}); process.stdout.write('.'); setInterval(() => {}, 1e6)`;
    const child = spawn(process.execPath, ['--eval', program], {
      env: { ...process.env, NODE_V8_COVERAGE: '' },
    });
    await once(child.stdout, 'data');
    try {
      expect(await findHolder(join(folder, 'by-id'))).to.equal(`node (${child.pid})`);
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  });

  it('finds this process', async () => {
    const descriptor = openSync(file, 'r');
    expect(await findHolder(file)).to.equal(`this program (${process.pid})`);
    closeSync(descriptor);
  });

  it('gives nothing for an unused or missing file', async () => {
    expect(await findHolder(file)).to.equal(undefined);
    expect(await findHolder(join(folder, 'none'))).to.equal(undefined);
  });
});
