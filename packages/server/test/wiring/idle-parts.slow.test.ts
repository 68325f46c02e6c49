import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { bundledProgram } from '../../../store-level/test/fixtures/bundled-program.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const program = fileURLToPath(new URL('../fixtures/opens-a-part.ts', import.meta.url));

/** Much more than a process needs. A process that is kept alive would never end. */
const PATIENCE_MS = 30_000;

/** Runs the fixture to its end. Rejects if that takes too long. */
async function open(part: string, folder: string): Promise<string> {
  const args = [bundledProgram(program), part, folder];
  const options = { timeout: PATIENCE_MS, env: { ...process.env, NODE_V8_COVERAGE: '' } };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

describe('A program that opens a part and ends', () => {
  const folder = temporaryFolder();
  beforeEach(() =>
    writeFile(folder.path('timedatectl'), '#!/bin/sh\necho NTPSynchronized=no\necho NTP=yes\n', {
      mode: 0o700,
    }),
  );

  for (const part of [
    'the clock of the system',
    'event streams',
    'a store on the disk',
    'a service with scans that wait for the clock',
    'the log of the clock',
    'backups that wait for their time',
  ]) {
    it(`is not kept alive by ${part}`, async () => {
      expect(await open(part, folder.path())).to.equal(`${part} is open\n`);
    });
  }
});
