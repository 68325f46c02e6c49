// The same contents give the same bytes: on each machine, in each folder and at each time.
import { execFileSync } from 'node:child_process';
import { chmodSync, lutimesSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives all files the time of the commit, and rights that do not depend on this machine.
 *
 * @param programs The paths of the files in it that can be started.
 */
export function settle(folder, programs, time) {
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

/**
 * Makes an archive of a folder with names in order and root as the owner.
 *
 * @param name The folder in `parent`.
 * @param compress A compressor with its options, as one text.
 */
export function makeTar(file, { parent, name, compress, time }) {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const order = ['--sort=name', '--format=gnu', `--mtime=@${time}`];
  execFileSync('tar', ['-cf', file, '-I', compress, ...owner, ...order, '-C', parent, name]);
}

/** Not by Node, whose compression depends on the processor. */
export function gzip(text) {
  return execFileSync('gzip', ['-9', '--no-name', '--stdout'], { input: text });
}
