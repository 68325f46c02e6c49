// What libraries bring along and the program never uses is left out of it, by plugins of esbuild. A library that has changed
// so that it cannot be left out any more stops the build.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** To programs on Node RxJS gives its CommonJS, of which nothing can be left out. */
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

/** Of the table of media types, which Koa brings twice: what it looks up by itself. Answers name their other types in full. */
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
 * Of koa-body the part that takes a body for bytes, which is all that is used. Its readers of JSON, of queries and of forms (formidable)
 * are switched off in http-koa, the tables of charsets are for text, and zod brings its messages in fifty languages.
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
      // What is left knows bytes, UTF-8, UTF-16 and base64, as Node does.
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
 * Of SimpleWebAuthn: what reads certificates, for attestations by the makers of devices. None is asked for; one that comes all the
 * same is refused, since what would read it is not a function.
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

/** Pino and pino-pretty ask whether they run in the first thread of the process, and could start others. The program has one. */
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
 * What is loaded when something of it is first used: what most starts have no use for, and what is used while LevelDB opens the files of
 * the store on another thread (Koa with its router, and what asks the system about its clock).
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
