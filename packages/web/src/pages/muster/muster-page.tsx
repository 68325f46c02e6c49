import { useSignal } from '@preact/signals';
import type { Guest } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { LastKnown } from '../../state/kept.js';
import type { Person } from '../../state/presence.js';
import type { Session } from '../../state/session.js';
import { usePage } from '../../page-context.js';
import { Empty, Loading } from '../../parts/placeholders.js';
import { groupedId } from '../../parts/words.js';
import { compareByName } from '../../state/people/people.js';
import { LostTags } from '../../parts/lost-tags.js';
import { Button } from '../../parts/button.js';
import { countGroups, GroupFilter, useGroup } from '../../parts/group-filter.js';
import { GuestButtons } from '../guest-buttons.js';
import { GuestMark } from '../../parts/guest-mark.js';

interface Muster {
  readonly people: readonly Person[];
  /** The time of the list, in seconds since 1970. */
  readonly at: number;
  /** Whether the list comes live from the service. */
  readonly isLive: boolean;
}

/**
 * The people who are here: from the service, or from its last answer while it cannot be reached.
 *
 * @param known The list that this browser has kept, for a page that has not reached the service yet.
 */
export function musterOf(
  { connection, clock, today }: Pick<Session, 'connection' | 'clock' | 'today'>,
  known: LastKnown | undefined,
): Muster | undefined {
  const { state, sinceMs } = connection.current.value;
  const isLoaded = today.isLoaded.value;
  const people = today.people.value;
  if (isLoaded && state === 'open') return { people, at: clock.now(), isLive: true };
  if (isLoaded) return { people, at: clock.toServiceTime(sinceMs), isLive: false };
  return state === 'waiting' && known !== undefined ? { ...known, isLive: false } : undefined;
}

interface Line {
  readonly key: string;
  readonly name: string;
  readonly isUnknown: boolean;
  readonly guest: Guest | null;
  readonly last: string;
}

/** All people who have to be found in a fire, to tick on a phone or on paper. */
export function MusterPage(): VNode {
  const { session, texts, formats } = usePage();
  const ticked = useSignal<ReadonlySet<string>>(new Set());
  const [known] = useState(() => session.lastKnown());
  const muster = musterOf(session, known);
  const group = useGroup();
  usePrintTime();
  if (muster === undefined) {
    const isLost = session.connection.current.value.state === 'waiting';
    return isLost ? (
      <Empty title={texts.muster.nothingKnown} hint={texts.muster.nothingKnownHint} isPage />
    ) : (
      <>
        <h1>{texts.muster.title}</h1>
        <Loading />
      </>
    );
  }
  const { people, at, isLive } = muster;
  const isMissing = session.readers.missing.value.length > 0;
  const age = session.clock.toServiceTime(session.tick.value) - at;
  const shown = people.filter(group.has);
  const named = shown.filter(({ name }) => name !== null);
  const unknown = shown.filter(({ name }) => name === null);
  const lineOf = (person: Person): Line => ({
    key: person.key,
    name:
      person.name === null
        ? person.ids.map(groupedId).join(', ')
        : `${formats.listName(person.name)} ${person.mark}`.trimEnd(),
    isUnknown: person.name === null,
    guest: person.guest,
    last: person.last === null ? texts.today.timeUnknown : formats.time(person.last),
  });
  const compare = compareByName(texts.language);
  const lines = [...named.sort(compare).map(lineOf), ...unknown.sort(compare).map(lineOf)];
  const toggle = (key: string): void => {
    const next = new Set(ticked.value);
    if (!next.delete(key)) next.add(key);
    ticked.value = next;
  };
  const done = lines.filter(({ key }) => ticked.value.has(key)).length;
  return (
    <div class="muster">
      <div class="page-head">
        <div>
          <h1>
            {texts.muster.title}
            {group.id !== '' && `: ${group.name}`}
          </h1>
          <p class="muster-count">
            <strong>{texts.days.people(lines.length)}</strong>
            {unknown.length > 0 && <> · {texts.muster.unnamed(unknown.length)}</>}
            <span class="no-print"> · {texts.muster.ticked(done, lines.length)}</span>
          </p>
          {isLive && !isMissing && <p class="quiet no-print">{texts.muster.live}</p>}
          <p class="quiet">
            <span class="only-print">
              {texts.muster.asOf(formats.dateTime(at))} ·{' '}
              {texts.muster.printedAt(formats.dateTime(session.clock.now()))} ·{' '}
            </span>
            {texts.muster.times}
          </p>
        </div>
        <div class="actions no-print">
          {done > 0 && <Button onClick={() => (ticked.value = new Set())}>{texts.muster.clear}</Button>}
          <GuestButtons />
          <Button icon="print" class="button button-main" onClick={() => window.print()}>
            {texts.muster.print}
          </Button>
        </div>
      </div>
      {isLive ? undefined : (
        <div class="stale" role="alert">
          <p class="stale-age">{texts.muster.stale(formats.duration(age))}</p>
          <p>{texts.muster.staleHint(formats.dateTime(at))}</p>
        </div>
      )}
      <GroupFilter counts={countGroups(people)} />
      <LostTags />
      {lines.length === 0 ? (
        <Empty title={texts.today.nobody} hint={isMissing ? '' : texts.today.nobodyHint} />
      ) : (
        <ul class="muster-list">
          {lines.map(({ key, name, isUnknown, guest, last }) => (
            <li key={key} class={ticked.value.has(key) ? 'is-ticked' : ''}>
              <label>
                <input
                  type="checkbox"
                  checked={ticked.value.has(key)}
                  aria-label={texts.muster.tick(name)}
                  onChange={() => toggle(key)}
                />
                <span class="muster-name">
                  <span>{name}</span>
                  {isUnknown && <span class="mark-guest">{texts.tap.unknownTag}</span>}
                  <GuestMark guest={guest} />
                </span>
                <span class="quiet">{last}</span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Draws the page again before it is printed, so that the paper shows the time of printing. */
function usePrintTime(): void {
  const { session } = usePage();
  useEffect(() => {
    const refresh = (): void => session.beat();
    addEventListener('beforeprint', refresh);
    return () => removeEventListener('beforeprint', refresh);
  }, [session]);
}
