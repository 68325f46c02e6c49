import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Icon } from '../../parts/icon.js';

const LINES = 10;

/** Source of the list: a chosen or dropped file, or text. */
export function Source({
  isBusy,
  onList,
}: {
  readonly isBusy: boolean;
  readonly onList: (list: string | File) => void;
}): VNode {
  const { texts } = usePage();
  const text = useSignal('');
  const isOver = useSignal(false);
  const id = useId();
  const takeFile = (files: FileList | null | undefined): void => {
    const file = files?.[0];
    if (file !== undefined) onList(file);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.value.trim() !== '') onList(text.value);
      }}
    >
      <label
        class="drop"
        data-over={isOver.value}
        onDragOver={(event) => {
          event.preventDefault();
          isOver.value = true;
        }}
        onDragLeave={() => (isOver.value = false)}
        onDrop={(event) => {
          event.preventDefault();
          isOver.value = false;
          takeFile(event.dataTransfer?.files);
        }}
      >
        <Icon name="import" />
        <strong>{texts.import.choose}</strong>
        <span class="quiet">{texts.import.formats}</span>
        <input
          type="file"
          class="only-read"
          accept=".csv,.txt,.tsv,.jsonl,text/csv,text/plain"
          disabled={isBusy}
          onChange={({ currentTarget }) => takeFile(currentTarget.files)}
        />
      </label>
      <div class="field">
        <label for={id}>{texts.import.paste}</label>
        <textarea
          id={id}
          class="id"
          rows={LINES}
          spellcheck={false}
          placeholder={texts.import.sample}
          value={text.value}
          onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        />
      </div>
      <div class="actions">
        <button type="submit" class="button button-main" disabled={isBusy || text.value.trim() === ''}>
          {texts.import.check}
        </button>
        <p class="quiet" role="status">
          {isBusy ? texts.app.loading : ''}
        </p>
      </div>
    </form>
  );
}
