// Describes each file of the page for servers, and compresses it. This is done once, here, so that small devices need
// not compress.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};
/** Files with a hash of their content in their names. */
const HASHED = /^assets\//;
/** First requests of documents: the server announces them, so that browsers send them while the program still loads. */
const ASKS_FIRST = {
  'index.html': [
    { path: './api/today', needs: 'see-today' },
    { path: './api/people?limit=1000', needs: 'see-today' },
  ],
};
/** For smaller files, compression saves less than its header costs. */
const WORTH_BYTES = 512;

/**
 * Writes `files.json` into `folder`, and the compressed forms beside the files of `folder`/`name`.
 *
 * @param {URL} folder
 * @param {string} name
 */
export async function describeFiles(folder, name) {
  const root = new URL(`${name}/`, folder);
  const paths = (await readdir(root, { recursive: true })).map((path) => path.replaceAll('\\', '/')).sort();
  const files = [];
  for (const path of paths) {
    if ((await stat(new URL(path, root))).isDirectory()) continue;
    const type = TYPES[extname(path)];
    if (type === undefined) throw new Error(`${path}: which type is that?`);
    const body = await readFile(new URL(path, root));
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22);
    const encodings = await compress(body, new URL(path, root));
    const asksFirst = ASKS_FIRST[path];
    const described = { path, type, etag: hash, isImmutable: HASHED.test(path), bytes: body.length };
    files.push({ ...described, ...(asksFirst && { asksFirst }), ...encodings });
  }
  await writeFile(
    new URL('files.json', folder),
    `${JSON.stringify({ folder: name, files }, undefined, 1)}\n`,
  );
}

/** Writes the compressed forms of a file, and returns their sizes. Small files have none. */
async function compress(body, file) {
  if (body.length < WORTH_BYTES) return {};
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  // Blocks of this size suit scripts: less memory compresses them by 0.4 % better than the default.
  const forms = { br: brotliCompressSync(body, { params }), gz: gzipSync(body, { level: 9, memLevel: 6 }) };
  for (const [suffix, bytes] of Object.entries(forms))
    await writeFile(new URL(`${file.href}.${suffix}`), bytes);
  return { br: forms.br.length, gz: forms.gz.length };
}
