import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import type { Task } from '../use-requests.js';
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

/** The end of a form: the reason for a refusal, a button to cancel, and a button to send. */
export function FormEnd({
  task: { failure, isBusy },
  label,
  isReady = true,
  isBad = false,
  onCancel,
}: {
  readonly task: Pick<Task, 'failure' | 'isBusy'>;
  /** Text of the button to send. */
  readonly label: string;
  readonly isReady?: boolean;
  /** Whether the work cannot be undone. */
  readonly isBad?: boolean;
  /** Absent for a form without a button to cancel. */
  readonly onCancel?: () => void;
}): VNode {
  const { texts } = usePage();
  return (
    <>
      <p class="field-error" role="alert">
        {failure.value}
      </p>
      <div class="actions">
        {onCancel && <Button onClick={onCancel}>{texts.app.cancel}</Button>}
        <button
          type="submit"
          class={`button ${isBad ? 'button-bad' : 'button-main'}`}
          disabled={!isReady || isBusy.value}
        >
          {label}
        </button>
      </div>
    </>
  );
}
