import { useSignal } from '@preact/signals';
import type { ErasedTag, ErasureReport } from '@tallybook/client';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { Answered } from '../../parts/placeholders.js';
import { Card, Facts } from '../../parts/card.js';
import { ConfirmDialog } from '../../parts/form/dialog.js';
import { Field } from '../../parts/form/field.js';
import { Icon } from '../../parts/icon.js';
import { useAnswer } from '../../parts/use-requests.js';
import { groupedId } from '../../parts/words.js';
import { peopleTexts } from '../../texts/topics/people.js';
import { personalTexts } from '../../texts/topics/personal.js';
import { Button } from '../../parts/button.js';

/** A file that holds data of a person, or may hold it. */
interface KeptFile {
  readonly name: string;
  /** The service's reason why it could not search the file; `undefined` if it found the person in the file. */
  readonly unsearched?: string;
}

const BEHIND_NAME = ' (perhaps: could not be searched, ';

/** Splits an answer of the service into the name of a file and the reason why it could not be searched. */
export function keptFileOf(said: string): KeptFile {
  const [name = said, why] = said.split(BEHIND_NAME);
  return why === undefined ? { name } : { name, unsearched: why.replace(/\)$/, '') };
}

/** The data of a person: to save, or to erase after a dry run. */
export function KeptOfPerson(props: {
  readonly title: string;
  readonly person: string;
  /** In place of a person: a tag without a holder. */
  readonly tag: string | undefined;
}): VNode {
  // The person at the opening of the page: an erasure removes the name.
  const [{ title, person, tag }] = useState(props);
  const who = { ...(tag === undefined ? { people: [person] } : { ids: [tag] }), format: 'hex' as const };
  const { client, words } = usePage(personalTexts);
  const asked = useAnswer(() => client.post('/api/erasures', { body: { ...who, dryRun: true } }), []);
  const erased = useSignal<ErasureReport | undefined>(undefined);
  const isAsking = useSignal(false);
  if (erased.value !== undefined) return <Erased report={erased.value} />;
  return (
    <Answered asked={asked}>
      {(found) => (
        <div class="cards-of-page">
          <Card title={words.kept}>
            {found.tags.map((tag) => (
              <TagFacts key={tag.id} tag={tag} />
            ))}
            <h3>{words.backups}</h3>
            {filesOf(found).length === 0 ? (
              <p>{words.noBackups}</p>
            ) : (
              <>
                <FileNames names={filesOf(found)} />
                <p class="quiet">{words.backupsHint}</p>
              </>
            )}
          </Card>
          <Card title={words.data}>
            <p>{words.dataHint}</p>
            <div class="actions">
              <a
                class="button"
                href={client.url('/api/person/data', {
                  query: tag === undefined ? { person } : { id: tag, format: 'hex' },
                })}
                download=""
              >
                <Icon name="download" />
                {words.saveData}
              </a>
            </div>
          </Card>
          <Card title={words.erase}>
            <p>{words.eraseHint}</p>
            <p class="actions">
              <Button class="button button-bad" opensDialog onClick={() => (isAsking.value = true)}>
                {words.erase} …
              </Button>
            </p>
          </Card>
          {isAsking.value && (
            <EraseDialog
              title={title}
              who={who}
              onErased={(report) => (erased.value = report)}
              onClose={() => (isAsking.value = false)}
            />
          )}
        </div>
      )}
    </Answered>
  );
}

/** Files that have the data of a person, or may have it. */
function filesOf({ backupsWithIt, formerFiles }: ErasureReport): readonly string[] {
  return [...backupsWithIt, ...formerFiles];
}

function EraseDialog({
  title,
  who,
  onErased,
  onClose,
}: {
  readonly title: string;
  readonly who: {
    readonly people?: readonly string[];
    readonly ids?: readonly string[];
    readonly format: 'hex';
  };
  readonly onErased: (report: ErasureReport) => void;
  readonly onClose: () => void;
}): VNode {
  const { client, session, words } = usePage(personalTexts);
  const typed = useSignal('');
  return (
    <ConfirmDialog
      title={words.eraseTitle(title)}
      label={words.erase}
      isReady={typed.value.trim() === title}
      run={async () => {
        onErased(await client.post('/api/erasures', { body: who }));
        session.load();
      }}
      onClose={onClose}
    >
      <p>{words.eraseHint}</p>
      <p>{words.eraseWarning}</p>
      <Field label={words.confirm(title)} value={typed} autoFocus />
    </ConfirmDialog>
  );
}

function TagFacts({ tag }: { readonly tag: ErasedTag }): VNode {
  const { texts, formats, words } = usePage(personalTexts);
  const { words: people } = usePage(peopleTexts);
  const { id, hasName, days, scans, provisional, corrections, changes } = tag;
  return (
    <Facts
      facts={[
        [
          people.tag,
          <code key="id" class="id">
            {groupedId(id)}
          </code>,
        ],
        [words.name, hasName ? words.yes : words.no],
        [texts.days.title, formats.number(days)],
        [texts.columns.taps, formats.number(scans)],
        [words.provisional, formats.number(provisional)],
        [words.corrections, formats.number(corrections)],
        [words.changes, formats.number(changes)],
      ]}
    />
  );
}

function Erased({ report }: { readonly report: ErasureReport }): VNode {
  const files = filesOf(report);
  const { words } = usePage(personalTexts);
  return (
    <Card title={words.erase} health="good" says={words.erased}>
      <p role="status">{report.isScrubbed ? words.scrubbed : words.notScrubbed}</p>
      {files.length > 0 && (
        <>
          <p>{words.handleBackups}</p>
          <FileNames names={files} />
        </>
      )}
    </Card>
  );
}

function FileNames({ names }: { readonly names: readonly string[] }): VNode {
  const { words } = usePage(personalTexts);
  return (
    <ul class="file-names">
      {names.map(keptFileOf).map(({ name, unsearched }) => (
        <li key={name}>
          <code>{name}</code>
          {unsearched !== undefined && <span class="quiet"> {words.unsearched(unsearched)}</span>}
        </li>
      ))}
    </ul>
  );
}
