import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Dialog } from '../../parts/form/dialog.js';
import { Field } from '../../parts/form/field.js';
import { Button } from '../../parts/button.js';

const NAME_MAX_LENGTH = 100;

/** Adds a person without a tag, for today. */
export function GuestDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { session, texts, toasts } = usePage();
  const name = useSignal('');
  const error = useSignal<string | undefined>(undefined);
  const save = (event: Event): void => {
    event.preventDefault();
    const trimmed = name.value.trim();
    if (trimmed === '') {
      error.value = texts.guest.nameMissing;
      return;
    }
    const isKept = session.guests.add(trimmed);
    toasts.show(
      isKept
        ? { kind: 'done', text: texts.guest.added(trimmed) }
        : { kind: 'failed', text: texts.guest.notKept },
    );
    onClose();
  };
  return (
    <Dialog title={texts.guest.title} onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Field
          label={texts.guest.name}
          value={name.value}
          error={error.value}
          hint={texts.guest.kept}
          maxLength={NAME_MAX_LENGTH}
          autoFocus
          onInput={(value) => {
            name.value = value;
            error.value = undefined;
          }}
        />
        <div class="actions">
          <Button onClick={onClose}>{texts.app.cancel}</Button>
          <button type="submit" class="button button-main">
            {texts.guest.save}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
