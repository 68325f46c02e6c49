import type { Signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';

/** A box to tick for each group; those that are chosen already come first. */
export function GroupChoice({
  label,
  hint,
  chosen,
}: {
  readonly label: string;
  readonly hint: string;
  /** Ids of the chosen groups. */
  readonly chosen: Signal<readonly string[]>;
}): VNode {
  const { value: ids } = chosen;
  const all = usePage().session.people.groups.value;
  const [first] = useState(ids);
  const groups = [true, false].flatMap((isFirst) => all.filter(({ id }) => first.includes(id) === isFirst));
  return (
    <fieldset class="group-choice">
      <legend>{label}</legend>
      <p class="quiet field-hint">{hint}</p>
      <div>
        {groups.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={ids.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                (chosen.value = checked ? [...ids, id] : ids.filter((each) => each !== id))
              }
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
