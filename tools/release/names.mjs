import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../packages/packing.mjs';

/** The names of the publisher: maintainer, homepage, contact. */
export function names() {
  return JSON.parse(readFileSync(join(root, 'packaging/names.json'), 'utf8'));
}
