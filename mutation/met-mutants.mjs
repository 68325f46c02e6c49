// Loaded into each process that a test starts. At its end, the process writes the mutants that it met.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const { TALLYBOOK_MET_MUTANTS: folder } = process.env;
if (folder !== undefined && isMainThread) process.once('exit', write);

function write() {
  const met = Object.keys(globalThis.__stryker__?.mutantCoverage?.static ?? {});
  if (met.length === 0) return;
  try {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(met));
  } catch {
    // The run is over, and its folder was removed.
  }
}
