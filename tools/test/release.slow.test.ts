import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { serveOnce } from '../packages/serve-once.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

describe('npm run release', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-release-test-'));

  before(function () {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      this.skip('the archive for x64 runs only there');
    for (const program of ['dpkg-deb', 'xz']) {
      if (spawnSync(program, ['--version']).error) this.skip(`${program} is not installed`);
    }
    release('first');
  });

  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('makes the same bytes twice', () => {
    release('second');
    expect(sums('second'))
      .to.equal(sums('first'))
      .and.match(/\.tar\.xz\n.*\.deb\n$/);
  });

  it('makes an archive that records a tap and answers with its own Node', async () => {
    const [, archive = ''] = /(\S+)\.tar\.xz$/m.exec(sums('first')) ?? [];
    execFileSync('tar', ['-xJf', join(folder, 'first', `${archive}.tar.xz`), '-C', folder]);
    await serveOnce(join(folder, archive, 'bin/tallybook'), join(folder, 'store'), ['/', '/api/health']);
  });

  function release(name: string): void {
    const options = ['--out', join(folder, name), '--compression', '0', '--cpu', 'x64'];
    execFileSync('node', ['tools/release/release.mjs', ...options], { cwd: root });
  }

  function sums(name: string): string {
    return readFileSync(join(folder, name, 'SHA256SUMS'), 'utf8');
  }
});
