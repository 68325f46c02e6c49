import { useSignal } from '@preact/signals';
import type { AuditEntry } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Table, type Column, type Sorting } from '../../parts/table/table.js';
import { actorOf } from '../../parts/words/actor-of.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { auditTexts } from '../../texts/topics/audit.js';

/** Details with numbers of days: `action detail`. */
const DAYS = / (day|from|to)$|^retention-applied before/;

/** A row for each action. */
export function AuditTable({ rows }: { readonly rows: readonly AuditEntry[] }): VNode {
  const { texts, formats } = usePage();
  const words = useTopic(auditTexts);
  const sorting = useSignal<Sorting>({ key: '', isDescending: false });
  const textOf = (action: string, name: string, value: unknown): string => {
    if (typeof value === 'number' && DAYS.test(`${action} ${name}`)) return formats.shortDay(value);
    if (typeof value === 'number' && action === 'time-set') return formats.dateTime(value);
    return (name === 'role' ? texts.access.roles[String(value)] : undefined) ?? String(value);
  };
  const columns = useMemo<readonly Column<AuditEntry>[]>(
    () => [
      {
        key: 'what',
        label: words.what,
        isHeader: true,
        cell: ({ action }) => words.actions[action] ?? action,
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
                {words.facts[`${name} ${String(value)}`] ?? (
                  <>
                    {words.facts[name] ?? name}: <code>{textOf(action, name, value)}</code>
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
