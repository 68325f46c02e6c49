import { readFileSync } from 'node:fs';

/** The version of this package. This file is as deep below `package.json` as the bundled program. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
