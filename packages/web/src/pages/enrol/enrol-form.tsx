import { untracked, useSignal, type Signal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { NameFields, TagField } from '../../parts/form/person-fields.js';
import { useTypedTag } from '../../parts/use-tag.js';
import { Form } from '../../parts/form/dialog.js';
import { useTask, type Task } from '../../parts/use-requests.js';
import { Failure } from '../../parts/placeholders.js';
import { PersonName } from '../../parts/person-name.js';
import { paths } from '../../routing.js';
import { groupedId } from '../../parts/words.js';
import { Icon } from '../../parts/icon.js';
import type { Enrolment } from '../../state/people/enrolment.js';
import { listTexts } from '../../texts/topics/lists.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { Button } from '../../parts/button.js';
import { WhoList } from './who-list.js';

/** Asks whose a tag is, one tag after another: from the list of people, or somebody new. */
export function EnrolForm({ enrolment }: { readonly enrolment: Enrolment }): VNode {
  const { session, texts, formats, words } = usePage(listTexts);
  const { people } = session;
  const text = useSignal('');
  const isNew = useSignal(false);
  const task = useTask({
    CLOCK_NOT_TRUSTED: words.clock,
    PERSON_CONFLICT: peopleTexts[texts.language].conflict,
  });
  const search = useRef<HTMLInputElement>(null);
  const current = enrolment.current.value;
  const waiting = enrolment.waiting.value.length;
  const { value: known } = enrolment.known;
  const { value: last } = enrolment.last;

  // A layout effect, so that it runs before anybody can type into the form of the next tag: that text would be lost.
  useLayoutEffect(() => {
    // A tag that somebody has is renamed.
    isNew.value = untracked(() => people.nameOf(current)) !== undefined;
    task.fail(undefined);
  }, [current]);
  const isAsking = current !== '' && !isNew.value;
  useLayoutEffect(() => {
    // A keyboard on the screen would hide the list.
    if (isAsking && !matchMedia('(pointer: coarse)').matches) search.current?.focus();
  }, [isAsking, current]);

  const giveTo = (person: PersonSummary): void => {
    if (task.isBusy.peek()) return;
    // What is typed from now on is for the next tag.
    const before = text.peek();
    text.value = '';
    void task
      .run(() => enrolment.giveTo(current, person))
      .then((isDone) => {
        if (!isDone && text.peek() === '') text.value = before;
      });
  };
  const skip = (): void => {
    // What was typed was for this tag, not for the next one.
    text.value = '';
    enrolment.next();
  };
  const undoLast = (): void => void task.run(() => enrolment.undoLast());
  return (
    <div
      class="enrol-form"
      data-waits={current === ''}
      onKeyDown={({ key, repeat, target }) => {
        if (key === 'Escape') skip();
        // In a field with a text the key deletes letters.
        if (key === 'Delete' && !repeat && !(target instanceof HTMLInputElement && target.value !== ''))
          undoLast();
      }}
    >
      <div class="enrol-state">
        <Icon name="tag" />
        <p role="status">
          <strong>{current === '' ? texts.enrol.hold : texts.enrol.whose(groupedId(current))}</strong>{' '}
          {waiting > 0 && <span class="quiet">{texts.enrol.waiting(waiting)}</span>}
          {known === undefined ? undefined : (
            <span class="quiet">{texts.enrol.known(formats.name(known.name))}</span>
          )}
        </p>
        {known === undefined ? undefined : (
          <Button onClick={() => enrolment.choose(known.id)}>{texts.enrol.rename}</Button>
        )}
      </div>
      <p class="enrol-read" aria-live="assertive">
        {last === undefined
          ? ''
          : last.isUndone
            ? words.undone(formats.name(last.after))
            : words.given(groupedId(last.id), formats.name(last.after))}
      </p>
      {current === '' ? (
        <TypedTag enrolment={enrolment} task={task} />
      ) : isNew.value ? (
        <NewPerson key={current} enrolment={enrolment} id={current} text={text} task={task} />
      ) : (
        <>
          <Failure text={task.errorOf()} />
          <WhoList text={text} inputRef={search} onChoose={giveTo} onNew={() => (isNew.value = true)} />
        </>
      )}
      <div class="actions">
        <p class="quiet enrol-keys">{words.keys}</p>
        {enrolment.done.value.length > 0 && <Button onClick={undoLast}>{words.undoLast}</Button>}
        {current === '' ? undefined : <Button onClick={skip}>{texts.enrol.skip}</Button>}
      </div>
    </div>
  );
}

/** The number of a tag, typed by a person or by a reader that is a keyboard. */
function TypedTag({ enrolment, task }: { readonly enrolment: Enrolment; readonly task: Task }): VNode {
  const { texts, words } = usePage(peopleTexts);
  const tag = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  const { found, read } = useTypedTag(tag.value);
  useLayoutEffect(() => input.current?.focus(), []);
  const goOn = async (): Promise<void> => {
    const { readings, error: problem } = await read();
    const [{ id } = { id: '' }] = readings;
    if (readings.length === 1) {
      enrolment.choose(id);
      return;
    }
    task.fail(
      problem ?? (readings.length > 1 ? words.tagWhich : texts.failure.codes.INVALID_TALLY_ID),
      'tag',
    );
    input.current?.focus();
  };
  return (
    <Form task={task} label={texts.enrol.next} onSubmit={goOn}>
      <TagField
        tag={found}
        label={words.tag}
        value={tag}
        hint={words.tagHint}
        error={task.errorOf('tag')}
        inputRef={input}
        onInput={() => task.fail(undefined)}
      />
    </Form>
  );
}

/** First and last name: Enter goes from the one to the other, and then to the next tag. */
function NewPerson({
  enrolment,
  id,
  text,
  task,
}: {
  readonly enrolment: Enrolment;
  readonly id: string;
  /** What was typed in the search; empty afterwards. */
  readonly text: Signal<string>;
  readonly task: Task;
}): VNode {
  const { session, texts, formats, words } = usePage(peopleTexts);
  const { people } = session;
  const owner = people.nameOf(id);
  const typed = text.peek().trim();
  const space = typed.lastIndexOf(' ');
  const first = useSignal(owner?.first ?? (space < 0 ? typed : typed.slice(0, space)));
  const last = useSignal(owner?.last ?? (space < 0 ? '' : typed.slice(space + 1)));
  const firstInput = useRef<HTMLInputElement>(null);
  const lastInput = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    text.value = '';
    (typed === '' ? firstInput : lastInput).current?.focus();
  }, []);
  const name = { first: first.value.trim(), last: last.value.trim() };
  const namesakes = owner === undefined ? people.namesakesOf(name) : [];
  const goOn = async (): Promise<void> => {
    if (document.activeElement === firstInput.current) lastInput.current?.focus();
    else if (name.first === '' && name.last === '') {
      task.fail(words.nameMissing, 'name');
      firstInput.current?.focus();
    } else await task.run(() => enrolment.give(id, name));
  };
  const clear = (): void => task.fail(undefined);
  return (
    <Form task={task} label={texts.app.save} onSubmit={goOn}>
      <NameFields
        first={first}
        last={last}
        error={task.errorOf('name')}
        onInput={clear}
        firstRef={firstInput}
        lastRef={lastInput}
      />
      <div class="notice" role="status" hidden={owner === undefined && namesakes.length === 0}>
        {owner !== undefined
          ? words.renames(formats.name(owner))
          : namesakes.length > 0 && (
              <>
                {texts.enrol.namesake}
                {namesakes.map((person) => (
                  <p key={person.id}>
                    <a href={paths.person(person.id)} class="person-link">
                      <PersonName name={name} mark={people.markOf(person)} />
                    </a>
                  </p>
                ))}
              </>
            )}
      </div>
    </Form>
  );
}
