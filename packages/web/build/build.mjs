// Builds the page: `dist/page`, `dist/files.json` with a description of each file, and the licenses of the packages in it.
import { rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { collectLicenses } from '../../../tools/third-party-licenses.mjs';
import { describeFiles } from './describe-files.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
// In the environment of tests, Vite would build for tests.
process.env.NODE_ENV = 'production';
await rm(new URL('../dist/page', import.meta.url), { recursive: true, force: true });
const { output } = await build({ root, configFile: `${root}vite.config.mjs`, logLevel: 'warn' });
await describeFiles(new URL('../dist/', import.meta.url), 'page');
const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
await writeFile(new URL('../dist/THIRD-PARTY-NOTICES.txt', import.meta.url), await collectLicenses(modules));
