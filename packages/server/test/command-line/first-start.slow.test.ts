import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { temporaryFolder } from '../fixtures/temporary-folder.js';
import { Terminal } from '../fixtures/processes/terminal.js';

const tools = fileURLToPath(new URL('../../../../tools/', import.meta.url));

/** The output of `tsc -b --verbose` for two packages. */
const COMPILER = `console.log(\`9:45:43 AM - Projects in this build: \\r
    * packages/domain/tsconfig.json\\r
    * packages/server/tsconfig.json

9:45:43 AM - Building project '/x/packages/domain/tsconfig.json'...

9:45:44 AM - Building project '/x/packages/server/tsconfig.json'...
\`);
require('node:fs').mkdirSync('packages/server/dist', { recursive: true });`;

const PAGE_BUILDER = `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('packages/web/dist', { recursive: true });
writeFileSync('packages/web/dist/files.json', '{}');`;

describe('npm start in a fresh checkout', () => {
  const folder = temporaryFolder();

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(folder.path(file)), { recursive: true });
    await writeFile(folder.path(file), text);
  };

  /** The real tools, with fakes of the package manager, the compiler, the bundlers and the program. */
  beforeEach(async () => {
    await cp(tools, folder.path('tools'), { recursive: true });
    await write('package.json', '{ "type": "module", "packageManager": "pnpm@10.34.9" }');
    for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'tsconfig.json', 'tsconfig.base.json']) {
      await write(file, '');
    }
    for (const file of ['tsconfig.json', 'src/index.ts']) {
      await write(`packages/server/${file}`, '');
    }
    await write('packages/server/package.json', '{}');
    await mkdir(folder.path('examples'));
    await write('bin/npx', '#!/bin/sh\necho "Packages: +517"\n');
    await chmod(folder.path('bin/npx'), 0o700);
    await write('node_modules/typescript/bin/package.json', '{ "type": "commonjs" }');
    await write('node_modules/typescript-native/bin/tsc', COMPILER);
    await write('tools/bundle.mjs', '');
    for (const file of ['index.html', 'vite.config.mjs', 'public/icon.svg', 'build/describe-files.mjs']) {
      await write(`packages/web/${file}`, '');
    }
    await write('packages/web/build/build.mjs', PAGE_BUILDER);
    await write('packages/server/program/command-line.js', '');
    await write('node_modules/.tallybook-program-maps.json', '');
    await write('packages/server/bin/tallybook.cjs', 'console.log(process.argv.slice(2).join(" "))');
  });

  const variables = (): NodeJS.ProcessEnv => ({
    PATH: `${folder.path('bin')}:${process.env['PATH'] ?? ''}`,
    NODE_V8_COVERAGE: '',
  });

  const run = (...args: string[]): Promise<{ stdout: string; stderr: string }> =>
    promisify(execFile)(process.execPath, [folder.path('tools/run.mjs'), ...args], {
      env: { ...process.env, ...variables() },
    });
  const start = (...args: string[]): Promise<{ stdout: string; stderr: string }> => run('start', ...args);

  it('prints its steps, only to standard error', async () => {
    const { stdout, stderr } = await start('export');
    expect(stdout).to.equal('export\n');
    expect(stderr.split('\n')).to.deep.equal([
      'Installing the packages that Tallybook needs …',
      'Packages: +517',
      'Compiling …',
      'Building the page …',
      'Putting the program into one file …',
      stderr.split('\n')[5],
      '',
    ]);
    expect(stderr.split('\n')[5]).to.match(/^done in \d+ s$/);
  });

  it('prints nothing if nothing had to be done', async () => {
    await start();
    expect(await start()).to.deep.equal({ stdout: 'serve\n', stderr: '' });
  });

  it('shows the package that is being compiled on a terminal', async () => {
    const terminal = new Terminal([folder.path('tools/run.mjs'), 'start'], variables());
    expect(await terminal.exited).to.equal(0);
    expect(terminal.text).to.match(/package 1 of 2\r<clear> {2}package 2 of 2\r<clear>Building/);
  });

  it('shows the errors of the code, and exits like the compiler', async () => {
    const wrong = "packages/domain/src/day.ts(1,7): error TS2322: Type 'string' is not assignable.";
    await write(
      'node_modules/typescript-native/bin/tsc',
      `console.log(${JSON.stringify(wrong)}); process.exit(2)`,
    );
    const failure = (await start().catch((error: unknown) => error)) as { code: number; stderr: string };
    expect(failure.code).to.equal(2);
    expect(failure.stderr).to.match(new RegExp(`Compiling …\n.*${wrong.slice(0, 40).replace(/[()]/g, '.')}`));
  });

  for (const [step, file] of [
    ['the compiler', 'node_modules/typescript-native/bin/tsc'],
    ['the builder of the page', 'packages/web/build/build.mjs'],
    ['the bundler', 'tools/bundle.mjs'],
  ] as const) {
    it(`says that the system has ended ${step}, probably for lack of memory`, async () => {
      await write(file, `process.kill(process.pid, 'SIGKILL'); setInterval(() => undefined, 1_000);`);
      const failure = (await start().catch((error: unknown) => error)) as { code: number; stderr: string };
      expect(failure.code).to.equal(1);
      expect(failure.stderr).to.match(
        /\n(?:tsc|node) was ended by SIGKILL, probably for lack of memory: .*\n$/,
      );
    });
  }

  it('builds everything again, also the page, on npm run build', async () => {
    await start();
    const { scripts } = JSON.parse(await readFile(join(tools, '../package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    expect(scripts['build']).to.equal('exec node tools/run.mjs build');
    const { stderr } = await run('build');
    expect(stderr.split('\n').slice(0, 3)).to.deep.equal([
      'Compiling …',
      'Building the page …',
      'Putting the program into one file …',
    ]);
  });

  it('reports a missing package manager', async () => {
    await write('bin/npx', '#!/bin/sh\necho "no network" >&2\nexit 7\n');
    const failure = (await start().catch((error: unknown) => error)) as { code: number; stderr: string };
    expect(failure.code).to.equal(7);
    expect(failure.stderr).to.match(/^Installing [^\n]*\nno network\n$/);
  });
});
