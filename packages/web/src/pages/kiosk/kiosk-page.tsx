import { useSignal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { AnswerSign, type Answer } from '../../parts/answer-sign.js';
import type { Tap } from '../../state/service.js';
import { usePage } from '../../page-context.js';
import { LostSince } from '../../parts/connection.js';
import { groupedId, whoTapped, wordsOf } from '../../parts/words.js';
import { Icon } from '../../parts/icon.js';
import { paths } from '../../routing.js';
import type { Messages } from '../../texts/en.js';
import { people, shared } from '../late-pages.js';
import { lazy } from '../../parts/placeholders.js';
import { Button } from '../../parts/button.js';

/** The answer to a tap, the same as that of indicators at the readers. Red only if the person has to act. */
export function answerOf(tap: Tap): Answer {
  if (tap.outcome === 'failed') return tap.isKept ? 'waiting' : 'refused';
  if (tap.name === null) return 'unknown';
  switch (tap.outcome) {
    case 'provisional':
      return 'waiting';
    case 'counted':
      return 'welcome';
    case 'already-counted':
      return 'again';
  }
}

/** How often the page looks for a new build, in milliseconds. */
const ASK_MS = 60_000;

/**
 * Reloads the page when the service has another build of it, because nobody presses a button at a screen on a wall.
 *
 * @param isBusy Whether somebody uses the screen just now: then the reload waits.
 */
function useNewBuild(isBusy: boolean): void {
  const latest = useRef(isBusy);
  latest.current = isBusy;
  useEffect(() => {
    const timer = setInterval(() => {
      void isReplaced().then(
        (isOther) => {
          if (isOther && !latest.current) location.reload();
        },
        () => undefined,
      );
    }, ASK_MS);
    return () => clearInterval(timer);
  }, []);
}

/** Whether the page of the service has other files than this one; their names change with their contents. */
async function isReplaced(): Promise<boolean> {
  const { hash, href } = location;
  const response = await fetch(href.slice(0, href.length - hash.length), { cache: 'no-cache' });
  const text = await response.text();
  const files = Array.from(document.head.querySelectorAll('[src],link[rel=stylesheet]'), (element) =>
    element.getAttribute(element.localName === 'link' ? 'href' : 'src'),
  );
  // Another program may have answered, such as the login page of a Wi-Fi.
  return response.ok && text.includes('id="app"') && files.some((file) => !text.includes(file ?? ''));
}

const LeaveKiosk = lazy(shared, 'LeaveKiosk');
const GuestDialog = lazy(people, 'GuestDialog');

/** Time without a key or a touch after which the form of a guest closes, in milliseconds. */
const IDLE_MS = 60_000;

/** How long the answer to a tap stays, in milliseconds. */
const STAYS_MS = 5_000;

/** A screen at the door: shows the last tap, large, with the same answer as the light. It runs for months. */
export function KioskPage(): VNode {
  const { access, session, texts, formats } = usePage();
  const seen = session.today.lastTap.value;
  // Taps from before the screen was opened are not shown.
  const [before] = useState(seen?.number);
  const [hidden, hide] = useState<number | undefined>(before);
  useEffect(() => {
    if (seen === undefined) return undefined;
    const timer = setTimeout(() => hide(seen.number), STAYS_MS);
    return () => clearTimeout(timer);
  }, [seen]);
  const isShown = seen !== undefined && seen.number !== hidden;
  const isAdding = useSignal(false);
  useNewBuild(isShown || isAdding.value);
  const answer = isShown ? answerOf(seen.tap) : undefined;
  const { length: here } = session.today.people.value;
  const mayAdd = session.people.isOffered.value && access.may('add-guests');
  return (
    <div class="kiosk" data-answer={answer ?? 'idle'} data-state={session.connection.current.value.state}>
      <header>
        <p class="kiosk-clock">
          <Clock />
        </p>
        <p>{session.today.isLoaded.value ? texts.kiosk.here(here) : ''}</p>
      </header>
      <div class="kiosk-answer" role="status" data-title={texts.kiosk.title}>
        {isShown && answer !== undefined ? (
          <div key={seen.number}>
            <AnswerSign answer={answer} />
            <p class="kiosk-word">{wordOf(answer, seen.tap, texts)}</p>
            <h1>{whoTapped(seen, texts, formats)}</h1>
            {seen.name === undefined && <p class="id">{groupedId(seen.tap.id)}</p>}
            <p>
              {formats.time(seen.at)} · {seen.tap.reader}
            </p>
          </div>
        ) : (
          <div>
            <AnswerSign answer="idle" />
            <h1>{texts.kiosk.ready}</h1>
            {/* Without a connection or a reader no name appears. The notice below says why. */}
            {session.connection.current.value.state !== 'waiting' &&
              session.readers.missing.value.length === 0 && <p>{texts.kiosk.readyHint}</p>}
          </div>
        )}
      </div>
      <footer>
        <Health />
        {mayAdd && (
          <Button icon="add" class="button kiosk-guest" opensDialog onClick={() => (isAdding.value = true)}>
            {texts.guest.add}
          </Button>
        )}
        {access.info.value?.user?.role === 'kiosk' ? (
          <LeaveKiosk />
        ) : (
          <a href={paths.today} class="kiosk-leave" aria-label={texts.kiosk.leave}>
            <Icon name="close" />
          </a>
        )}
      </footer>
      {isAdding.value && <GuestDialog closesAfterMs={IDLE_MS} onClose={() => (isAdding.value = false)} />}
    </div>
  );
}

function wordOf(answer: Answer, tap: Tap, texts: Messages): string {
  return answer === 'welcome' ? texts.kiosk.welcome : wordsOf(tap, texts);
}

function Clock(): VNode {
  const { session, formats } = usePage();
  void session.tick.value;
  return <time>{session.clock.told.value === undefined ? '' : formats.time(session.clock.now())}</time>;
}

/** Whether taps are recorded: connection, readers and clock. Short if all is well. */
function Health(): VNode {
  const { session, texts, formats } = usePage();
  const { state } = session.connection.current.value;
  const readers = session.readers.all.value;
  const lost = session.readers.missing.value;
  if (state === 'waiting') {
    return (
      <p class="kiosk-trouble" role="alert">
        <LostSince />
      </p>
    );
  }
  return (
    <ul>
      {lost.map(({ name, since }) => (
        <li key={name} class="kiosk-trouble">
          {texts.kiosk.readerTrouble(name, formats.time(since))}
        </li>
      ))}
      {session.clock.told.value?.isTrusted === false && (
        <li class="kiosk-trouble">{texts.clock.untrusted}</li>
      )}
      {readers?.length === 0 && <li class="kiosk-trouble">{texts.kiosk.noReaders}</li>}
      {readers !== undefined && readers.length > 0 && lost.length === 0 && <li>{texts.kiosk.readersWell}</li>}
    </ul>
  );
}
