// Builds the page: `dist/page`, and `dist/files.json`, which says what each file is and how it is sent.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { describeFiles } from './describe-files.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
// Of the environment of tests, Vite would build for them.
process.env.NODE_ENV = 'production';
await rm(new URL('../dist/page', import.meta.url), { recursive: true, force: true });
await build({ root, configFile: `${root}vite.config.mjs`, logLevel: 'warn' });
await describeFiles(new URL('../dist/', import.meta.url), 'page');
