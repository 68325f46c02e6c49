import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { EncodingGuess, IdFormat, ListReading } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { listTexts } from '../../texts/topics/lists.js';
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
  const { texts, words } = usePage(listTexts);
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
        <span class="quiet">{words.importFormats}</span>
        <input
          type="file"
          class="only-read"
          accept=".xlsx,.csv,.txt,.tsv,.jsonl,text/csv,text/plain"
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

type Part = keyof ListReading['columns'];

/** What was chosen for a list; what is not chosen is detected. */
export interface ListChoices {
  readonly encoding?: string | undefined;
  /** Number of each column, from 1; 0: there is none. */
  readonly columns?: Readonly<Record<Part, number>> | undefined;
  readonly format?: IdFormat | undefined;
  /** Of a workbook. */
  readonly sheet?: string | undefined;
  /** Whether the numbers say who somebody is, or count the rows. */
  readonly numbers?: 'member' | 'running' | undefined;
}

/** A list of names, as text or as a file. */
export type NameList = string | Blob;

/** The parameters of a request with a list. */
export type ListQuery = Pick<ListChoices, 'encoding' | 'sheet' | 'numbers'> & {
  readonly format: IdFormat | undefined;
  readonly 'dry-run'?: '1';
} & Readonly<Partial<Record<`${Part}-column`, number>>>;

export function queryOf({ columns, format, ...others }: ListChoices): ListQuery {
  const numbers = Object.entries(columns ?? {}).map(([part, number]) => [`${part}-column`, number]);
  return { ...others, format, ...(Object.fromEntries(numbers) as object) };
}

/** How a list was read: what the service remarks, and choices to read it otherwise. */
export function ListChoicesForm({
  reading: { encoding, titles, columns, remarks, sheets, sheet, questions },
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
  const { texts, words } = usePage(listTexts);
  const { tag: id, first, last } = peopleTexts[texts.language];
  const options = ['–', ...titles].map((title, index) => [String(index), title] as const);
  const labels: Readonly<Record<Part, string>> = { id, first, last, ...words.parts };
  const parts = Object.keys(labels) as readonly Part[];
  const chosen = Object.fromEntries(parts.map((part) => [part, columns[part] ?? 0])) as Record<Part, number>;
  return (
    <>
      <div role="status">
        {questions.length > 0 && <p class="notice">{words.ask}</p>}
        {remarks.length > 0 && (
          <ul class="notice">
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        )}
      </div>
      <div class="list-choices">
        {sheets.length > 1 && (
          <Select
            label={words.sheet}
            value={sheet ?? ''}
            options={sheets.map((each) => [each, each])}
            isDisabled={isBusy}
            onChoose={(value) => onChoose({ sheet: value, columns: undefined })}
          />
        )}
        {titles.length > 1 &&
          parts.map((part) => (
            <Select
              key={part}
              label={labels[part]}
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
