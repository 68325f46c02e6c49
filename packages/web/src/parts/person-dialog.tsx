import { useSignal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { FormDialog } from './form/dialog.js';
import { DateField, Field } from './form/field.js';
import { NameFields } from './form/person-fields.js';
import { useTask } from './use-requests.js';
import { peopleTexts } from '../texts/topics/people.js';

const NUMBER_MAX_LENGTH = 40;

/** Adds a person, or changes name, number and membership. */
export function PersonDialog({
  person,
  until: proposed = person?.until ?? null,
  onClose,
}: {
  /** `undefined` for a new person. */
  readonly person?: PersonSummary;
  /** Proposed last day of membership. */
  readonly until?: number | null;
  /** @param id The person, if something was saved. */
  readonly onClose: (id?: string) => void;
}): VNode {
  const { session, client, texts, toasts, formats, words } = usePage(peopleTexts);
  const first = useSignal(person?.name?.first ?? '');
  const last = useSignal(person?.name?.last ?? '');
  const number = useSignal(person?.number ?? '');
  const from = useSignal(person?.from ?? null);
  const until = useSignal(proposed);
  const task = useTask({ PERSON_CONFLICT: words.numberTaken });
  const clear = (): void => task.fail(undefined);
  const save = async (): Promise<void> => {
    const name = { first: first.value.trim(), last: last.value.trim() };
    if (name.first === '' && name.last === '') {
      task.fail(words.nameMissing, 'name');
      return;
    }
    await task.run(async () => {
      const fields = { name, number: number.value.trim() || null, from: from.value, until: until.value };
      const { id } = await client.post('/api/person', {
        body: person === undefined ? fields : { id: person.id, ...fields },
      });
      await session.people.load();
      toasts.done(texts.app.saved(formats.name(name)));
      onClose(id);
    });
  };
  return (
    <FormDialog
      title={person?.name ? formats.name(person.name) : words.add}
      task={task}
      label={texts.app.save}
      onSubmit={save}
      onClose={() => onClose()}
    >
      <NameFields first={first} last={last} error={task.errorOf('name')} onInput={clear} autoFocus />
      <Field label={words.number} value={number} maxLength={NUMBER_MAX_LENGTH} onInput={clear} />
      <div class="name-fields">
        <DateField label={words.from} day={from.value} onChoose={(day) => (from.value = day ?? null)} />
        <DateField label={words.until} day={until.value} onChoose={(day) => (until.value = day ?? null)} />
      </div>
    </FormDialog>
  );
}
