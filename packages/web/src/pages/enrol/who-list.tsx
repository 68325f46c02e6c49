import { useSignal, type Signal } from '@preact/signals';
import type { PersonSummary } from '@tallybook/client';
import type { Ref, VNode } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Labelled, Select } from '../../parts/form/field.js';
import { PersonName } from '../../parts/person-name.js';
import { useAnswer } from '../../parts/use-requests.js';
import { compareByName, foldedOf, searchFor } from '../../state/people/people.js';
import { listTexts } from '../../texts/topics/lists.js';

/** Most persons that are drawn: one more letter gives fewer. */
const MOST = 100;

/** The list of who may get a tag: people without one first, then the others that a search finds, then somebody new. */
export function WhoList({
  text,
  inputRef,
  onChoose,
  onNew,
}: {
  readonly text: Signal<string>;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onChoose: (person: PersonSummary) => void;
  readonly onNew: () => void;
}): VNode {
  const { client, session, texts, words } = usePage(listTexts);
  const { people } = session;
  const all = people.all.value;
  const list = useId();
  const group = useSignal('');
  const moved = useSignal<number | undefined>(undefined);
  const groups = useAnswer(() => client.find('/api/groups'), [all]).value?.groups ?? [];
  const known = useMemo(
    () =>
      all
        .filter(({ name, guest }) => name !== null && guest === null)
        .map((person) => {
          const ids = person.tags.map(({ id }) => id);
          const isOpen = person.tags.every(({ isLost }) => isLost);
          return { key: person.id, name: person.name, person, isOpen, folded: foldedOf({ ...person, ids }) };
        })
        .sort(compareByName(texts.language)),
    [all, texts.language],
  );
  const typed = text.value.trim();
  const isFound = searchFor(typed);
  const inGroup = known.filter(({ person }) => group.value === '' || person.groups.includes(group.value));
  const open = inGroup.filter(({ isOpen }) => isOpen);
  const fitting = open.filter(({ folded }) => isFound(folded));
  // Somebody who has a tag is never chosen by Enter alone.
  const others = typed === '' ? [] : inGroup.filter(({ isOpen, folded }) => !isOpen && isFound(folded));
  const offered = [...fitting, ...others].slice(0, MOST);
  const isFirst = typed !== '' && fitting.length > 0;
  const at = moved.value ?? (isFirst ? 0 : typed !== '' || offered.length === 0 ? offered.length : -1);
  const box = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const chosen = box.current?.children[at];
    if (moved.value !== undefined) chosen?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const choose = (index: number): void => {
    moved.value = undefined;
    const person = offered[index]?.person;
    if (person !== undefined) onChoose(person);
    else if (index === offered.length) onNew();
  };
  const rest = fitting.length + others.length - offered.length;
  return (
    <div class="stack">
      {groups.length > 0 && (
        <Select
          label={words.group}
          value={group.value}
          options={[['', words.everybody], ...groups.map(({ id, name }) => [id, name] as const)]}
          onChoose={(id) => {
            group.value = id;
            moved.value = undefined;
          }}
        />
      )}
      <Labelled label={words.search} hint={words.open(open.length)}>
        {(own) => (
          <input
            {...own}
            ref={inputRef}
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls={list}
            aria-activedescendant={at < 0 ? undefined : `${list}-${at}`}
            autoComplete="off"
            spellcheck={false}
            value={text.value}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
              moved.value = undefined;
            }}
            onKeyDown={(event) => {
              const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
              if (step !== undefined) moved.value = Math.max(0, Math.min(offered.length, at + step));
              else if (event.key === 'Enter') choose(at);
              else return;
              event.preventDefault();
            }}
          />
        )}
      </Labelled>
      <ul ref={box} id={list} class="who-list" role="listbox" aria-label={words.whose}>
        {offered.map(({ person, isOpen }, index) => (
          <li
            key={person.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(index)}
          >
            {person.name && <PersonName name={person.name} mark={people.markOf(person)} />}
            {!isOpen && <span class="quiet"> {words.hasTag}</span>}
          </li>
        ))}
        <li
          key="new"
          id={`${list}-${offered.length}`}
          role="option"
          aria-selected={at === offered.length}
          onClick={() => choose(offered.length)}
        >
          {typed === '' ? words.someone : words.someoneNew(typed)}
        </li>
      </ul>
      {rest > 0 && <p class="quiet">{words.more(rest)}</p>}
    </div>
  );
}
