import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of shell scripts that replace programs. While it exists, it is searched before all others. */
export class ProgramFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'tallybook-programs-'));
  readonly #searched = process.env['PATH'];

  /** @param isOnly Whether no other folder is searched. */
  constructor(isOnly = false) {
    process.env['PATH'] = isOnly ? this.path : `${this.path}:${this.#searched ?? ''}`;
  }

  add(name: string, script: string): void {
    writeFileSync(join(this.path, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  dispose(): void {
    process.env['PATH'] = this.#searched;
    rmSync(this.path, { recursive: true });
  }
}
