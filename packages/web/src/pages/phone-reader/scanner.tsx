import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePage, type PageContext } from '../../page-context.js';
import { AnswerSign, type Answer } from '../../parts/answer-sign.js';
import { Icon } from '../../parts/icon.js';
import { groupedId, wordsOfFailure } from '../../parts/words.js';
import { paths } from '../../routing.js';
import { phoneReaderTexts, type PhoneReaderTexts } from '../../texts/topics/phone-reader.js';
import { Outbox, PhoneReader, pushTo, type SeenTag } from '../../state/phone-reader.js';
import type { Messages } from '../../texts/en.js';
import { keepAwake, playAnswer, scanTags } from './phone-features.js';
import { Button } from '../../parts/button.js';

/** The frame of the phone's screen: large, because the phone may hang on a wall. */
export function Screen({
  answer,
  footer,
  children,
}: {
  readonly answer?: Answer | 'idle';
  readonly footer?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  const { session, texts, words } = usePage(phoneReaderTexts);
  return (
    <div class="kiosk" data-answer={answer ?? 'idle'} data-state={session.connection.current.value.state}>
      <header />
      <div class="kiosk-answer" role="status" data-title={words.title}>
        <div>
          <AnswerSign answer={answer ?? 'idle'} />
          {children}
        </div>
      </div>
      <footer>
        {footer}
        <a href={paths.today} class="kiosk-leave" aria-label={texts.app.backToToday}>
          <Icon name="close" />
        </a>
      </footer>
    </div>
  );
}

/** How long the answer to a tap stays, in milliseconds. */
const STAYS_MS = 5_000;

/** Whether the phone reads tags; if not, the name of the error is the reason. */
type Scanning =
  | { readonly is: 'off' | 'starting' | 'on' }
  | { readonly is: 'failed'; readonly error: string };

/** Reads tags for a reader of the service. */
export function Scanner({ reader }: { readonly reader: string }): VNode {
  const page = usePage();
  const { texts, formats, session } = page;
  const { words } = usePage(phoneReaderTexts);
  const [{ phone, outbox }] = useState(() => makePhone(page, reader));
  const [scanning, setScanning] = useState<Scanning>({ is: 'off' });
  const [unreadable, setUnreadable] = useState(0);
  const seen = phone.seen.value;
  const shown = useBriefly(seen, unreadable);
  useSending(phone);
  const { people } = session;
  const name = (seen && people.nameOf(seen.id)) ?? null;
  const isUnknown = name === null && people.isLoaded.value;
  const answer = shown === 'unreadable' ? 'refused' : shown && answerOf(shown, isUnknown);
  useEffect(() => {
    if (answer !== undefined) playAnswer(answer);
  }, [answer, seen?.number, unreadable]);

  const isOn = scanning.is === 'on';
  useEffect(() => (isOn ? keepAwake() : undefined), [isOn]);
  const [controller] = useState(() => new AbortController());
  useEffect(() => () => controller.abort(), [controller]);
  const start = (): void => {
    setScanning({ is: 'starting' });
    playAnswer('none');
    scanTags(
      (serial) => (serial === '' ? setUnreadable((count) => count + 1) : phone.take(serial)),
      () => setUnreadable((count) => count + 1),
      controller.signal,
    ).then(
      () => setScanning({ is: 'on' }),
      (error: unknown) =>
        setScanning({ is: 'failed', error: error instanceof DOMException ? error.name : '' }),
    );
  };

  return (
    <Screen answer={answer ?? 'idle'} footer={<Waiting phone={phone} outbox={outbox} />}>
      {shown === 'unreadable' ? (
        <>
          <h1>{words.unreadable}</h1>
          <p>{words.unreadableHint}</p>
        </>
      ) : shown !== undefined ? (
        <>
          <p class="kiosk-word">{wordOf(shown, texts, words)}</p>
          <h1>{name === null ? groupedId(shown.id) : formats.name(name)}</h1>
          {isUnknown && <p>{texts.tap.unknownTag}</p>}
        </>
      ) : isOn ? (
        <>
          <h1>{words.ready}</h1>
          <p>{words.readyHint}</p>
        </>
      ) : (
        <>
          <h1>{words.title}</h1>
          <p>{scanning.is === 'failed' ? wordsOfError(scanning.error, words) : words.startHint}</p>
          <p>
            <Button class="button" isDisabled={scanning.is === 'starting'} onClick={start}>
              {words.start}
            </Button>
          </p>
        </>
      )}
    </Screen>
  );
}

/** The number of unsent taps, and the reason. */
function Waiting({ phone, outbox }: { readonly phone: PhoneReader; readonly outbox: Outbox }): VNode {
  const { texts, words } = usePage(phoneReaderTexts);
  const waiting = phone.waiting.value;
  const problem = phone.problem.value;
  return (
    <ul>
      {waiting > 0 && problem !== undefined && (
        <>
          <li class="kiosk-trouble">{words.waiting(waiting)}</li>
          <li class="kiosk-trouble">{wordsOfFailure(problem, texts)}</li>
          {!outbox.isKept && <li class="kiosk-trouble">{words.notKept}</li>}
        </>
      )}
    </ul>
  );
}

function makePhone(
  { client, session }: Pick<PageContext, 'client' | 'session'>,
  reader: string,
): { readonly phone: PhoneReader; readonly outbox: Outbox } {
  const outbox = new Outbox(session.store, reader, crypto.randomUUID());
  const schedule = (delayMs: number, work: () => void): (() => void) => {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  };
  return {
    phone: new PhoneReader({ reader, push: pushTo(client), outbox, nowMs: Date.now, schedule }),
    outbox,
  };
}

/** Sends earlier taps now, and again as soon as the phone is online. */
function useSending(phone: PhoneReader): void {
  useEffect(() => {
    const send = (): void => void phone.send();
    send();
    addEventListener('online', send);
    return () => {
      removeEventListener('online', send);
      phone.stop();
    };
  }, [phone]);
}

/** The last tag that was read, for {@link STAYS_MS}. */
function useBriefly(seen: SeenTag | undefined, unreadable: number): SeenTag | 'unreadable' | undefined {
  const [current, setCurrent] = useState<'tag' | 'unreadable' | undefined>(undefined);
  const latest = useRef({ number: 0, isTag: true });
  useEffect(() => {
    const { number, isTag } = latest.current;
    // A late answer to an earlier tag does not hide a later one.
    if (seen === undefined || (seen.number === number && !isTag)) return;
    latest.current = { number: seen.number, isTag: true };
    setCurrent('tag');
  }, [seen]);
  useEffect(() => {
    if (unreadable === 0) return;
    latest.current = { ...latest.current, isTag: false };
    setCurrent('unreadable');
  }, [unreadable]);
  useEffect(() => {
    if (current === undefined) return undefined;
    const timer = setTimeout(() => setCurrent(undefined), STAYS_MS);
    return () => clearTimeout(timer);
  }, [current, seen, unreadable]);
  return current === 'tag' ? seen : current;
}

/** The answer, the same as that of the light at a reader; `undefined` before it is known. */
function answerOf({ outcome }: SeenTag, isUnknown: boolean): Answer | undefined {
  const answer = answers[outcome];
  return isUnknown && (answer === 'welcome' || answer === 'again') ? 'unknown' : answer;
}

const answers: Readonly<Record<SeenTag['outcome'], Answer | undefined>> = {
  sending: undefined,
  refused: 'refused',
  unsent: 'waiting',
  waiting: 'waiting',
  provisional: 'waiting',
  counted: 'welcome',
  'already-counted': 'again',
  repeated: 'again',
  'not-kept': 'waiting',
};

function wordOf({ outcome, detail }: SeenTag, texts: Messages, words: PhoneReaderTexts): string {
  return {
    sending: words.sending,
    unsent: words.unsent,
    refused: texts.failure.unexpected(detail ?? ''),
    waiting: texts.tap.failedKept,
    provisional: texts.tap.provisional,
    counted: texts.kiosk.welcome,
    'already-counted': texts.tap.alreadyCounted,
    repeated: texts.tap.alreadyCounted,
    'not-kept': words.unsent,
  }[outcome];
}

function wordsOfError(name: string, words: PhoneReaderTexts): string {
  if (name === 'NotAllowedError') return words.denied;
  return name === 'NotSupportedError' ? words.noNfc : words.notStarted;
}
