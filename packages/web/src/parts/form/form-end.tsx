import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import type { Task } from '../access/use-task.js';

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
        {onCancel && (
          <button type="button" class="button" onClick={onCancel}>
            {texts.app.cancel}
          </button>
        )}
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
