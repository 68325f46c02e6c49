import type { Name } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { holdersOf, searchFor } from '../../state/names/names.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { Field } from '../form/field.js';
import { useTypedTag } from '../use-tag.js';
import { groupedId } from '../words.js';
import { Button } from '../button.js';

/** Maximum number of offered people: one more letter gives fewer. */
const OFFERED = 6;

export interface Chosen {
  readonly name: Name | null;
  readonly ids: readonly string[];
}

/** Finds a person by a part of the name, or a tag by its number. */
export function PersonChoice({
  error,
  onChoose,
}: {
  readonly error: string | undefined;
  readonly onChoose: (person: Chosen) => void;
}): VNode {
  const { session, formats, words } = usePage(correctionTexts);
  const search = useSignal('');
  const names = session.names.all.value;
  const holders = useMemo(() => holdersOf(names), [names]);
  const text = search.value.trim();
  const isFound = searchFor(text);
  const found: readonly Chosen[] = text === '' ? [] : holders.filter(({ folded }) => isFound(folded));
  const typed = useTypedTag(found.length === 0 ? text : '').found?.readings ?? [];
  const tags = typed.map(({ id }) => ({ name: names.get(id) ?? null, ids: [id] }));
  const offered = [...found, ...tags].slice(0, OFFERED);
  return (
    <div class="stack">
      <Field label={words.who} type="search" value={search} hint={words.whoHint} error={error} autoFocus />
      {text !== '' && (
        <ul class="offered" aria-label={words.who}>
          {offered.map((person) => (
            <li key={person.ids.join()}>
              <Button onClick={() => onChoose(person)}>
                {person.name === null ? groupedId(person.ids[0] ?? '') : formats.listName(person.name)}
              </Button>
            </li>
          ))}
          {offered.length === 0 && <li class="quiet">{words.nobodyFound}</li>}
        </ul>
      )}
    </div>
  );
}
