import type { UnnamedTag } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { paths } from '../../routing.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { Table, type Column } from '../../parts/table.js';
import { Enrolment, type NameChange } from '../../state/people/enrolment.js';
import { PageHead } from '../../parts/placeholders.js';
import { Icon } from '../../parts/icon.js';
import { useTaps } from '../../parts/use-tag.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { EnrolForm } from './enrol-form.js';
import { Button } from '../../parts/button.js';

/** The tags without a name that were read in the last weeks. */
function UnnamedTable({ enrolment }: { readonly enrolment: Enrolment }): VNode | null {
  const { texts, formats, words } = usePage(peopleTexts);
  const columns: readonly Column<UnnamedTag>[] = [
    {
      key: 'id',
      label: words.tag,
      isHeader: true,
      cell: ({ id }) => <code class="id">{groupedId(id)}</code>,
      compare: (one, other) => (one.id < other.id ? -1 : 1),
    },
    {
      key: 'at',
      label: texts.enrol.seen,
      cell: ({ at }) => formats.dateTime(at),
      compare: (one, other) => one.at - other.at,
    },
    {
      key: 'scans',
      label: texts.columns.taps,
      cell: ({ scans }) => formats.number(scans),
      compare: (one, other) => one.scans - other.scans,
    },
    { key: 'reader', label: texts.columns.reader, cell: ({ reader }) => reader ?? '' },
    {
      key: 'name',
      label: texts.columns.name,
      cell: ({ id, lostBy }) =>
        lostBy === undefined ? (
          <Button label={`${texts.tap.giveName}: ${groupedId(id)}`} onClick={() => enrolment.choose(id)}>
            {texts.tap.giveName}
          </Button>
        ) : (
          <a href={paths.person(lostBy.person)} class="person-link">
            {words.why.lost}: {lostBy.name && formats.listName(lostBy.name)}
          </a>
        ),
    },
  ];
  const { value: rows } = enrolment.unnamed;
  if (rows === undefined || rows.length === 0) return null;
  return (
    <section class="unnamed-list" aria-labelledby="unnamed-list">
      <h2 id="unnamed-list">{texts.today.unnamed(rows.length)}</h2>
      <p class="quiet">{texts.enrol.unnamedHint}</p>
      <Table
        caption={texts.today.unnamed(rows.length)}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        sortedBy="at"
        isDescending
      />
    </section>
  );
}

/** The names given on this page, the latest first. */
function DoneList({ enrolment }: { readonly enrolment: Enrolment }): VNode {
  const { texts, toasts, formats } = usePage();
  const undo = (change: NameChange): void => {
    enrolment.undo(change).catch((error: unknown) => toasts.failed(wordsOfFailure(error, texts)));
  };
  const { value: done } = enrolment.done;
  return (
    <section class="enrol-done" aria-labelledby="enrol-done">
      <h2 id="enrol-done">{texts.enrol.done(done.length)}</h2>
      {done.length === 0 && <p class="quiet">{texts.enrol.doneHint}</p>}
      <ul>
        {done.map((change) => (
          <li key={change.id}>
            <Icon name="done" />
            <span>
              {formats.listName(change.after)}
              <br />
              <code class="id quiet">{groupedId(change.id)}</code>
            </span>
            <Button label={`${texts.app.undo}: ${groupedId(change.id)}`} onClick={() => undo(change)}>
              {texts.app.undo}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Gives tags their names, one after another, with the keyboard alone. */
export function EnrolPage({ id = '' }: Readonly<Record<string, string | undefined>>): VNode {
  const { session, texts } = usePage();
  const { service, people, clock } = session;
  const [enrolment] = useState(() => new Enrolment({ service, people, clock }));
  useEffect(() => {
    // If this fails, only the list is missing.
    void enrolment.load().catch(() => undefined);
  }, [enrolment]);
  useEffect(() => {
    if (/^(?:[0-9A-F]{2}){3,10}$/.test(id)) enrolment.choose(id);
  }, [enrolment, id]);
  useTaps((tap) => enrolment.take(tap));
  return (
    <>
      <PageHead title={texts.enrol.title} hint={texts.enrol.hint} />
      <div class="enrol">
        <EnrolForm enrolment={enrolment} />
        <DoneList enrolment={enrolment} />
      </div>
      <UnnamedTable enrolment={enrolment} />
    </>
  );
}
