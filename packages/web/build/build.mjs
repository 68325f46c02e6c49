// Builds the page: `dist/page`, and `dist/files.json` with a description of each file.
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { describeFiles } from './describe-files.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
// In the environment of tests, Vite would build for tests.
process.env.NODE_ENV = 'production';
await rm(new URL('../dist/page', import.meta.url), { recursive: true, force: true });
await build({ root, configFile: `${root}vite.config.mjs`, logLevel: 'warn' });
await describeFiles(new URL('../dist/', import.meta.url), 'page');
