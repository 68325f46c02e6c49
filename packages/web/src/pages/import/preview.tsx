import type { ImportReport, ImportRow, RefusedLine } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Words } from '../../texts/language.js';
import { usePage } from '../../page-context.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { groupedId, seenWords } from '../../parts/words.js';
import { Table, type Column } from '../../parts/table.js';
import { compareByName } from '../../state/people/people.js';
import { Button } from '../../parts/button.js';

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

/** The changes that a list would make. */
export function Preview({
  report,
  isBusy,
  onTake,
  onBack,
  children,
}: {
  readonly report: ImportReport;
  readonly isBusy: boolean;
  readonly onTake: () => void;
  readonly onBack: () => void;
  /** How the list was read. */
  readonly children: VNode;
}): VNode {
  const { texts, formats } = usePage();
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves a screen reader to the changed content.
  useEffect(() => heading.current?.focus(), []);
  const { new: added, changed, same, rows, refused } = report;
  const changes = rows.filter(({ state }) => state === 'new' || state === 'changed');
  const counts = [
    ['added', added],
    ['changed', changed],
    ['same', same],
    ['refused', refused.length],
  ] as const;
  return (
    <section class="stack">
      <h2 ref={heading} tabIndex={-1}>
        {texts.import.wouldChange(changes.length)}
      </h2>
      {children}
      <dl class="tiles">
        {counts.map(([key, count]) => (
          <div key={key} data-kind={count === 0 ? 'none' : key}>
            <dt>{texts.import.counts[key]}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
      {refused.length > 0 && <RefusedLines refused={refused} />}
      <div class="actions">
        <Button onClick={onBack}>{texts.import.back}</Button>
        {changes.length > 0 && (
          <Button class="button button-main" isDisabled={isBusy} onClick={onTake}>
            {refused.length > 0 ? texts.import.takeOthers(changes.length) : texts.import.take(changes.length)}
          </Button>
        )}
      </div>
      {changes.length > 0 && <Changes changes={changes} />}
    </section>
  );
}

function Changes({ changes }: { readonly changes: readonly ImportRow[] }): VNode {
  const { texts, formats, words } = usePage(peopleTexts);
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
      key: 'before',
      label: texts.import.before,
      cell: ({ before }) =>
        before === null ? (
          <span class="mark-new">{texts.import.counts.added}</span>
        ) : (
          before.name && <del>{formats.listName(before.name)}</del>
        ),
      compare: (one, other) => Number(one.before === null) - Number(other.before === null),
    },
    {
      key: 'id',
      label: words.tag,
      cell: ({ tags }) =>
        tags.map(({ id, text, lastSeen }) => (
          <span key={id}>
            {text === undefined ? '' : `${text} = `}
            <code class="id">{groupedId(id)}</code>
            {lastSeen && <span class="quiet"> {seenWords(lastSeen, texts, formats)}</span>}
          </span>
        )),
      compare: (one, other) => ((one.tags[0]?.id ?? '') < (other.tags[0]?.id ?? '') ? -1 : 1),
    },
  ];
  return (
    <Table
      caption={texts.import.wouldChange(changes.length)}
      columns={columns}
      rows={changes}
      keyOf={({ line }) => String(line)}
      sortedBy="line"
    />
  );
}
