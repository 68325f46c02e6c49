import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { groupedId } from '../../parts/words/grouped-id.js';
import { Icon } from '../../parts/icon.js';
import { paths } from '../../routing/paths.js';
import type { Person } from '../../state/presence/person.js';

/**
 * Maximum number of tags shown at once: on the first day nobody has a name, and the list of people must stay visible
 * below.
 */
const SHOWN = 5;

/** Tags of today without a name, the latest first. */
export function UnnamedTags({ people }: { readonly people: readonly Person[] }): VNode | null {
  const { texts } = usePage();
  if (people.length === 0) return null;
  const latestFirst = [...people].sort((one, other) => (other.last ?? Infinity) - (one.last ?? Infinity));
  const rest = latestFirst.slice(SHOWN);
  return (
    <section class="unnamed" aria-labelledby="unnamed-heading">
      <h2 id="unnamed-heading">{texts.today.unnamed(people.length)}</h2>
      <p class="quiet">{texts.today.unnamedHint}</p>
      <TagList people={latestFirst.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{texts.today.more(rest.length)}</summary>
          <TagList people={rest} />
        </details>
      )}
    </section>
  );
}

function TagList({ people }: { readonly people: readonly Person[] }): VNode {
  const { access, texts, formats } = usePage();
  return (
    <ul>
      {people.map(({ key, ids: [id = ''], last, reader }) => (
        <li key={key}>
          <Icon name="tag" />
          <p>
            <code class="id">{groupedId(id)}</code>{' '}
            <span class="quiet">
              {last === null ? texts.today.timeUnknown : formats.time(last)}
              {reader === undefined ? '' : ` · ${reader}`}
            </span>
          </p>
          {access.may('change-names') && (
            <a href={paths.enrol(id)} class="button" aria-label={`${texts.tap.giveName}: ${groupedId(id)}`}>
              {texts.tap.giveName}
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}
