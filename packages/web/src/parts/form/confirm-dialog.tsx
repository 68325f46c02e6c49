import type { ComponentChildren, VNode } from 'preact';
import { useTask } from '../use-requests.js';
import type { WordsByCode } from '../words.js';
import { Dialog, FormEnd } from './dialog.js';

/** Asks for a confirmation of work that cannot be undone, and runs it. */
export function ConfirmDialog({
  title,
  confirm,
  words,
  isReady = true,
  run: work,
  onClose,
  children,
}: {
  readonly title: string;
  /** Text of the button that runs the work. */
  readonly confirm: string;
  /** Words for codes of the service that have a special meaning here. */
  readonly words?: WordsByCode;
  /** Whether the form is complete, so that the work can run. */
  readonly isReady?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const task = useTask(words);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isReady && (await task.run(work))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)} noValidate>
        {children}
        <FormEnd task={task} label={confirm} isReady={isReady} isBad onCancel={onClose} />
      </form>
    </Dialog>
  );
}
