import type { Name, PersonSummary } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { foldedOf, searchFor, tagsOf } from '../../state/people/people.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { Field } from '../form/field.js';
import { PersonName } from '../person-name.js';
import { useTypedTag } from '../use-tag.js';
import { groupedId } from '../words.js';
import { Button } from '../button.js';

/** Maximum number of offered people: one more letter gives fewer. */
const OFFERED = 6;

export interface Chosen {
  readonly name: Name | null;
  readonly ids: readonly string[];
  /** Absent for a tag without a holder, and where the record does not say who it was. */
  readonly person?: PersonSummary | undefined;
}

/** Finds a person by a part of the name, the number, or a tag. */
export function PersonChoice({
  error,
  isPerson = false,
  onChoose,
}: {
  readonly error: string | undefined;
  /** Whether a tag without a holder cannot be chosen. */
  readonly isPerson?: boolean;
  readonly onChoose: (chosen: Chosen) => void;
}): VNode {
  const { session, words } = usePage(correctionTexts);
  const { people } = session;
  const search = useSignal('');
  const all = people.all.value;
  const known = useMemo(
    () =>
      all.map((person) => {
        const ids = tagsOf(person);
        return { name: person.name, ids, person, folded: foldedOf({ ...person, ids }) };
      }),
    [all],
  );
  const text = search.value.trim();
  const isFound = searchFor(text);
  const found = text === '' ? [] : known.filter(({ folded }) => isFound(folded));
  const typed = useTypedTag(found.length === 0 ? text : '').found?.readings ?? [];
  const tags = typed.map(({ id }): Chosen => {
    const holder = people.holders.value.get(id);
    const person = holder?.isLost === false ? holder.person : undefined;
    return { name: person?.name ?? null, ids: [id], person };
  });
  const offered = [...found, ...tags].filter(({ person }) => !isPerson || person !== undefined);
  return (
    <div class="stack">
      <Field label={words.who} type="search" value={search} hint={words.whoHint} error={error} autoFocus />
      {text !== '' && (
        <ul class="offered" aria-label={words.who}>
          {offered.slice(0, OFFERED).map((chosen) => (
            <li key={chosen.person?.id ?? chosen.ids.join()}>
              <Button onClick={() => onChoose(chosen)}>
                {chosen.name === null ? (
                  groupedId(chosen.ids[0] ?? '')
                ) : (
                  <PersonName name={chosen.name} mark={chosen.person ? people.markOf(chosen.person) : ''} />
                )}
              </Button>
            </li>
          ))}
          {offered.length === 0 && <li class="quiet">{words.nobodyFound}</li>}
        </ul>
      )}
    </div>
  );
}
