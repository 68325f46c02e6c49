// `npm run release -- --out FOLDER` makes what is published for devices, for both processors: archives, packages for
// Debian, and SHA256SUMS. The same commit gives the same bytes: times are those of the commit, names are sorted, and
// root owns all files.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readManifest, root } from '../packages/packing.mjs';
import { makeDebianPackage } from './debian.mjs';
import { unpackFetched } from './fetched-package.mjs';
import { makeProgramFolder } from './program-folder.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    // Less than 6 is for tests, which only need the bytes to be the same.
    compression: { type: 'string', default: '6' },
    cpu: { type: 'string', multiple: true, default: ['x64', 'arm64'] },
  },
});
if (
  values.out === undefined ||
  !/^\d$/.test(values.compression) ||
  values.cpu.some((cpu) => !/^(?:x64|arm64)$/.test(cpu))
) {
  console.error('Usage: npm run release -- --out FOLDER [--compression 0..9] [--cpu x64|arm64]');
  process.exit(2);
}

const out = resolve(values.out);
const { version } = readManifest(join(root, 'packages/server'));
const time = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-release-'));
const compression = Number(values.compression);
try {
  mkdirSync(out, { recursive: true });
  const files = [];
  for (const cpu of values.cpu) files.push(...(await releaseFor(cpu)));
  files.sort();
  writeFileSync(
    join(out, 'SHA256SUMS'),
    files.map((file) => `${sha256(join(out, file))}  ${file}\n`).join(''),
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @returns The names of the made files. */
async function releaseFor(cpu) {
  const { package: name, version: nodeVersion, integrity } = readNode()[cpu];
  const node = unpackFetched(name, nodeVersion, integrity, join(scratch, `fetched-${cpu}`));
  const program = join(scratch, `program-${cpu}`);
  makeProgramFolder(program, { cpu, node });
  const archive = makeArchive(cpu, program);
  const debian = await makeDebianPackage({ cpu, program, version, time, compression, out, scratch, settle });
  console.log(`${archive} and ${debian}, with Node ${nodeVersion}`);
  return [archive, debian];
}

function makeArchive(cpu, program) {
  const name = `tallybook-${version}-linux-${cpu}`;
  const folder = join(scratch, 'archives', name);
  cpSync(program, join(folder, 'lib/tallybook'), { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(folder, 'bin'));
  cpSync(join(root, 'packaging/archive/tallybook.sh'), join(folder, 'bin/tallybook'));
  settle(folder, ['bin/tallybook', 'lib/tallybook/node', 'lib/tallybook/bin/tallybook.cjs']);
  const file = join(out, `${name}.tar.xz`);
  const owner = [
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--sort=name',
    '--format=gnu',
    `--mtime=@${time}`,
  ];
  const env = { ...process.env, XZ_OPT: `-${compression} -T1` };
  execFileSync('tar', ['-cJf', file, ...owner, '-C', join(scratch, 'archives'), name], { env });
  return `${name}.tar.xz`;
}

/** Gives all files the time of the commit, and rights that do not depend on this machine. */
function settle(folder, programs) {
  const executable = new Set(programs.map((each) => join(folder, each)));
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    // The rights of a link are those of its target.
    if (!entry.isSymbolicLink()) chmodSync(path, entry.isDirectory() || executable.has(path) ? 0o755 : 0o644);
    lutimesSync(path, time, time);
  }
  chmodSync(folder, 0o755);
  lutimesSync(folder, time, time);
}

function readNode() {
  return JSON.parse(readFileSync(join(root, 'packaging/node.json'), 'utf8'));
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
