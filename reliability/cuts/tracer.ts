import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The library that traces what a process does to the files of a folder. */
export class Tracer {
  readonly #library: string;

  private constructor(library: string) {
    this.#library = library;
  }

  /** Compiles the library into a folder; `undefined` if there is no C compiler. */
  static compile(folder: string): Tracer | undefined {
    const library = join(folder, 'trace-files.so');
    const source = fileURLToPath(new URL('./trace-files.c', import.meta.url));
    const args = ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'];
    const { status, error, stderr } = spawnSync('cc', args, { encoding: 'utf8' });
    if (error !== undefined && 'code' in error && error.code === 'ENOENT') return undefined;
    if (status !== 0) throw new Error(`cc could not compile ${source}: ${stderr}`);
    return new Tracer(library);
  }

  /** Environment variables for a process: its work below `root` is traced to `file`. */
  env(root: string, file: string): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      TRACE_ROOT: root,
      TRACE_FILE: file,
      TRACE_MARKS: '3',
      // Operations through io_uring do not go through the C library.
      UV_USE_IO_URING: '0',
    };
  }
}
