// Runs a command with another version of Node first on its path: node tools/ci/on-node.mjs MAJOR FOLDER COMMAND... If
// that version cannot be fetched, it reports that and succeeds.
import { spawnSync } from 'node:child_process';
import { obtainNode } from './obtain.mjs';

const [major, folder, program, ...args] = process.argv.slice(2);
const bin = obtainNode(major, folder);
if (bin === undefined) {
  console.log(`NOT RUN: the tests on Node ${major}, which cannot be fetched`);
} else {
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  process.exitCode = spawnSync(program, args, { stdio: 'inherit', env }).status ?? 1;
}
