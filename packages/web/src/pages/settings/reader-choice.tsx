import { useSignal } from '@preact/signals';
import type { FoundReader } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Button } from '../../parts/button.js';
import { Field } from '../../parts/form/field.js';
import { Answered } from '../../parts/placeholders.js';
import { useAnswer } from '../../parts/use-requests.js';
import {
  namedReader,
  nameOfReader,
  proposeName,
  readerWithoutName,
  unconfirmedReader,
} from '../../state/reader-urls.js';
import type { SettingsForm } from '../../state/settings.js';
import { settingsTexts } from '../../texts/topics/settings.js';
import type { Words } from '../../texts/language.js';
import { Effect } from './effect.js';
import { Given } from './given.js';
import { ReaderTest } from './reader-trial.js';

const NAME_MAX_LENGTH = 100;

/** Chooses the readers, of those that the service finds on its machine, and names them. */
export function ReaderChoice({
  form,
  error,
}: {
  readonly form: SettingsForm;
  readonly error: string | undefined;
}): VNode {
  const { client, words } = usePage(settingsTexts);
  const asked = useAnswer((signal) => client.get('/api/settings/readers', { signal }), []);
  const isTesting = useSignal(false);
  const { value: chosen } = form.readers;
  if (form.isGiven('readers'))
    return <Given label={words.readers} value={form.listOf('readers').join(', ')} />;
  const saved = form.listOf('readers');
  const among = (urls: readonly string[], url: string): string | undefined =>
    urls.find((each) => readerWithoutName(each) === readerWithoutName(url));
  const replace = (before: string | undefined, after: string): void => {
    form.readers.value = form.readers.peek().map((each) => (each === before ? after : each));
  };
  const choose = (url: string, isChosen: boolean): void => {
    const urls = form.readers.peek();
    const own = among(urls, url);
    if (!isChosen) form.readers.value = urls.filter((each) => each !== own);
    else if (own === undefined)
      form.readers.value = [...urls, among(saved, url) ?? proposeName(url, urls, words.entrance)];
  };
  const acceptOnce = (url: string): string => {
    choose(url, true);
    const own = among(form.readers.peek(), url);
    const once = unconfirmedReader(own ?? url);
    replace(own, once);
    return once;
  };
  const item = (url: string, content: VNode, test?: VNode): VNode => {
    const own = among(chosen, url);
    return (
      <li key={readerWithoutName(url)}>
        <label class="check">
          <input
            type="checkbox"
            checked={own !== undefined}
            onChange={({ currentTarget }) => choose(url, currentTarget.checked)}
          />
          {content}
        </label>
        {own !== undefined && (
          <ReaderName
            url={own}
            isTaken={chosen.some((each) => each !== own && nameOfReader(each) === nameOfReader(own))}
            onName={(name) => replace(own, namedReader(own, name))}
          />
        )}
        {test}
      </li>
    );
  };
  const gone = form.leftReaders();
  return (
    <fieldset class="stack">
      <legend class="only-read">{words.readers}</legend>
      <p class="quiet">{words.readersHint}</p>
      <Answered asked={asked}>
        {(all) => {
          const usable = all.filter(({ isUsable, url }) => isUsable || among(chosen, url) !== undefined);
          const others = all.filter((each) => !usable.includes(each));
          const known = all.map(({ url }) => url);
          const missing = new Set(
            [...saved, ...chosen]
              .filter((url) => among(known, url) === undefined)
              .map((url) => readerWithoutName(url)),
          );
          return (
            <>
              {usable.length + missing.size === 0 && <p class="notice">{words.noReaders}</p>}
              <ul class="found-readers">
                {usable.map((found) =>
                  item(
                    found.url,
                    <ReaderWords reader={found} />,
                    <ReaderTest
                      url={among(chosen, found.url) ?? found.url}
                      reader={found.label ?? found.path}
                      isDisabled={isTesting.value}
                      onTest={(isRunning) => (isTesting.value = isRunning)}
                      onRead={() => choose(found.url, true)}
                      isInUse={found.isInUse}
                      onAccept={() => acceptOnce(found.url)}
                    />,
                  ),
                )}
                {[...missing].map((url) => {
                  // Others, such as MQTT, are not devices of this machine.
                  const [kind = ''] = url.split(':');
                  const isDevice = kind in words.readerKind;
                  return item(
                    url,
                    <span>
                      <code class="id">{url}</code>
                      {isDevice && <span class="quiet field-hint">{words.notFound}</span>}
                    </span>,
                  );
                })}
              </ul>
              {others.length > 0 && (
                <details open={usable.length === 0}>
                  <summary>
                    {words.unusable}: {others.length}
                  </summary>
                  <ul class="found-readers">
                    {others.map((found) => (
                      <li key={found.url}>
                        <ReaderWords reader={found} />
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
      <Effect
        text={gone.map((url) => words.effect.reader(nameOfReader(url) || url)).join(' ') || undefined}
      />
    </fieldset>
  );
}

/** The name of a chosen reader. */
function ReaderName({
  url,
  isTaken,
  onName,
}: {
  readonly url: string;
  readonly isTaken: boolean;
  readonly onName: (name: string) => void;
}): VNode {
  const { words } = usePage(settingsTexts);
  const name = useSignal(nameOfReader(url));
  return (
    <div class="below-check">
      <Field
        label={words.readerName}
        value={name}
        hint={words.readerNameHint}
        maxLength={NAME_MAX_LENGTH}
        error={isTaken && name.value !== '' ? words.nameTaken : undefined}
        onInput={() => onName(name.value)}
      />
    </div>
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
