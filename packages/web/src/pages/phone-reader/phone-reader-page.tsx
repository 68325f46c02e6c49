import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { paths, type PathParams } from '../../routing.js';
import { phoneReaderTexts } from '../../texts/topics/phone-reader.js';
import { nfcSupport } from './phone-features.js';
import { Scanner, Screen } from './scanner.js';

/** A phone with NFC as a reader: sends the tags that it reads to the service. */
export function PhoneReaderPage({ reader }: PathParams): VNode {
  const { words } = usePage(phoneReaderTexts);
  const support = nfcSupport();
  if (support !== 'there') {
    return (
      <Screen>
        <h1>{words[support]}</h1>
        <p>{words[`${support}Hint`]}</p>
      </Screen>
    );
  }
  return reader === undefined ? <ReaderChoice /> : <Scanner key={reader} reader={reader} />;
}

/** Chooses one of the readers that get scans over HTTP. A single reader is chosen automatically. */
function ReaderChoice(): VNode {
  const { session, address, texts, words } = usePage(phoneReaderTexts);
  const readers = session.readers.all.value?.filter(({ kind }) => kind === 'http');
  const [only, another] = readers ?? [];
  useEffect(() => void session.readers.load().catch(() => undefined), [session]);
  useEffect(() => {
    if (only !== undefined && another === undefined) address.replace(paths.phoneReader(only.name));
  }, [only, another]);
  if (readers === undefined) {
    return (
      <Screen>
        <h1>{words.title}</h1>
        <p>{texts.app.loading}</p>
      </Screen>
    );
  }
  return (
    <Screen>
      <h1>{readers.length === 0 ? words.none : words.choose}</h1>
      {readers.length === 0 && <p>{words.noneHint}</p>}
      {readers.map(({ name }) => (
        <p key={name}>
          <a class="button" href={paths.phoneReader(name)}>
            {name}
          </a>
        </p>
      ))}
    </Screen>
  );
}
