import { once } from 'node:events';
import { parseTallyId } from '@tallybook/domain';
import { describeErasure, describeRetention } from './describe-personal.js';
import type { PersonalConfig } from './personal-data.js';
import { withPersonalData } from './with-personal-data.js';

/** `tallybook erase`: erases persons by their tags. Resolves with what it says about it. */
export function erase(
  config: PersonalConfig,
  texts: readonly string[],
  options: { readonly isDryRun: boolean },
): Promise<readonly string[]> {
  const ids = texts.map((text) => parseTallyId(text));
  return withPersonalData(config, '/api/erasures', async (data) =>
    describeErasure(await data.erase(ids, options), data.searched, data.isInDatabase),
  );
}

/** `tallybook person`: writes everything that is kept of a tag to standard output. */
export function person(config: PersonalConfig, text: string): Promise<void> {
  const id = parseTallyId(text);
  return withPersonalData(config, '/api/person/data', async (data) => {
    for await (const piece of data.person(id)) {
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    }
  });
}

/** `tallybook retention`: removes what was kept long enough. Resolves with what it says about it. */
export function retention(
  config: PersonalConfig,
  options: { readonly isDryRun: boolean; readonly isConfirmed: boolean },
): Promise<readonly string[]> {
  return withPersonalData(config, '/api/retention', async (data) =>
    describeRetention(await data.retention(options)),
  );
}
