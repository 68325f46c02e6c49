import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Dialog } from '../../parts/form/dialog.js';

/** Removes the record of a day after a confirmation. */
export function RemoveDay({
  day,
  people,
  onRemoved,
}: {
  readonly day: number;
  /** Number of people on the day, in words. */
  readonly people: string;
  readonly onRemoved: () => void;
}): VNode {
  const { client, texts, formats, toasts } = usePage();
  const isAsking = useSignal(false);
  const isMeant = useSignal(false);
  const name = formats.day(day);
  const close = (): void => {
    isAsking.value = false;
    isMeant.value = false;
  };
  const remove = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!isMeant.value) return;
    close();
    try {
      await client.removeDay({ day });
      toasts.show({ kind: 'done', text: texts.days.removed(name) });
      onRemoved();
    } catch {
      toasts.show({ kind: 'failed', text: texts.days.notRemoved });
    }
  };
  return (
    <>
      <button type="button" class="button button-bad no-print" onClick={() => (isAsking.value = true)}>
        {texts.days.remove} …
      </button>
      {isAsking.value && (
        <Dialog title={texts.days.removeTitle(name)} onClose={close}>
          <form onSubmit={(event) => void remove(event)}>
            <p>{texts.days.removeHint(people)}</p>
            <label class="check">
              <input
                type="checkbox"
                checked={isMeant.value}
                onChange={(event) => (isMeant.value = event.currentTarget.checked)}
              />
              {texts.days.removeConfirm(name)}
            </label>
            <div class="actions">
              <button type="button" class="button" onClick={close}>
                {texts.app.cancel}
              </button>
              <button type="submit" class="button button-bad" disabled={!isMeant.value}>
                {texts.days.remove}
              </button>
            </div>
          </form>
        </Dialog>
      )}
    </>
  );
}
