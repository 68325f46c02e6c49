import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect } from 'chai';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The processor time of a start until the app listens, in ticks of the kernel; the smallest of some. */
async function startTicks(file: string, folder: string): Promise<number> {
  const ticks: number[] = [];
  for (let n = 0; n < 5; n++) {
    const data = join(folder, `data-${n}`);
    const env = { ...process.env, NODE_V8_COVERAGE: '', PORT: '0', UDP_PORT: '0', DATA: data };
    const app = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await Promise.race([once(app.stdout, 'data'), once(app, 'exit')]);
    if (app.exitCode !== null) throw new Error(`${file} ended with ${app.exitCode}`);
    const [user = '0', system = '0'] = readFileSync(`/proc/${app.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 13);
    ticks.push(Number(user) + Number(system));
    app.kill('SIGTERM');
    await once(app, 'exit');
    await rm(data, { recursive: true, force: true });
  }
  return Math.min(...ticks);
}

describe('the bundled device app', () => {
  it('starts in less than half of the processor time, as the guide makes it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'device-app-'));
    try {
      await build({
        ...{
          entryPoints: [main],
          bundle: true,
          platform: 'node',
          format: 'esm',
          minify: true,
          splitting: true,
        },
        ...{ outdir: folder, outExtension: { '.js': '.mjs' } },
        ...{ keepNames: true, external: ['classic-level'], logLevel: 'error' },
        banner: {
          js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
        },
      });
      const level = createRequire(createRequire(main).resolve('@tallybook/store-level')).resolve('level');
      const packages = dirname(dirname(createRequire(level).resolve('classic-level')));
      await symlink(packages, join(folder, 'node_modules'));
      const [bundled, loose] = [
        await startTicks(join(folder, 'main.mjs'), folder),
        await startTicks(main, folder),
      ];
      expect(bundled / loose, `${bundled} of ${loose} ticks`).to.be.lessThan(0.5);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
