// `npm run release -- --out FOLDER` makes what is published: for both processors an archive, a package for Debian and a
// list of what is in them; the packages for npm; and SHA256SUMS. The same commit gives the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readManifest, root } from '../packages/packing.mjs';
import { makeArchive } from './archive.mjs';
import { billOfMaterials } from './bill-of-materials.mjs';
import { makeDebianPackage } from './debian.mjs';
import { nodeFor } from './node-for.mjs';
import { makeProgramPackage, packLibraries } from './npm-packages.mjs';
import { makeProgramFolder } from './program-folder.mjs';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    node: { type: 'string' },
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
  console.error(
    'Usage: npm run release -- --out FOLDER [--node FOLDER] [--compression 0..9] [--cpu x64|arm64]',
  );
  process.exit(2);
}

// The bytes depend on these too, besides the commit.
const tools = ['tar', 'xz', 'gzip', 'dpkg-deb'].map(
  (tool) => execFileSync(tool, ['--version'], { encoding: 'utf8' }).split('\n')[0],
);
console.log(`made with ${tools.join(', ')}`);

const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const { version } = readManifest(join(root, 'packages/server'));
const time = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
const scratch = mkdtempSync(join(tmpdir(), 'tallybook-release-'));
const common = { version, time, compression: Number(values.compression), out, scratch };
try {
  const files = [makeProgramPackage(common), ...packLibraries(common)];
  for (const cpu of values.cpu) files.push(...(await releaseFor(cpu)));
  const sums = files.sort().map((file) => `${sha256(join(out, file))}  ${file}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @returns The names of the made files. */
async function releaseFor(cpu) {
  const node = nodeFor(cpu, { downloads: values.node, scratch });
  const program = join(scratch, `program-${cpu}`);
  makeProgramFolder(program, { cpu, node: node.folder });
  const list = `tallybook-${version}-linux-${cpu}.cdx.json`;
  const bill = billOfMaterials(program, { version, node: node.version, time });
  for (const file of [join(out, list), join(program, 'sbom.cdx.json')]) writeFileSync(file, bill);
  const archive = makeArchive({ ...common, cpu, program });
  const debian = await makeDebianPackage({ ...common, cpu, program });
  console.log(`${archive} and ${debian}, with Node ${node.version}`);
  return [list, archive, debian];
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
