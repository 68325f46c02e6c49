import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const program = fileURLToPath(new URL('./service.mjs', import.meta.url));
/** The bundled code looks for its files relative to this path, as in the shipped program. */
const server = new URL('../../packages/server/dist/bundled.js', import.meta.url).href;
/** Packages with native parts, and large packages, are not bundled. The harnesses use only LevelDB among them. */
const external = ['classic-level', 'pg', 'mqtt', 'serialport', 'pcsc-mini'];
const banner = [
  'import { createRequire as requireFrom } from "node:module";',
  `const require = requireFrom(${JSON.stringify(server)});`,
  `const __filename = ${JSON.stringify(fileURLToPath(server))};`,
  `const __dirname = ${JSON.stringify(fileURLToPath(new URL('.', server)))};`,
];

let bundled: string | undefined;

/**
 * Puts `service.mjs` and its imports into one file, once. Finding, reading and compiling hundreds of files would take
 * most of a start, and a harness starts the service hundreds of times.
 *
 * @returns The path of the file. It exists until this process ends.
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
    // A later import is a file of its own, which is read only then.
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
