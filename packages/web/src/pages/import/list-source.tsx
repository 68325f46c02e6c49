import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { EncodingGuess, IdFormat, ListReading } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { Icon } from '../../parts/icon.js';
import { Labelled, Select } from '../../parts/form/field.js';

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
      <Labelled label={texts.import.paste}>
        {(own) => (
          <textarea
            {...own}
            class="id"
            rows={LINES}
            spellcheck={false}
            placeholder={texts.import.sample}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        )}
      </Labelled>
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

/** What was chosen for a list; what is not chosen is detected. */
export interface ListChoices {
  readonly encoding?: string | undefined;
  /** Number of each column, from 1; 0: there is none. */
  readonly columns?: Readonly<Record<'id' | 'first' | 'last', number>> | undefined;
  readonly format?: IdFormat | undefined;
}

/** A list of names, as text or as a file. */
export type NameList = string | Blob;

/** The parameters of a request with a list. */
export function queryOf({ encoding, columns, format }: ListChoices): {
  readonly encoding: string | undefined;
  readonly format: IdFormat | undefined;
} & Readonly<Record<`${'id' | 'first' | 'last'}-column`, number | undefined>> {
  return {
    ...{ encoding, format, 'id-column': columns?.id },
    ...{ 'first-column': columns?.first, 'last-column': columns?.last },
  };
}

/** How a list was read: what the service remarks, and choices to read it otherwise. */
export function ListChoicesForm({
  reading: { encoding, titles, columns, remarks },
  guesses,
  formats,
  format,
  isBusy,
  onChoose,
}: {
  readonly reading: ListReading;
  /** The possible encodings, if the encoding was guessed at first. */
  readonly guesses: readonly EncodingGuess[];
  /** The possible spellings of the ids; none if all are hex. */
  readonly formats: readonly IdFormat[];
  /** The chosen one. */
  readonly format: IdFormat | undefined;
  readonly isBusy: boolean;
  readonly onChoose: (choices: ListChoices) => void;
}): VNode {
  const { texts, words } = usePage(peopleTexts);
  const options = ['–', ...titles].map((title, index) => [String(index), title] as const);
  const chosen = { id: columns.id ?? 0, first: columns.first ?? 0, last: columns.last ?? 0 };
  const parts = [
    ['id', words.tag],
    ['first', words.first],
    ['last', words.last],
  ] as const;
  return (
    <>
      <div role="status">
        {remarks.length > 0 && (
          <ul class="notice">
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        )}
      </div>
      <div class="list-choices">
        {titles.length > 1 &&
          parts.map(([part, label]) => (
            <Select
              key={part}
              label={label}
              value={String(chosen[part])}
              options={options}
              isDisabled={isBusy}
              onChoose={(value) => onChoose({ columns: { ...chosen, [part]: value } })}
            />
          ))}
        {formats.length > 0 && (
          <Select
            label={texts.import.numbers}
            value={format ?? '–'}
            options={(['–', ...formats] as const).map((each) => [each, each])}
            isDisabled={isBusy}
            onChoose={(value) => onChoose({ format: formats.find((each) => each === value) })}
          />
        )}
        {guesses.length > 0 && (
          <Select
            label={texts.import.encoding}
            value={encoding}
            options={guesses.map((guess) => [guess.encoding, `${guess.encoding}: ${guess.words.join(', ')}`])}
            isDisabled={isBusy}
            onChoose={(value) => onChoose({ encoding: value })}
          />
        )}
      </div>
    </>
  );
}
