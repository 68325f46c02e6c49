import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Icon } from '../icon.js';

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
        <button type="button" class="button-plain" aria-label={texts.app.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
