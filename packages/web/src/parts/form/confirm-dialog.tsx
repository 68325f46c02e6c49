import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { useTask } from '../access/use-task.js';
import { Dialog } from './dialog.js';

/** Asks whether something that cannot be undone is meant, and does it. */
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
  /** What the button says that does it. */
  readonly confirm: string;
  /** For codes of the service that mean something particular here. */
  readonly words?: Readonly<Partial<Record<string, string>>>;
  /** Whether everything is said that has to be before it can be done. */
  readonly isReady?: boolean;
  readonly run: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const { texts } = usePage();
  const { failure, isBusy, run } = useTask(words);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isReady && (await run(work))) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void submit(event)} noValidate>
        {children}
        <p class="field-error" role="alert">
          {failure.value}
        </p>
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {texts.app.cancel}
          </button>
          <button type="submit" class="button button-bad" disabled={!isReady || isBusy.value}>
            {confirm}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
