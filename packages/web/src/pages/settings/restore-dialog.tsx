import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { Labelled } from '../../parts/form/field.js';
import { useTask } from '../../parts/use-requests.js';
import { settingsTexts } from '../../texts/topics/settings.js';

/** How long the service may take to check and merge a backup that has arrived, in milliseconds. */
const MERGE_MS = 600_000;

/** Merges a backup into the record of the running service. */
export function RestoreDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { client, formats, session, texts, toasts, words } = usePage(settingsTexts);
  const file = useSignal<File | undefined>(undefined);
  const task = useTask({ INVALID_BACKUP: words.notBackup });
  const restore = async (): Promise<void> => {
    const { value: body } = file;
    if (body === undefined) {
      task.fail(words.noFile, 'file');
      return;
    }
    await task.run(async () => {
      const { persons, entries, isChanged } = await client.post('/api/restore', { body, waitMs: MERGE_MS });
      toasts.done(
        isChanged ? words.restored(texts.days.people(persons), formats.number(entries)) : words.nothingNew,
      );
      session.load();
      onClose();
    });
  };
  return (
    <FormDialog
      title={words.restoreTitle}
      task={task}
      label={words.restore}
      onSubmit={restore}
      onClose={onClose}
    >
      <p>{words.restoreHint}</p>
      <Labelled label={words.backupFile} error={task.errorOf('file')}>
        {(own) => (
          <input
            {...own}
            type="file"
            accept=".jsonl,.ndjson,application/jsonl"
            onChange={({ currentTarget }) => (file.value = currentTarget.files?.[0])}
          />
        )}
      </Labelled>
      <p class="quiet" role="status">
        {task.isBusy.value && words.restoring}
      </p>
    </FormDialog>
  );
}
