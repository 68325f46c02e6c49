import type { Signal } from '@preact/signals';
import type { ImportChoices, ImportRow } from '@tallybook/client';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Select } from '../../parts/form/field.js';
import { groupedId } from '../../parts/words.js';
import { fold } from '../../state/people/people.js';
import { listTexts } from '../../texts/topics/lists.js';

/** What was chosen for rows, by line. */
export type RowChoices = ImportChoices;

type Candidate = ImportRow['candidates'][number];

/** Whether a row brings a tag to somebody who holds others. */
function bringsTag({ tags }: ImportRow, person: Candidate | null): boolean {
  return person !== null && person.tags.length > 0 && tags.some(({ id }) => !person.tags.includes(id));
}

/** The choice whether a new tag is a further one. */
export function TagChoice({
  row,
  person,
  choices,
}: {
  readonly row: ImportRow;
  /** Who gets the tag. */
  readonly person: Candidate | null;
  readonly choices: Signal<RowChoices>;
}): VNode | null {
  const { words } = usePage(listTexts);
  if (person === null || !bringsTag(row, person)) return null;
  const { [row.line]: chosen } = choices.value;
  return (
    <Select
      label={words.tags}
      value={chosen?.tags ?? 'add'}
      options={[
        ['add', words.add],
        ['replace', words.replace],
      ]}
      onChoose={(tags) => {
        const choice = { ...chosen, take: person.id, tags: tags === 'replace' ? tags : 'add' } as const;
        choices.value = { ...choices.value, [row.line]: choice };
      }}
    />
  );
}

/** Asks who a doubtful row is. */
export function RowChoice({
  row,
  choices,
}: {
  readonly row: ImportRow;
  readonly choices: Signal<RowChoices>;
}): VNode {
  const { texts, formats, words } = usePage(listTexts);
  const name = useId();
  const { line, doubts, candidates } = row;
  const { [line]: chosen } = choices.value;
  const facts = (person: {
    readonly number: string | null;
    readonly groups: readonly string[] | null;
    readonly tags: readonly string[];
  }): string =>
    [person.number ?? '', ...(person.groups ?? []), ...person.tags.map(groupedId)]
      .filter(Boolean)
      .join(' · ');
  const options = [
    ...candidates.map((person) => {
      const own = person.name === null ? person.id : formats.name(person.name);
      const isSame = fold(own) === fold(formats.name(row.name));
      return [person.id, isSame ? words.isSame(own) : words.isRenamed(own), facts(person)] as const;
    }),
    ['new', words.isNew, ''] as const,
    ['skip', words.skip, ''] as const,
  ];
  return (
    <fieldset class="row-choice">
      <legend>
        {texts.import.lineNumber(formats.number(line))} {formats.listName(row.name)}{' '}
        <span class="quiet">{facts({ ...row, tags: row.tags.map(({ id }) => id) })}</span>
      </legend>
      {doubts.map((doubt) => (
        <p key={doubt}>{words.doubts[doubt]}</p>
      ))}
      {options.map(([take, label, more]) => (
        <label key={take} class="check">
          <input
            type="radio"
            name={name}
            checked={chosen?.take === take}
            onChange={() => (choices.value = { ...choices.value, [line]: { take } })}
          />
          <span>
            {label} <span class="quiet">{more}</span>
          </span>
        </label>
      ))}
      <TagChoice
        row={row}
        person={candidates.find(({ id }) => id === chosen?.take) ?? null}
        choices={choices}
      />
    </fieldset>
  );
}
