import { useSignal } from '@preact/signals';
import type { AuditEntry } from '@tallybook/client';
import { useEffect, useMemo } from 'preact/hooks';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { Table, type Column, type Sorting } from '../parts/table.js';
import { actorOf, useTopic } from '../parts/words.js';
import { auditTexts } from '../texts/topics/audit.js';
import { Select } from '../parts/form/field.js';
import { Answered, Empty } from '../parts/placeholders.js';
import { Button } from '../parts/button.js';
import type { Words } from '../texts/language.js';

/** Number of entries in one request. */
const LIMIT = 100;

interface Trail {
  /** Descending by number; `undefined` until they are read. */
  readonly entries: readonly AuditEntry[] | undefined;
  /** Whether no entry among those that were read is missing or was changed. */
  readonly isWhole: boolean;
  readonly hasOlder: boolean;
  readonly isMissing: boolean;
  readonly load: () => void;
  readonly loadOlder: () => void;
}

/** The trail from its end: first the latest entries, then older ones on request. */
function useTrail(): Trail {
  const { client } = usePage();
  const entries = useSignal<readonly AuditEntry[] | undefined>(undefined);
  const isWhole = useSignal(true);
  const isMissing = useSignal(false);
  /** Number of the oldest kept entry: older ones may have been removed because of their age. */
  const beginning = useSignal(1);
  /** All entries after this number were read. */
  const start = useSignal(0);
  const readLatest = async (): Promise<void> => {
    // Without a number the service sends the latest.
    const [part, { entries: oldest }] = await Promise.all([
      client.readAudit({ limit: LIMIT }),
      client.readAudit({ after: 0, limit: 1 }),
    ]);
    beginning.value = oldest[0]?.number ?? 1;
    start.value = Math.max(0, (part.entries.at(-1)?.number ?? 0) - LIMIT);
    entries.value = [...part.entries].reverse();
    isWhole.value = part.isWhole;
  };
  const readOlder = async (): Promise<void> => {
    const end = start.peek();
    const after = Math.max(0, end - LIMIT);
    const part = await client.readAudit({ after, limit: end - after });
    // If some entries are missing, the service returns later ones instead.
    const found = part.entries.filter(({ number }) => number <= end);
    start.value = after;
    entries.value = [...(entries.peek() ?? []), ...[...found].reverse()];
    isWhole.value &&= part.isWhole;
  };
  const run = async (read: () => Promise<void>): Promise<void> => {
    try {
      await read();
      isMissing.value = false;
    } catch {
      isMissing.value = true;
    }
  };
  const load = (): void => void run(readLatest);
  useEffect(load, []);
  return {
    entries: entries.value,
    isWhole: isWhole.value,
    hasOlder: start.value >= beginning.value,
    isMissing: isMissing.value,
    load,
    loadOlder: () => void run(readOlder),
  };
}

/** Details with numbers of days: `action detail`. */
const DAYS = / (day|from|to)$|^retention-applied before/;

/** A row for each action. */
function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }): VNode {
  const { texts, formats } = usePage();
  const words = useTopic(auditTexts);
  const sorting = useSignal<Sorting>({ key: '', isDescending: false });
  const textOf = (action: string, name: string, value: unknown): string => {
    if (typeof value === 'number' && DAYS.test(`${action} ${name}`)) return formats.shortDay(value);
    if (typeof value === 'number' && action === 'time-set') return formats.dateTime(value);
    return (name === 'role' ? (texts.access.roles as Words)[String(value)] : undefined) ?? String(value);
  };
  const columns = useMemo<readonly Column<AuditEntry>[]>(
    () => [
      {
        key: 'what',
        label: words.what,
        isHeader: true,
        cell: ({ action }) => (words.actions as Words)[action] ?? action,
      },
      { key: 'who', label: words.who, cell: ({ actor }) => actorOf(actor, texts) },
      { key: 'when', label: words.when, cell: ({ at }) => formats.dateTime(at) },
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
    ],
    [words, texts, formats],
  );
  return (
    <Table
      caption={words.title}
      columns={columns}
      rows={rows}
      keyOf={({ number }) => String(number)}
      sorting={sorting}
    />
  );
}

/** The audit trail, the latest entry first. */
export function AuditPage(): VNode {
  const { texts } = usePage();
  const words = useTopic(auditTexts);
  const { entries, isWhole, hasOlder, isMissing, load, loadOlder } = useTrail();
  const chosen = useSignal('');
  const rows = entries?.filter(({ action }) => chosen.value === '' || action === chosen.value);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
        <Select
          label={words.filter}
          value={chosen.value}
          options={[['', words.all], ...Object.entries(words.actions)]}
          onChoose={(value) => (chosen.value = value)}
        />
      </div>
      <Answered asked={{ value: rows, isMissing, load }}>
        {(some) => (
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
            {entries?.length === 0 ? (
              <Empty title={words.empty} hint={words.emptyHint} />
            ) : some.length === 0 ? (
              <p class="quiet">{words.noneOfKind}</p>
            ) : (
              <AuditTable rows={some} />
            )}
            {hasOlder && (
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
