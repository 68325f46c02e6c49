import { readFileSync } from 'node:fs';

/** The version of this package. This file lies as deep as the bundled program does, below its `package.json`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
