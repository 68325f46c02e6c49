import { useSignal } from '@preact/signals';
import type { ImportReport } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { DateField } from '../../parts/form/field.js';
import { Failure } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { sortedByName } from '../../state/people/people.js';
import { paths } from '../../routing.js';
import { listTexts } from '../../texts/topics/lists.js';

/** What a list has changed, and what there is to do next. */
export function Done({
  report,
  onBack,
}: {
  readonly report: ImportReport;
  readonly onBack: () => void;
}): VNode {
  const { texts, formats, words } = usePage(listTexts);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { new: added, changed, withoutTag } = report;
  return (
    <section class="stack">
      <h2 ref={heading} tabIndex={-1}>
        {words.saved(added + changed)}
      </h2>
      <p>
        {texts.import.counts.added}: {formats.number(added)}. {texts.import.counts.changed}:{' '}
        {formats.number(changed)}. {words.counts.withoutTag}: {formats.number(withoutTag)}.
      </p>
      <div class="actions">
        {withoutTag > 0 && (
          <a href={paths.enrolment} class="button button-main">
            {words.giveTags(withoutTag)}
          </a>
        )}
        <a href={paths.people} class="button">
          {words.toPeople}
        </a>
        <Button onClick={onBack}>{texts.import.back}</Button>
      </div>
      {report.left.length > 0 && <Left left={report.left} />}
    </section>
  );
}

/** The members who are not in the list. Each may be said to have left. */
function Left({ left }: { readonly left: ImportReport['left'] }): VNode {
  const { session, client, texts, formats, words } = usePage(listTexts);
  const day = useSignal(session.clock.told.peek()?.day ?? 0);
  const ended = useSignal<Readonly<Record<string, number>>>({});
  const task = useTask();
  const end = (id: string): Promise<boolean> =>
    task.run(async () => {
      const until = day.peek();
      await client.post('/api/person', { body: { id, until } });
      ended.value = { ...ended.value, [id]: until };
    });
  return (
    <section class="stack" aria-labelledby="left">
      <h3 id="left">{words.left(left.length)}</h3>
      <p>{words.leftHint}</p>
      <DateField
        label={words.lastDay}
        day={day.value}
        onChoose={(chosen) => (day.value = chosen ?? day.peek())}
      />
      <Failure text={task.errorOf()} />
      <ul class="left-list">
        {sortedByName(left, texts.language).map(({ id, name, number }) => {
          const { [id]: until } = ended.value;
          const own = name === null ? id : formats.listName(name);
          return (
            <li key={id}>
              <a href={paths.person(id)} class="person-link">
                {own}
              </a>{' '}
              <span class="quiet">{number}</span>
              {until === undefined ? (
                <Button label={`${words.hasLeft}: ${own}`} onClick={() => void end(id)}>
                  {words.hasLeft}
                </Button>
              ) : (
                <span role="status">{words.leftOn(formats.shortDay(until))}</span>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
