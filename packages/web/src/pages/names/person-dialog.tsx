import type { Name } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { Dialog } from '../../parts/form/dialog.js';
import { NameFields, TagField } from '../../parts/form/person-fields.js';
import { useTaps, useTypedTag } from '../../parts/use-tag.js';
import { paths } from '../../routing.js';
import { changesTo, undoing, type Holder, type NameChange } from '../../state/names/names.js';
import { Button } from '../../parts/button.js';

/** Makes a change. @returns A function that undoes it. */
type Undoable = () => Promise<() => Promise<unknown>>;

/**
 * Makes a change, and shows a message with a button to undo it.
 *
 * @returns The reason for a failure, in words; `undefined` after success.
 */
function useUndoable(): (run: Undoable, done: string) => Promise<string | undefined> {
  const { texts, toasts } = usePage();
  const succeed = (): void => toasts.show({ kind: 'done', text: texts.app.undone });
  const fail = (error: unknown): void => toasts.show({ kind: 'failed', text: wordsOfFailure(error, texts) });
  return async (run, done) => {
    try {
      const undo = await run();
      const action = { label: texts.app.undo, run: () => void undo().then(succeed, fail) };
      toasts.show({ kind: 'done', text: done, action });
      return undefined;
    } catch (error) {
      return wordsOfFailure(error, texts);
    }
  };
}

/** Adds a person, or changes name and tags of a person. */
export function PersonDialog({
  holder,
  onClose,
}: {
  readonly holder: Holder | undefined;
  /** @param name The new name of a person whose name was changed. */
  readonly onClose: (name?: Name) => void;
}): VNode {
  const { session, texts, formats } = usePage();
  const first = useSignal(holder?.name.first ?? '');
  const last = useSignal(holder?.name.last ?? '');
  const ids = useSignal<readonly string[]>(holder?.ids ?? []);
  const tag = useSignal('');
  const error = useSignal<{ readonly of: 'name' | 'tag' | 'all'; readonly text: string } | undefined>(
    undefined,
  );
  const undoable = useUndoable();
  const { names } = session;
  const { found, read } = useTypedTag(tag.value);
  const typedId = found?.readings.length === 1 ? found.readings[0]?.id : undefined;
  const owner = typedId === undefined ? undefined : names.all.value.get(typedId);

  // Only a tag without a name: others may be tapping at the door meanwhile.
  useTaps(({ id }) => {
    if (tag.peek() === '' && !names.all.peek().has(id)) tag.value = groupedId(id);
  });

  const close = (): void => onClose();
  const apply = async (changes: readonly NameChange[], done: string, name?: Name): Promise<void> => {
    const failure = await undoable(async () => {
      await names.apply(changes);
      return () => names.apply(undoing(changes));
    }, done);
    if (failure === undefined) onClose(name);
    else error.value = { of: 'all', text: failure };
  };
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { readings, error: problem } = await read();
    const [reading] = readings;
    // What a number means is shown before it is saved.
    if (found === undefined && reading !== undefined && reading.format !== 'hex') return;
    const name = { first: first.value.trim(), last: last.value.trim() };
    const all = reading === undefined ? ids.value : [...new Set([...ids.value, reading.id])];
    if (name.first === '' && name.last === '') error.value = { of: 'name', text: texts.names.nameMissing };
    else if (problem !== undefined || readings.length > 1)
      error.value = { of: 'tag', text: problem ?? texts.names.tagWhich };
    else if (all.length === 0) error.value = { of: 'tag', text: texts.names.tagMissing };
    else {
      const changes = changesTo(names.all.peek(), holder, name, all);
      if (changes.length === 0) onClose();
      else void apply(changes, texts.names.saved(formats.name(name)), holder && name);
    }
  };
  const remove = ({ name, ids: held }: Holder): void => {
    const changes = held.map((id) => ({ id, before: name, after: null }));
    void apply(changes, texts.names.removed(formats.name(name)));
  };
  return (
    <Dialog title={holder === undefined ? texts.names.add : formats.name(holder.name)} onClose={close}>
      <form class="stack" onSubmit={(event) => void save(event)} noValidate>
        <NameFields
          first={first}
          last={last}
          error={error.value?.of === 'name' ? error.value.text : undefined}
          onInput={() => (error.value = undefined)}
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
          value={tag.value}
          hint={texts.names.tagHint}
          error={error.value?.of === 'tag' ? error.value.text : undefined}
          onInput={(value) => {
            tag.value = value;
            error.value = undefined;
          }}
        />
        {owner === undefined || typedId === undefined || ids.value.includes(typedId) ? undefined : (
          <p class="notice" role="status">
            {texts.names.tagMoves(formats.name(owner))}
          </p>
        )}
        <p class="field-error" role="alert">
          {error.value?.of === 'all' ? error.value.text : undefined}
        </p>
        {holder === undefined ? undefined : (
          <a href={paths.person(holder.ids[0] ?? '')}>{texts.names.presence}</a>
        )}
        <div class="actions">
          {holder === undefined ? undefined : (
            <Button class="button button-bad" onClick={() => remove(holder)}>
              {texts.names.remove}
            </Button>
          )}
          <Button onClick={close}>{texts.app.cancel}</Button>
          <button type="submit" class="button button-main">
            {texts.names.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
