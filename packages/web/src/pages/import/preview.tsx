import type { Signal } from '@preact/signals';
import type { ImportReport, ImportRow, RefusedLine } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Words } from '../../texts/language.js';
import { usePage } from '../../page-context.js';
import { listTexts } from '../../texts/topics/lists.js';
import { groupedId, seenWords } from '../../parts/words.js';
import { Table, type Column } from '../../parts/table.js';
import { compareByName, sortedByName } from '../../state/people/people.js';
import { Button } from '../../parts/button.js';
import { RowChoice, TagChoice, type RowChoices } from './row-choice.js';

/** Maximum number of shown lines: nobody corrects more by hand. */
const MOST = 100;

/** The refused lines, with reasons. */
function RefusedLines({ refused }: { readonly refused: readonly RefusedLine[] }): VNode {
  const { texts, formats } = usePage();
  return (
    <section class="refused" aria-labelledby="refused">
      <h3 id="refused">{texts.import.refused(refused.length)}</h3>
      <p>{texts.import.refusedHint}</p>
      <ul>
        {refused.slice(0, MOST).map(({ line, code, message }) => {
          const words = (texts.failure.codes as Words)[code];
          return (
            <li key={line}>
              <strong>{texts.import.lineNumber(formats.number(line))}</strong>{' '}
              <span lang={words === undefined ? 'en' : undefined}>{words ?? message}</span>
            </li>
          );
        })}
      </ul>
      {refused.length > MOST && <p>{texts.import.more(refused.length - MOST)}</p>}
    </section>
  );
}

/** The changes that a list would make, and the questions before it is saved. */
export function Preview({
  report,
  choices,
  isBusy,
  onNumbers,
  onTake,
  onBack,
  children,
}: {
  readonly report: ImportReport;
  /** What was chosen for rows. */
  readonly choices: Signal<RowChoices>;
  readonly isBusy: boolean;
  /** Says what the numbers are. */
  readonly onNumbers: (numbers: 'member' | 'running') => void;
  readonly onTake: () => void;
  readonly onBack: () => void;
  /** How the list was read. */
  readonly children: VNode;
}): VNode {
  const { texts, formats, words } = usePage(listTexts);
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves a screen reader to the changed content.
  useEffect(() => heading.current?.focus(), []);
  const { new: added, changed, same, doubtful, withoutTag, rows, refused, newGroups, left } = report;
  const changes = rows.filter(({ state }) => state === 'new' || state === 'changed');
  const asked = rows.filter(({ state }) => state === 'doubtful');
  const takes = asked.map(({ line }) => choices.value[line]?.take);
  const undecided = takes.filter((take) => take === undefined).length;
  const taken = changes.length + takes.filter((take) => take !== undefined && take !== 'skip').length;
  const label = { ...texts.import.counts, ...words.counts };
  const counts = [
    ['added', added],
    ['changed', changed],
    ['same', same],
    ['doubtful', doubtful],
    ['withoutTag', withoutTag],
    ['refused', refused.length],
  ] as const;
  // While there are questions, nobody knows whether something would change.
  const title =
    changes.length > 0
      ? words.change(changes.length)
      : asked.length > 0
        ? words.doubtful(asked.length)
        : words.none;
  // Several lines of one name that nobody in the record has, as in the first list of a school.
  const fresh = asked.filter(
    ({ candidates, doubts }) => candidates.length === 0 && doubts.every((doubt) => doubt === 'namesakes'),
  );
  const takeAllAsNew = (): void => {
    const all = fresh.map(({ line }) => [line, { take: 'new' }] as const);
    choices.value = { ...choices.value, ...Object.fromEntries(all) };
  };
  return (
    <section class="stack">
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <dl class="tiles">
        {counts.map(([key, count]) => (
          <div key={key} data-kind={count === 0 ? 'none' : key}>
            <dt>{label[key]}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
      {newGroups.length > 0 && <p>{words.newGroups(newGroups.join(', '))}</p>}
      {report.runningNumber && (
        <section class="notice" aria-labelledby="running">
          <h3 id="running">{words.running}</h3>
          <p>{words.runningHint}</p>
          <div class="actions">
            <Button onClick={() => onNumbers('member')}>{words.member}</Button>
            <Button onClick={() => onNumbers('running')}>{words.count}</Button>
          </div>
        </section>
      )}
      {refused.length > 0 && <RefusedLines refused={refused} />}
      {asked.length > 0 && (
        <section class="stack" aria-labelledby="doubtful">
          <h3 id="doubtful">{words.doubtful(asked.length)}</h3>
          {fresh.length > 1 && (
            <p class="actions">
              <Button onClick={takeAllAsNew}>{words.allNew(fresh.length)}</Button>
            </p>
          )}
          {asked.map((row) => (
            <RowChoice key={row.line} row={row} choices={choices} />
          ))}
        </section>
      )}
      <div class="actions">
        <Button onClick={onBack}>{texts.import.back}</Button>
        {taken > 0 && (
          <Button
            class="button button-main"
            isDisabled={isBusy || undecided > 0 || report.runningNumber}
            onClick={onTake}
          >
            {refused.length > 0 ? words.saveOthers(taken) : words.save(taken)}
          </Button>
        )}
        <p role="status">{undecided > 0 ? words.undecided(undecided) : ''}</p>
      </div>
      {changes.length > 0 && <Changes caption={title} changes={changes} choices={choices} />}
      {left.length > 0 && (
        <details>
          <summary>{words.left(left.length)}</summary>
          <p>{words.leftHint}</p>
          <ul>
            {sortedByName(left, texts.language).map(({ id, name, number }) => (
              <li key={id}>
                {name && formats.listName(name)} <span class="quiet">{number}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Changes({
  caption,
  changes,
  choices,
}: {
  readonly caption: string;
  readonly changes: readonly ImportRow[];
  readonly choices: Signal<RowChoices>;
}): VNode {
  const { texts, formats, words } = usePage(listTexts);
  const byName = compareByName(texts.language);
  const named = ({ line, name }: ImportRow): Parameters<typeof byName>[0] => ({ key: String(line), name });
  const columns: readonly Column<ImportRow>[] = [
    {
      key: 'line',
      label: texts.import.line,
      cell: ({ line }) => formats.number(line),
      compare: (one, other) => one.line - other.line,
    },
    {
      key: 'after',
      label: texts.columns.name,
      isHeader: true,
      cell: ({ name }) => formats.listName(name),
      compare: (one, other) => byName(named(one), named(other)),
    },
    {
      key: 'what',
      label: words.what,
      cell: (row) =>
        row.state === 'new' ? (
          <>
            <span class="mark-new">{texts.import.counts.added}</span>{' '}
            {[row.number ?? '', ...(row.groups ?? [])].filter(Boolean).join(' · ')}
          </>
        ) : (
          <WhatChanges row={row} />
        ),
      compare: (one, other) => Number(one.before === null) - Number(other.before === null),
    },
    {
      key: 'id',
      label: words.tags,
      cell: (row) => (
        <>
          {row.tags.map(({ id, text, lastSeen }) => (
            <span key={id}>
              {text === undefined ? '' : `${text} = `}
              <code class="id">{groupedId(id)}</code>
              {lastSeen && <span class="quiet"> {seenWords(lastSeen, texts, formats)}</span>}{' '}
            </span>
          ))}
          <TagChoice row={row} person={row.before} choices={choices} />
        </>
      ),
      compare: (one, other) => ((one.tags[0]?.id ?? '') < (other.tags[0]?.id ?? '') ? -1 : 1),
    },
  ];
  return (
    <Table
      caption={caption}
      columns={columns}
      rows={changes}
      keyOf={({ line }) => String(line)}
      sortedBy="line"
    />
  );
}

/** What a row changes of a person: each part with what it was before. */
function WhatChanges({ row: { before, changes, number, groups } }: { readonly row: ImportRow }): VNode {
  const { texts, formats, words } = usePage(listTexts);
  const labels = { name: texts.columns.name, ...words.changes };
  const parts = {
    name: [before?.name ? formats.listName(before.name) : '', ''],
    number: [before?.number ?? '', number ?? ''],
    groups: [before?.groups.join(', ') ?? '', groups?.join(', ') ?? ''],
    guest: ['', ''],
    tag: ['', ''],
  } as const;
  return (
    <>
      {changes.map((part) => (
        <div key={part}>
          {labels[part]} {parts[part][0] !== '' && <del>{parts[part][0]}</del>} {parts[part][1]}
        </div>
      ))}
    </>
  );
}
