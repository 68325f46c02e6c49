import { useSignal } from '@preact/signals';
import type { FoundReader } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Answered } from '../../parts/placeholders.js';
import { useAnswer } from '../../parts/use-requests.js';
import type { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import type { Words } from '../../texts/language.js';
import { Effect } from './effect.js';
import { Given } from './given.js';
import { ReaderTest } from './reader-trial.js';

/** Chooses the readers, of those that the service finds on its machine. */
export function ReaderChoice({
  form,
  error,
  isFirst,
}: {
  readonly form: SettingsForm;
  readonly error: string | undefined;
  readonly isFirst: boolean;
}): VNode {
  const { client, words } = usePage(settingsTexts);
  const asked = useAnswer((signal) => client.get('/api/settings/readers', { signal }), []);
  const isTesting = useSignal(false);
  const { value: chosen } = form.readers;
  if (form.isGiven('readers'))
    return <Given label={words.readers} value={form.listOf('readers').join(', ')} />;
  const choose = (url: string, isChosen: boolean): void => {
    const others = form.readers.peek().filter((each) => each !== url);
    form.readers.value = isChosen ? [...others, url] : others;
  };
  const box = (url: string, content: VNode): VNode => (
    <label class="check">
      <input
        type="checkbox"
        checked={chosen.includes(url)}
        onChange={({ currentTarget }) => choose(url, currentTarget.checked)}
      />
      {content}
    </label>
  );
  const gone = form.leftReaders();
  return (
    <fieldset class="stack">
      <legend class="only-read">{words.readers}</legend>
      <p class="quiet">
        {words.readersHint} {isFirst && words.readersLater}
      </p>
      <Answered asked={asked}>
        {(all) => {
          const usable = all.filter((reader) => reader.isUsable || chosen.includes(reader.url));
          const others = all.filter((reader) => !usable.includes(reader));
          const known = new Set(all.map(({ url }) => url));
          const missing = [...new Set([...form.listOf('readers'), ...chosen])].filter(
            (url) => !known.has(url),
          );
          return (
            <>
              {usable.length + missing.length === 0 && <p class="notice">{words.noReaders}</p>}
              <ul class="found-readers">
                {usable.map((reader) => (
                  <li key={reader.url}>
                    {box(reader.url, <ReaderWords reader={reader} />)}
                    <ReaderTest
                      url={reader.url}
                      reader={reader.label ?? reader.path}
                      isDisabled={isTesting.value}
                      onTest={(isRunning) => (isTesting.value = isRunning)}
                      onRead={() => choose(reader.url, true)}
                    />
                  </li>
                ))}
                {missing.map((url) => (
                  <li key={url}>
                    {box(
                      url,
                      <span>
                        <code class="id">{url}</code>
                        <span class="quiet field-hint">{words.notFound}</span>
                      </span>,
                    )}
                  </li>
                ))}
              </ul>
              {others.length > 0 && (
                <details open={usable.length === 0}>
                  <summary>
                    {words.unusable}: {others.length}
                  </summary>
                  <ul class="found-readers">
                    {others.map((reader) => (
                      <li key={reader.url}>
                        <ReaderWords reader={reader} />
                      </li>
                    ))}
                  </ul>
                </details>
              )}
            </>
          );
        }}
      </Answered>
      <p class="field-error" role="alert">
        {error}
      </p>
      <div class="actions">
        <Button onClick={asked.load}>{words.lookAgain}</Button>
      </div>
      <Effect text={isFirst || gone.length === 0 ? undefined : gone.map(words.effect.reader).join(' ')} />
    </fieldset>
  );
}

/** What a reader is, where it is, and why it cannot be used. */
function ReaderWords({ reader }: { readonly reader: FoundReader }): VNode {
  const { words } = usePage(settingsTexts);
  const { url, path, label, why, holder, isInUse } = reader;
  const kinds: Words = words.readerKind;
  const [kind = ''] = url.split(':');
  return (
    <span>
      {kinds[kind] ?? words.readerKind.other}
      {label !== null && `: ${label}`}
      {isInUse && <span class="quiet"> ({words.inUse})</span>}
      <code class="id quiet field-hint">{path}</code>
      {holder !== null && !isInUse && <span class="field-hint">{words.heldBy(holder)}</span>}
      {why !== null && (
        <span class="field-hint" lang="en">
          {why}
        </span>
      )}
    </span>
  );
}
