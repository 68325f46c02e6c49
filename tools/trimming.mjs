// Removes parts of libraries that the program never uses, with plugins of esbuild. If a library has changed so that its
// part cannot be removed, the build stops.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** On Node, RxJS gives programs its CommonJS code, and no part of that can be removed. */
const rxjs = {
  name: 'rxjs',
  setup({ onResolve }) {
    onResolve({ filter: /^rxjs$/ }, ({ path, importer }) => ({
      path: createRequire(importer)
        .resolve(path)
        .replace(/cjs(?=[\\/]index\.js$)/, 'esm'),
      sideEffects: false,
    }));
  },
};

/**
 * Keeps only the media types that Koa itself looks up. Koa contains the whole table twice. Answers give other types in
 * full.
 */
const mediaTypes = {
  name: 'media-types',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, async ({ path }) => {
      const all = JSON.parse(await readFile(path, 'utf8'));
      const wanted = ['application/json', 'application/octet-stream', 'text/html', 'text/plain'];
      const missing = wanted.filter((type) => !(type in all));
      if (missing.length > 0) throw new Error(`${path} has no ${missing.join(', ')}`);
      const contents = JSON.stringify(Object.fromEntries(wanted.map((type) => [type, all[type]])));
      return { contents, loader: 'json' };
    });
  },
};

/**
 * Keeps only the part of koa-body that reads bytes. http-koa does not use its readers of JSON, of queries and of forms
 * (formidable). The tables of charsets are only for text, and zod contains messages in fifty languages.
 */
const bodies = {
  name: 'bodies',
  setup({ onLoad }) {
    const edits = [
      [/[\\/]co-body[\\/]index\.js$/, /^exports = .*\nexports\.json = .*\nexports\.form = .*\n/m, ''],
      [
        /[\\/]koa-body[\\/]dist[\\/]esm[\\/]types\.js$/,
        "import { z } from 'zod'",
        "import * as z from 'zod'",
      ],
      [
        /[\\/]parse-with-formidable\.js$/,
        /^[^]*$/,
        'export default () => Promise.reject(new Error("not in the program"));',
      ],
      // The rest supports bytes, UTF-8, UTF-16 and base64, as Node does.
      [/[\\/]iconv-lite[\\/]encodings[\\/]index\.js$/, /^ +require\("\.\/(?!internal).*\n/gm, ''],
    ];
    for (const [filter, before, after] of edits) {
      onLoad({ filter }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const contents = text.replace(before, after);
        if (contents === text) throw new Error(`${path} has no ${before}`);
        return { contents };
      });
    }
  },
};

/**
 * Removes the part of SimpleWebAuthn that reads certificates, for attestations by the makers of devices. Attestations
 * are not requested. If one comes nevertheless, it is refused, because the function that would read it is missing.
 */
const attestations = {
  name: 'attestations',
  setup({ onResolve, onLoad }) {
    const filter = /^(?:@peculiar\/(?:x509|asn1-(?:android|rsa|x509|x509-post-quantum))|reflect-metadata)$/;
    onResolve({ filter }, ({ path, importer }) =>
      /[\\/]@simplewebauthn[\\/]server[\\/]/.test(importer) ? { path, namespace: 'attestations' } : undefined,
    );
    onLoad({ filter: /./, namespace: 'attestations' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * Pino and pino-pretty check whether they run in the main thread, and could start other threads. The program has only
 * one thread.
 */
const threads = {
  name: 'threads',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(?:node:)?worker_threads$/ }, ({ path, importer }) => {
      if (!/[\\/](?:pino(?:-[a-z-]+)?|thread-stream)[\\/]/.test(importer))
        throw new Error(`${importer} needs ${path}`);
      return { path, namespace: 'threads' };
    });
    onLoad({ filter: /./, namespace: 'threads' }, () => ({
      contents: 'exports.isMainThread = true; exports.parentPort = null;',
    }));
  },
};

/**
 * Packages that are loaded at their first use: packages that most starts do not need, and packages that are used while
 * LevelDB opens the store on another thread (Koa with its router, and the code that asks the system about its clock).
 */
const usedLate = [
  'node:child_process',
  'node:https',
  'node:readline',
  'node:tls',
  '@koa/router',
  'koa',
  'pino-pretty',
];
const late = {
  name: 'late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(?:${usedLate.join('|')})$`) }, ({ path, kind, importer, namespace }) =>
      namespace === 'late' || kind === 'dynamic-import'
        ? undefined
        : { path, namespace: 'late', pluginData: importer },
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path, pluginData: importer }) => ({
      contents: lateModule(path, Object.keys(createRequire(importer)(path))),
      resolveDir: dirname(importer),
    }));
  },
};

/** A module that loads another one when something of it is first used. */
export function lateModule(path, names) {
  return `
    let loaded;
    const load = () => (loaded ??= require('${path}'));
    module.exports = new Proxy(function () {}, {
      apply: (_late, _this, args) => load()(...args),
      construct: (_late, args) => new (load())(...args),
    });
    for (const name of ${JSON.stringify(names)})
      Object.defineProperty(module.exports, name, { enumerable: true, get: () => load()[name] });`;
}

export const trimming = [rxjs, mediaTypes, bodies, attestations, threads, late];
