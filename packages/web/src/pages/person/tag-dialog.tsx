import { useSignal } from '@preact/signals';
import type { PersonSummary, TagActReport } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { PersonChoice } from '../../parts/corrections/person-choice.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { DateField, Field } from '../../parts/form/field.js';
import { TagField } from '../../parts/form/person-fields.js';
import { Failure } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { useTaps, useTypedTag } from '../../parts/use-tag.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { momentOnDay, secondsOf } from '../../state/days.js';
import { peopleTexts } from '../../texts/topics/people.js';

/** What a dialog does with a tag. `give` lets the user say that it was theirs all along. */
export type Act = 'give' | 'lost' | 'found' | 'returned' | 'undo';

/** Does something with a tag, after it has shown what that changes. */
export function TagDialog({
  title,
  act,
  tag: knownTag,
  person: knownPerson,
  since,
  today,
  onClose,
}: {
  readonly title: string;
  readonly act: Act;
  /** `undefined`: it is tapped or typed. */
  readonly tag?: string;
  /** Who gets the tag; `undefined`: the user chooses. */
  readonly person?: PersonSummary;
  /** The second of the change to undo. */
  readonly since?: number;
  readonly today: number;
  readonly onClose: () => void;
}): VNode {
  const { session, client, texts, toasts, formats, words } = usePage(peopleTexts);
  const typed = useSignal('');
  const tapped = useSignal<{ readonly id: string; readonly at: number } | undefined>(undefined);
  const person = useSignal(knownPerson);
  const isAllAlong = useSignal(false);
  const day = useSignal(today);
  const time = useSignal('');
  const preview = useSignal<TagActReport | string | undefined>(undefined);
  const codes = { CLOCK_NOT_TRUSTED: words.clock, PERSON_CONFLICT: words.conflict };
  const task = useTask(codes);
  const { found } = useTypedTag(typed.value);
  const tag = knownTag ?? (found?.readings.length === 1 ? found.readings[0]?.id : undefined);
  useTaps(({ id, ...tap }) => {
    if (knownTag !== undefined || typed.peek() !== '') return;
    typed.value = groupedId(id);
    if ('at' in tap && tap.at !== null) tapped.value = { id, at: tap.at };
  });

  /** The second since which it holds; `undefined`: as the service decides, which is now. */
  const sinceOf = (): number | undefined => {
    if (act === 'undo') return since;
    const typedTime = secondsOf(time.value);
    const isTyped = !Number.isNaN(typedTime);
    if (day.value === today && !isTyped) return tapped.value?.id === tag ? tapped.value?.at : undefined;
    const { dayStart } = session.clock.told.peek() ?? { dayStart: '00:00' };
    const seconds = isTyped ? typedTime : secondsOf(dayStart);
    return momentOnDay(day.value, seconds, { dayStart, wallClock: formats.wallClock });
  };
  const isGiving = act === 'give';
  const isWhole = tag !== undefined && (!isGiving || person.value !== undefined);
  const second = isGiving && isAllAlong.value ? undefined : sinceOf();
  const body = {
    id: tag ?? '',
    format: 'hex' as const,
    act: isGiving && isAllAlong.value ? ('all-along' as const) : act,
    ...(isGiving && { person: person.value?.id }),
    ...(second !== undefined && { since: second }),
  };
  useEffect(() => {
    preview.value = undefined;
    if (!isWhole) return undefined;
    let isOver = false;
    const show = (value: TagActReport | string): void => {
      if (!isOver) preview.value = value;
    };
    client
      .post('/api/tag', { body: { ...body, isDryRun: true } })
      .then(show, (error: unknown) => show(wordsOfFailure(error, texts, codes)));
    return () => {
      isOver = true;
    };
  }, [isWhole, JSON.stringify(body)]);
  const submit = (): Promise<boolean> =>
    task.run(async () => {
      await client.post('/api/tag', { body });
      await session.people.load();
      session.load();
      toasts.done(words.done);
      onClose();
    });
  const { value: shown } = preview;
  return (
    <FormDialog
      title={title}
      task={task}
      label={texts.app.save}
      isReady={typeof shown === 'object'}
      onSubmit={submit}
      onClose={onClose}
    >
      {knownTag === undefined && (
        <TagField
          tag={found}
          label={words.tag}
          value={typed}
          hint={words.tagHint}
          error={found?.error}
          autoFocus
        />
      )}
      {isGiving && person.value === undefined && (
        <PersonChoice error={undefined} isPerson onChoose={(chosen) => (person.value = chosen.person)} />
      )}
      {isGiving && person.value !== undefined && (
        <>
          <p class="chosen">
            <strong>{person.value.name && formats.name(person.value.name)}</strong>{' '}
            {session.people.markOf(person.value)}
          </p>
          <div class="stack">
            <Button isPressed={!isAllAlong.value} onClick={() => (isAllAlong.value = false)}>
              {words.fromNow}
            </Button>
            <Button isPressed={isAllAlong.value} onClick={() => (isAllAlong.value = true)}>
              {words.allAlong}
            </Button>
          </div>
        </>
      )}
      {act !== 'undo' && !(isGiving && isAllAlong.value) && (
        <div class="name-fields">
          <DateField
            label={words.when}
            day={day.value}
            onChoose={(chosen) => (day.value = chosen ?? today)}
          />
          <Field
            label={words.time}
            type="time"
            value={time}
            hint={day.value === today ? words.timeNow : words.timeStart}
          />
        </div>
      )}
      {typeof shown === 'string' ? <Failure text={shown} /> : shown && <Moves report={shown} />}
    </FormDialog>
  );
}

/** What an act changes, in words. */
function Moves({ report: { moves, before } }: { readonly report: TagActReport }): VNode {
  const { session, texts, formats, words } = usePage(peopleTexts);
  const { people } = session;
  const nameOf = (holder: TagActReport['moves'][number]['before']): string => {
    if (holder === null) return words.why.given;
    if (holder.name === null) return holder.person;
    const known = people.byId.value.get(holder.person);
    return `${formats.name(holder.name)} ${known === undefined ? '' : people.markOf(known)}`.trimEnd();
  };
  const spanOf = (from: number, until: number | null): string => {
    const start = from === 0 ? words.always : words.since(formats.dateTime(from));
    return until === null ? start : `${start} – ${formats.dateTime(until)}`;
  };
  const [first] = moves;
  // Only if they held it before too.
  const stays =
    first !== undefined &&
    first.before !== null &&
    before.some(({ person, since }) => person === first.before?.person && since < first.from);
  return (
    <div role="status" class="notice">
      {first === undefined ? (
        texts.import.wouldChange(0)
      ) : (
        <ul>
          {moves.map(({ from, until, before: former, after, days }) => (
            <li key={from}>
              {words.move(spanOf(from, until), nameOf(former), nameOf(after), texts.days.days(days))}
            </li>
          ))}
          {stays && <li>{words.stays(nameOf(first.before))}</li>}
        </ul>
      )}
    </div>
  );
}
