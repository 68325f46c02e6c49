import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder, which is removed at the end of its use. */
export class ScratchFolder implements AsyncDisposable {
  readonly path: string;

  constructor(prefix: string, parent: string = tmpdir()) {
    this.path = mkdtempSync(join(parent, prefix));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
