import type { Name } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { NameFields, TagField } from '../../parts/form/person-fields.js';
import { useTaps, useTypedTag } from '../../parts/use-tag.js';
import { useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { changesTo, undoing, type Holder, type NameChange } from '../../state/names/names.js';
import { Button } from '../../parts/button.js';

/** Adds a person, or changes name and tags of a person. */
export function PersonDialog({
  holder,
  onClose,
}: {
  readonly holder: Holder | undefined;
  /** @param name The new name of a person whose name was changed. */
  readonly onClose: (name?: Name) => void;
}): VNode {
  const { session, texts, toasts, formats } = usePage();
  const first = useSignal(holder?.name.first ?? '');
  const last = useSignal(holder?.name.last ?? '');
  const ids = useSignal<readonly string[]>(holder?.ids ?? []);
  const tag = useSignal('');
  const task = useTask();
  const { names } = session;
  const { found, read } = useTypedTag(tag.value);
  const typedId = found?.readings.length === 1 ? found.readings[0]?.id : undefined;
  const owner = typedId === undefined ? undefined : names.all.value.get(typedId);

  // Only a tag without a name: others may be tapping at the door meanwhile.
  useTaps(({ id }) => {
    if (tag.peek() === '' && !names.all.peek().has(id)) tag.value = groupedId(id);
  });

  const close = (): void => onClose();
  const fail = (error: unknown): void => toasts.failed(wordsOfFailure(error, texts));
  const apply = (changes: readonly NameChange[], done: string, name?: Name): Promise<boolean> =>
    task.run(async () => {
      await names.apply(changes);
      const undo = (): void =>
        void names.apply(undoing(changes)).then(() => toasts.done(texts.app.undone), fail);
      toasts.done(done, { label: texts.app.undo, run: undo });
      onClose(name);
    });
  const save = async (): Promise<void> => {
    const { readings, error: problem } = await read();
    const [reading] = readings;
    // What a number means is shown before it is saved.
    if (found === undefined && reading !== undefined && reading.format !== 'hex') return;
    const name = { first: first.value.trim(), last: last.value.trim() };
    const all = reading === undefined ? ids.value : [...new Set([...ids.value, reading.id])];
    if (name.first === '' && name.last === '') task.fail(texts.names.nameMissing, 'name');
    else if (problem !== undefined || readings.length > 1) task.fail(problem ?? texts.names.tagWhich, 'tag');
    else if (all.length === 0) task.fail(texts.names.tagMissing, 'tag');
    else {
      const changes = changesTo(names.all.peek(), holder, name, all);
      if (changes.length === 0) onClose();
      else await apply(changes, texts.app.saved(formats.name(name)), holder && name);
    }
  };
  const remove = ({ name, ids: held }: Holder): void => {
    const changes = held.map((id) => ({ id, before: name, after: null }));
    void apply(changes, texts.names.removed(formats.name(name)));
  };
  return (
    <FormDialog
      title={holder === undefined ? texts.names.add : formats.name(holder.name)}
      task={task}
      label={texts.app.save}
      more={
        holder && (
          <Button class="button button-bad" onClick={() => remove(holder)}>
            {texts.names.remove}
          </Button>
        )
      }
      onSubmit={save}
      onClose={close}
    >
      <NameFields
        first={first}
        last={last}
        error={task.errorOf('name')}
        onInput={() => task.fail(undefined)}
        autoFocus
      />
      {ids.value.length > 0 && (
        <ul class="tag-chips" aria-label={texts.names.tags}>
          {ids.value.map((id) => (
            <li key={id}>
              <code class="id">{groupedId(id)}</code>
              <Button
                icon="close"
                class="button-plain"
                label={`${texts.names.removeTag}: ${groupedId(id)}`}
                onClick={() => (ids.value = ids.value.filter((each) => each !== id))}
              />
            </li>
          ))}
        </ul>
      )}
      <TagField
        tag={found}
        label={ids.value.length === 0 ? texts.names.tag : texts.names.anotherTag}
        value={tag}
        hint={texts.names.tagHint}
        error={task.errorOf('tag')}
        onInput={() => task.fail(undefined)}
      />
      {owner && typedId !== undefined && !ids.value.includes(typedId) && (
        <p class="notice" role="status">
          {texts.names.tagMoves(formats.name(owner))}
        </p>
      )}
      {holder && <a href={paths.person(holder.ids[0] ?? '')}>{texts.names.presence}</a>}
    </FormDialog>
  );
}
