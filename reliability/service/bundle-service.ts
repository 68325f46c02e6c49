import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const program = fileURLToPath(new URL('./service.mjs', import.meta.url));
/** Whatever looks for a file beside itself looks from here, as in what is shipped. */
const server = new URL('../../packages/server/dist/bundled.js', import.meta.url).href;
/** What has native parts, or is large, stays in its package: no harness uses any of it but LevelDB. */
const external = ['classic-level', 'pg', 'mqtt', 'serialport', 'pcsc-mini'];
const banner = [
  'import { createRequire as requireFrom } from "node:module";',
  `const require = requireFrom(${JSON.stringify(server)});`,
  `const __filename = ${JSON.stringify(fileURLToPath(server))};`,
  `const __dirname = ${JSON.stringify(fileURLToPath(new URL('.', server)))};`,
];

let bundled: string | undefined;

/**
 * Puts `service.mjs` and what it imports into one file, once: to find, read and compile hundreds of files takes most of a start,
 * and a harness starts it hundreds of times.
 *
 * @returns The path of the file, which is there until this process ends.
 */
export function bundleService(): string {
  bundled ??= bundle();
  return bundled;
}

function bundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tallybook-service-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  buildSync({
    entryPoints: [program],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported later is a file of its own, which is read then.
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.20',
    minifyWhitespace: true,
    minifySyntax: true,
    external,
    define: { 'import.meta.url': JSON.stringify(server) },
    banner: { js: banner.join('\n') },
    logLevel: 'warning',
  });
  return join(folder, 'service.mjs');
}
