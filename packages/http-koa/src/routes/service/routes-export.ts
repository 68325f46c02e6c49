import type { Timekeeper } from '@tallybook/domain';
import { joinLines } from '@tallybook/domain/record';
import { principalOf } from '../../access/principal-of.js';
import { fileHeaders, type Downloads } from '../../answers/downloads.js';
import type { Services } from '../../app-services.js';
import type { Handlers } from '../implement.js';

type ExportDependencies = Services<'backup' | 'timekeeper', 'audit'> & { readonly downloads: Downloads };

/** All data, as a backup. */
export function exportHandlers({
  backup,
  timekeeper,
  downloads,
  audit,
}: ExportDependencies): Handlers<'GET /api/export'> {
  return {
    'GET /api/export': ({ ctx }) =>
      downloads.send(ctx, {
        headers: fileHeaders('application/jsonl', fileName(timekeeper)),
        onBegin: () => audit?.note(principalOf(ctx).name, 'backed-up'),
        write: () => joinLines(backup.export()),
      }),
  };
}

/** The first second after the years of four digits. */
const DATE_END = 253_402_300_800;

function fileName(timekeeper: Timekeeper): string {
  const now = timekeeper.now();
  const isDate = timekeeper.trust().isTrusted && now < DATE_END;
  return isDate ? `tallybook-${new Date(now * 1000).toISOString().slice(0, 10)}.jsonl` : 'tallybook.jsonl';
}
