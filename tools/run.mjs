// Both commands of the README. Needs nothing but Node and npm: installs and builds what is missing, then starts the
// server in this very process, so that signals reach it, or runs the tests.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const path = (relative) => `${root}${relative}`;
const require = createRequire(import.meta.url);
