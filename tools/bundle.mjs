// Makes one file of the command line and what it needs: most of a start goes into finding and reading many small
// files. It is for this checkout only; published packages stay as they are.
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const server = new URL('../packages/server/', import.meta.url);
const folder = fileURLToPath(new URL('program/', server));

/** What has native parts beside it stays where it is. */
const native = {
  name: 'native',
  setup({ onResolve }) {
    onResolve({ filter: /^(?:level|serialport)$/ }, ({ path, importer }) => {
      try {
        return { path: createRequire(importer).resolve(path), external: true };
      } catch {
        // It may be missing; then this is what is told when it is needed.
        return { path, external: true };
      }
    });
  },
};

await rm(folder, { recursive: true, force: true });
await build({
  entryPoints: [fileURLToPath(new URL('bin/tallybook.js', server))],
  outdir: folder,
  bundle: true,
  // What is loaded when it is needed is a file of its own.
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.20',
  minifyWhitespace: true,
  minifySyntax: true,
  // CommonJS modules call it for what belongs to Node.
  banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  plugins: [native],
  logLevel: 'warning',
});
