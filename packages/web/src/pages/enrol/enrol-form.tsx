import { untracked, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { NameFields, TagField } from '../../parts/form/person-fields.js';
import { useTypedTag } from '../../parts/use-tag.js';
import { Form } from '../../parts/form/dialog.js';
import { useTask } from '../../parts/use-requests.js';
import { PersonName } from '../../parts/person-name.js';
import { paths } from '../../routing.js';
import { groupedId } from '../../parts/words.js';
import { Icon } from '../../parts/icon.js';
import type { Enrolment } from '../../state/people/enrolment.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { Button } from '../../parts/button.js';

/** Tag, first name, last name: Enter goes from each field to the next, and from the last field to the next tag. */
export function EnrolForm({ enrolment }: { readonly enrolment: Enrolment }): VNode {
  const { session, texts, formats, words } = usePage(peopleTexts);
  const { people } = session;
  const tag = useSignal('');
  const first = useSignal('');
  const last = useSignal('');
  const task = useTask();
  const tagInput = useRef<HTMLInputElement>(null);
  const firstInput = useRef<HTMLInputElement>(null);
  const lastInput = useRef<HTMLInputElement>(null);
  const current = enrolment.current.value;
  const { found, read } = useTypedTag(tag.value);
  const typedId = found?.readings.length === 1 ? found.readings[0]?.id : undefined;
  const owner = typedId === undefined ? undefined : people.nameOf(typedId);
  const name = { first: first.value.trim(), last: last.value.trim() };
  const namesakes = owner === undefined ? people.namesakesOf(name) : [];

  const fill = (): void => {
    const id = enrolment.current.peek();
    const before = untracked(() => people.nameOf(id));
    tag.value = groupedId(id);
    first.value = before?.first ?? '';
    last.value = before?.last ?? '';
    task.fail(undefined);
    (id === '' ? tagInput : firstInput).current?.focus();
  };
  // A layout effect, so that it runs before anybody can type into the form of the next tag: that text would be lost.
  useLayoutEffect(fill, [current]);

  const save = (id: string): Promise<boolean> =>
    task.run(async () => {
      await enrolment.give(id, name);
      // Without another tag, the one in the form was typed, and no other one takes its place.
      if (current === enrolment.current.peek()) fill();
    });
  const goOn = async (): Promise<void> => {
    const { activeElement } = document;
    const { readings, error: problem } = await read();
    const [{ id: typedId } = { id: '' }] = readings;
    if (readings.length !== 1) {
      task.fail(
        problem ?? (readings.length > 1 ? words.tagWhich : texts.failure.codes.INVALID_TALLY_ID),
        'tag',
      );
      tagInput.current?.focus();
    } else if (activeElement === tagInput.current) {
      if (typedId === current) firstInput.current?.focus();
      else enrolment.choose(typedId);
    } else if (activeElement === firstInput.current) {
      lastInput.current?.focus();
    } else if (name.first === '' && name.last === '') {
      task.fail(words.nameMissing, 'name');
      firstInput.current?.focus();
    } else {
      await save(typedId);
    }
  };
  const clear = (): void => task.fail(undefined);
  const waiting = enrolment.waiting.value.length;
  const { value: known } = enrolment.known;
  return (
    <div
      class="enrol-form"
      data-waits={current === ''}
      onKeyDown={({ key }) => {
        if (key === 'Escape') enrolment.next();
      }}
    >
      <Form
        task={task}
        label={texts.app.save}
        more={
          <>
            <p class="quiet enrol-keys">{texts.enrol.keys}</p>
            {current === '' ? undefined : (
              <Button onClick={() => enrolment.next()}>{texts.enrol.skip}</Button>
            )}
          </>
        }
        onSubmit={goOn}
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
        <TagField
          tag={found}
          label={words.tag}
          value={tag}
          hint={words.tagHint}
          error={task.errorOf('tag')}
          inputRef={tagInput}
          onInput={clear}
        />
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
    </div>
  );
}
