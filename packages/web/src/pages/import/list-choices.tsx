import type { EncodingGuess, IdFormat, ImportOptions, ListReading } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Select } from '../../parts/form/select.js';

/** What was chosen for a list; what is not chosen is detected. */
export type ListChoices = Pick<ImportOptions, 'encoding' | 'columns' | 'format'>;

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
  const { texts } = usePage();
  const options = ['–', ...titles].map((title, index) => [String(index), title] as const);
  const chosen = { id: columns.id ?? 0, first: columns.first ?? 0, last: columns.last ?? 0 };
  const parts = [
    ['id', texts.names.tag],
    ['first', texts.names.first],
    ['last', texts.names.last],
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
