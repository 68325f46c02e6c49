import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { Field } from '../../parts/form/field.js';
import { useTask } from '../../parts/use-requests.js';

const NAME_MAX_LENGTH = 100;

/** Adds a person without a tag, for today. */
export function GuestDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { session, texts, toasts } = usePage();
  const name = useSignal('');
  const task = useTask();
  const save = (): void => {
    const trimmed = name.value.trim();
    if (trimmed === '') task.fail(texts.guest.nameMissing, 'name');
    else {
      if (session.guests.add(trimmed)) toasts.done(texts.guest.added(trimmed));
      else toasts.failed(texts.guest.notKept);
      onClose();
    }
  };
  return (
    <FormDialog
      title={texts.guest.title}
      task={task}
      label={texts.guest.save}
      onSubmit={save}
      onClose={onClose}
    >
      <Field
        label={texts.guest.name}
        value={name}
        error={task.errorOf('name')}
        hint={texts.guest.kept}
        maxLength={NAME_MAX_LENGTH}
        autoFocus
        onInput={() => task.fail(undefined)}
      />
    </FormDialog>
  );
}
