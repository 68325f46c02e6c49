import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { groupedId, whoTapped, wordsOf } from '../../parts/words.js';
import { Icon } from '../../parts/icon.js';
import { inGroup, paths } from '../../routing.js';
import type { Person } from '../../state/presence.js';
import { Empty, Loading, PageHead } from '../../parts/placeholders.js';
import { countGroups, GroupFilter, useGroup } from '../../parts/group-filter.js';
import { GuestButtons } from '../guest-buttons.js';
import { LostTags } from '../../parts/lost-tags.js';
import { PeopleTable, personOfTap } from './people-table.js';

/** The last tap that this page saw, with its outcome, and the name that its person has by now. */
function LastTap(): VNode | null {
  const { session, texts, formats } = usePage();
  const seen = session.today.lastTap.value;
  if (seen === undefined) return null;
  const { tap, number, at, isLost } = seen;
  const name = personOfTap(seen, session.people)?.name ?? seen.name;
  return (
    <p class="last-tap" data-outcome={tap.outcome} key={number}>
      <span class="quiet">{texts.today.lastTap}</span>
      <strong>{whoTapped({ name, isLost }, texts, formats)}</strong>
      <span>
        {wordsOf(tap, texts)} · <time>{formats.seconds(at)}</time> · {tap.reader}
      </span>
    </p>
  );
}

/**
 * Maximum number of tags shown at once: on the first day nobody has a name, and the list of people must stay visible
 * below.
 */
const SHOWN = 5;

/** Tags of today without a name, the latest first. */
function UnnamedTags({ people }: { readonly people: readonly Person[] }): VNode | null {
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

/** Who is here, live. */
export function TodayPage(): VNode {
  const { access, session, texts, formats } = usePage();
  const all = session.today.people.value;
  const group = useGroup();
  const people = all.filter(group.has);
  const guests = people.filter(({ guest }) => guest !== null).length;
  const isLoaded = session.today.isLoaded.value;
  const count = people.length;
  const isMissing = session.readers.missing.value.length > 0;
  const named = people.filter(({ name }) => name !== null);
  return (
    <>
      <PageHead
        title={texts.today.title}
        hint={session.clock.told.value && formats.longDate(session.clock.now())}
        actions={
          <>
            <GuestButtons />
            {!access.isBound() && (
              <a href={paths.kiosk} class="button wide-only">
                <Icon name="kiosk" />
                {texts.kiosk.title}
              </a>
            )}
            <a href={inGroup(paths.muster, group.id)} class="button button-main">
              <Icon name="muster" />
              {texts.muster.title}
            </a>
          </>
        }
      />
      {!isLoaded ? (
        <Loading />
      ) : (
        <>
          <div class="summary">
            <p class="count">
              <strong>{formats.number(count)}</strong> {texts.today.here(count)}
              {guests > 0 && <span class="quiet"> · {texts.today.guests(guests)}</span>}
            </p>
            <LastTap />
          </div>
          <GroupFilter counts={countGroups(all)} />
          <UnnamedTags people={people.filter(({ name }) => name === null)} />
          <LostTags />
          {count === 0 && <Empty title={texts.today.nobody} hint={isMissing ? '' : texts.today.nobodyHint} />}
          {named.length > 0 && <PeopleTable people={named} />}
        </>
      )}
    </>
  );
}
