// `npm run release:versions` lets two versions of the program work on the same data, one after another and at the same time: that
// of this commit, and a made-up next one with other formats.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../packages/packing.mjs';
import { makeTwoPrograms } from './two-programs.mjs';

const scratch = mkdtempSync(join(tmpdir(), 'tallybook-versions-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));

makeTwoPrograms(scratch);
const mocha = ['node_modules/mocha/bin/mocha.js', 'tools/release-test/versions/versions.test.ts'];
const { status } = spawnSync(process.execPath, [...mocha, ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, TALLYBOOK_TEST_VERSIONS: scratch },
});
process.exit(status ?? 1);
