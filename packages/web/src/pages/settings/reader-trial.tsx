import { useSignal } from '@preact/signals';
import type { ReaderTrial } from '@tallybook/client';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Failure } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { groupedId } from '../../parts/words.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import { systemTexts } from '../../texts/topics/system.js';
import type { Words } from '../../texts/language.js';

/** How long the service waits for a tag. */
const TRIAL_S = 20;

/** What a trial read, or what came instead. */
function Outcome({
  trial: { raw, id, faults },
  onAccept,
}: {
  readonly trial: ReaderTrial;
  /** Accepts single readings from now on; `undefined` if that cannot be tried. */
  readonly onAccept: (() => void) | undefined;
}): VNode {
  const { words, texts } = usePage(settingsTexts);
  const known = systemTexts[texts.language].fault as Words;
  if (id !== null) {
    return (
      <p class="health" data-health="good">
        <span>
          {raw !== null && raw !== id && `${words.readRaw(raw)} `}
          {words.readAs(groupedId(id).replace(/ /g, '\u00a0'))}
        </span>
      </p>
    );
  }
  // Only a reader that has to confirm a tag reads one without a fault and without an id.
  if (raw !== null && faults.length === 0)
    return (
      <div class="notice stack">
        <p>{words.readOnce(raw)}</p>
        {onAccept && (
          <div class="actions">
            <Button onClick={onAccept}>{words.acceptOnce}</Button>
          </div>
        )}
      </div>
    );
  return (
    <div class="notice">
      <p>
        {faults.length === 0 ? words.readNothing : words.readFault} {raw !== null && words.readRaw(raw)}
      </p>
      {faults.map(({ code, message }) => (
        <p key={message} lang={code in known ? undefined : 'en'}>
          {known[code] ?? message}
        </p>
      ))}
    </div>
  );
}

/** Waits for a tag at one reader, and shows how it will be recorded. The tap is not recorded. */
export function ReaderTest({
  url,
  reader,
  isDisabled,
  onTest,
  onRead,
  isInUse,
  onAccept,
}: {
  readonly url: string;
  /** Words for the reader. */
  readonly reader: string;
  readonly isDisabled: boolean;
  readonly onTest: (isRunning: boolean) => void;
  readonly onRead: () => void;
  /** Whether the service reads from it: then a test takes its next tap, and tries it as it is set now. */
  readonly isInUse: boolean;
  /** Accepts single readings from now on, and returns the URL for that. */
  readonly onAccept: () => string;
}): VNode {
  const { client, words } = usePage(settingsTexts);
  const left = useSignal<number | undefined>(undefined);
  const found = useSignal<ReaderTrial | undefined>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const running = useRef<AbortController | undefined>(undefined);
  const { errorOf, run } = useTask({ READER_BUSY: words.readerBusy });
  useEffect(() => () => running.current?.abort(), []);
  const test = async (tried: string): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    found.value = undefined;
    left.value = TRIAL_S;
    const timer = setInterval(() => (left.value = Math.max(0, (left.peek() ?? 0) - 1)), 1_000);
    onTest(true);
    await run(async () => {
      try {
        const options = { body: { reader: tried }, signal, waitMs: TRIAL_S * 1_000 };
        const trial = await client.post('/api/settings/reader-trial', options);
        found.value = trial;
        if (trial.id !== null) onRead();
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    });
    clearInterval(timer);
    left.value = undefined;
    onTest(false);
  };
  const testOnce = (): void => {
    // The button that had the focus disappears.
    box.current?.querySelector('button')?.focus();
    void test(onAccept());
  };
  const isRunning = left.value !== undefined;
  return (
    <div ref={box} class="reader-test">
      <div class="actions">
        {/* One button for both keeps the focus. */}
        <Button
          {...(!isRunning && { label: words.testOf(reader) })}
          isDisabled={isDisabled && !isRunning}
          onClick={() => (isRunning ? running.current?.abort() : void test(url))}
        >
          {isRunning ? words.stop : words.test}
        </Button>
        <div role="status">{isRunning && <strong>{words.holdNow}</strong>}</div>
        {isRunning && <span class="quiet">{words.secondsLeft(left.value ?? 0)}</span>}
      </div>
      {isInUse && <p class="quiet field-hint">{words.testInUse}</p>}
      <div role="status">
        {found.value && <Outcome trial={found.value} onAccept={isInUse ? undefined : testOnce} />}
      </div>
      <Failure text={errorOf()} />
    </div>
  );
}
