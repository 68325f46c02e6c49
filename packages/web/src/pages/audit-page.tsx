import { useSignal } from '@preact/signals';
import type { AuditEntry } from '@tallybook/client';
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { Table, type Column } from '../parts/table.js';
import { actorOf } from '../parts/words.js';
import { auditTexts } from '../texts/topics/audit.js';
import { Select } from '../parts/form/field.js';
import { Answered, Empty, PageHead } from '../parts/placeholders.js';
import { Button } from '../parts/button.js';
import type { Asked } from '../parts/use-requests.js';
import { Answer } from '../state/requests.js';
import type { Words } from '../texts/language.js';

/** Number of entries in one request. */
const LIMIT = 100;

interface Trail {
  /** Descending by number. */
  readonly entries: readonly AuditEntry[];
  /** Whether no entry among those that were read is missing or was changed. */
  readonly isWhole: boolean;
  /** Number of the oldest kept entry: older ones may have been removed because of their age. */
  readonly beginning: number;
  /** All entries after this number were read. */
  readonly start: number;
}

/** The trail from its end: first the latest entries, then older ones on request. */
function useTrail(): Asked<Trail> & { readonly loadOlder: () => void } {
  const { client } = usePage();
  const [answer] = useState(() => new Answer<Trail>());
  const readLatest = async (): Promise<Trail> => {
    // Without a number the service sends the latest.
    const [{ entries, isWhole }, { entries: oldest }] = await Promise.all([
      client.get('/api/audit', { query: { limit: LIMIT } }),
      client.get('/api/audit', { query: { after: 0, limit: 1 } }),
    ]);
    const start = Math.max(0, (entries.at(-1)?.number ?? 0) - LIMIT);
    return { entries: [...entries].reverse(), isWhole, beginning: oldest[0]?.number ?? 1, start };
  };
  const readOlder = async (trail: Trail): Promise<Trail> => {
    const after = Math.max(0, trail.start - LIMIT);
    const part = await client.get('/api/audit', { query: { after, limit: trail.start - after } });
    // If some entries are missing, the service returns later ones instead.
    const found = part.entries.filter(({ number }) => number <= trail.start);
    const entries = [...trail.entries, ...[...found].reverse()];
    return { ...trail, entries, isWhole: trail.isWhole && part.isWhole, start: after };
  };
  const load = (): void => void answer.ask(readLatest);
  useEffect(load, []);
  return {
    value: answer.value.value,
    isMissing: answer.isMissing.value,
    load,
    loadOlder: () => void answer.ask((_, known) => (known === undefined ? readLatest() : readOlder(known))),
  };
}

/** Details with numbers of days: `action detail`. */
const DAYS = / (day|from|to)$|^(?:retention-applied|guests-erased) before/;

/** A row for each action. */
function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }): VNode {
  const { texts, formats, words } = usePage(auditTexts);
  const textOf = (action: string, name: string, value: unknown): string => {
    if (typeof value === 'number' && DAYS.test(`${action} ${name}`)) return formats.shortDay(value);
    if (typeof value === 'number' && action === 'time-set') return formats.dateTime(value);
    return (name === 'role' ? (texts.access.roles as Words)[String(value)] : undefined) ?? String(value);
  };
  const columns: readonly Column<AuditEntry>[] = [
    {
      key: 'what',
      label: words.what,
      isHeader: true,
      cell: ({ action }) => (words.actions as Words)[action] ?? action,
    },
    { key: 'who', label: words.who, cell: ({ actor }) => actorOf(actor, texts) },
    { key: 'at', label: texts.columns.when, cell: ({ at }) => formats.dateTime(at) },
    {
      key: 'details',
      label: words.details,
      cell: ({ action, details }) => (
        <span class="quiet">
          {Object.entries(details).map(([name, value]) => (
            <span key={name}>
              {(words.facts as Words)[`${name} ${String(value)}`] ?? (
                <>
                  {(words.facts as Words)[name] ?? name}: <code>{textOf(action, name, value)}</code>
                </>
              )}{' '}
            </span>
          ))}
        </span>
      ),
    },
    { key: 'number', label: words.number, cell: ({ number }) => formats.number(number) },
  ];
  return <Table caption={words.title} columns={columns} rows={rows} keyOf={({ number }) => String(number)} />;
}

/** The audit trail, the latest entry first. */
export function AuditPage(): VNode {
  const { texts, words } = usePage(auditTexts);
  const { loadOlder, ...asked } = useTrail();
  const chosen = useSignal('');
  const isShown = ({ action }: AuditEntry): boolean => chosen.value === '' || action === chosen.value;
  return (
    <>
      <PageHead title={words.title} hint={words.hint}>
        <div class="no-print">
          <Select
            label={words.filter}
            value={chosen.value}
            options={[['', words.all], ...Object.entries(words.actions)]}
            onChoose={(value) => (chosen.value = value)}
          />
        </div>
      </PageHead>
      <Answered asked={asked}>
        {({ entries, isWhole, beginning, start }) => (
          <div class="stack">
            {isWhole ? (
              <p class="health" data-health="good">
                {words.whole}
              </p>
            ) : (
              <p class="notice notice-bad" role="alert">
                {words.broken}
              </p>
            )}
            {entries.length === 0 ? (
              <Empty title={words.empty} hint={words.emptyHint} />
            ) : !entries.some(isShown) ? (
              <p class="quiet">{words.noneOfKind}</p>
            ) : (
              <AuditTable rows={entries.filter(isShown)} />
            )}
            {start >= beginning && (
              <p class="actions no-print">
                <Button onClick={loadOlder}>{words.older}</Button>
              </p>
            )}
            <p class="only-print">{texts.app.name}</p>
          </div>
        )}
      </Answered>
    </>
  );
}
