import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Failure } from '../placeholders.js';
import { useTask, type Task } from '../use-requests.js';
import type { WordsByCode } from '../words.js';
import { Button } from '../button.js';

/**
 * A dialog above the page, which Escape closes. The browser returns the focus to where it was.
 *
 * The dialog is open as long as it is drawn.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const { texts } = usePage();
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isGone = useRef(false);
  // A layout effect, so that it runs before anybody can type: the text would go into another field.
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      isGone.current = true;
      dialog?.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={onClose}
      // Browsers send `close` some time after the dialog is gone. Another dialog may be open by then, and must stay open.
      onClose={() => isGone.current || onClose()}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <Button icon="close" class="button-plain" label={texts.app.close} onClick={onClose} />
      </div>
      {children}
    </dialog>
  );
}

interface FormProps {
  /** Shows the reason for a refusal. */
  readonly task: Task;
  /** Text of the button to send. */
  readonly label: string;
  readonly isReady?: boolean;
  /** Whether the work cannot be undone. */
  readonly isBad?: boolean;
  readonly onSubmit: () => unknown;
  /** Absent for a form without a button to cancel. */
  readonly onCancel?: () => void;
  readonly children?: ComponentChildren;
}

/** A form; at its end the reason for a refusal, a button to cancel, and a button to send. */
export function Form({
  task,
  label,
  isReady = true,
  isBad = false,
  onSubmit,
  onCancel,
  children,
}: FormProps): VNode {
  const { texts } = usePage();
  return (
    <form
      class="stack"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        task.fail(undefined);
        if (isReady) void onSubmit();
      }}
      noValidate
    >
      {children}
      <Failure text={task.errorOf()} />
      <div class="actions">
        {onCancel && <Button onClick={onCancel}>{texts.app.cancel}</Button>}
        <button
          type="submit"
          class={`button ${isBad ? 'button-bad' : 'button-main'}`}
          disabled={!isReady || task.isBusy.value}
        >
          {label}
        </button>
      </div>
    </form>
  );
}

/** A form in a dialog, which a button closes too. */
export function FormDialog({
  title,
  onClose,
  ...form
}: Omit<FormProps, 'onCancel'> & { readonly title: string; readonly onClose: () => void }): VNode {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}

/** Asks for a confirmation of work that cannot be undone, and runs it. */
export function ConfirmDialog({
  words,
  run: work,
  onClose,
  ...form
}: Pick<FormProps, 'label' | 'isReady' | 'children'> & {
  readonly title: string;
  /** Words for codes of the service that have a special meaning here. */
  readonly words?: WordsByCode;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
}): VNode {
  const task = useTask(words);
  const submit = async (): Promise<void> => {
    if (await task.run(work)) onClose();
  };
  return <FormDialog {...form} task={task} isBad onSubmit={submit} onClose={onClose} />;
}
