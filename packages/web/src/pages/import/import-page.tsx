import { useSignal } from '@preact/signals';
import type { EncodingGuess, IdFormat, ImportReport } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { FailureNotice, PageHead } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { paths } from '../../routing.js';
import { ListChoicesForm, queryOf, Source, type ListChoices, type NameList } from './list-source.js';
import { Preview } from './preview.js';

/** A list of names, with the changes that it would make. */
interface Checked {
  readonly list: NameList;
  readonly choices: ListChoices;
  /** The possible encodings, if the encoding was guessed at first. */
  readonly guesses: readonly EncodingGuess[];
  /** The possible spellings of the ids; none if all are hex. */
  readonly formats: readonly IdFormat[];
  readonly report: ImportReport;
}

function formatsOf({ rows, refused }: ImportReport): readonly IdFormat[] {
  const all = [...rows.flatMap(({ tags }) => tags), ...refused.flatMap(({ readings = [] }) => readings)];
  const found = all.map(({ format }) => format);
  const others = new Set(found.filter((format) => format !== undefined && format !== 'hex'));
  return others.size === 0 ? [] : (['hex', ...others] as IdFormat[]);
}

/** Imports names from a list. All changes are shown before any is made. */
export function ImportPage(): VNode {
  const { client, texts, toasts, address } = usePage();
  const checked = useSignal<Checked | undefined>(undefined);
  const { errorOf, isBusy, fail, run } = useTask();
  const check = (list: NameList, choices: ListChoices = {}): Promise<boolean> =>
    run(async () => {
      const report = await client.post('/api/people', {
        query: { ...queryOf(choices), 'dry-run': '1' },
        body: list,
      });
      const guesses = choices.encoding === undefined ? report.reading.guesses : checked.peek()?.guesses;
      const formats = choices.format === undefined ? formatsOf(report) : checked.peek()?.formats;
      checked.value = { list, choices, report, guesses: guesses ?? [], formats: formats ?? [] };
    });
  const take = ({ list, choices, report }: Checked): Promise<boolean> =>
    run(async () => {
      // Without the refused lines, only lines with changes are left.
      const good = report.rows
        .flatMap(({ tags, name }) => tags.map(({ id }) => JSON.stringify({ id, ...name })))
        .join('\n');
      const { new: added, changed } = await (report.refused.length === 0
        ? client.post('/api/people', { query: queryOf(choices), body: list })
        : client.post('/api/people', { query: { format: 'hex' }, body: good }));
      toasts.done(texts.import.taken(added + changed));
      address.go(paths.people);
    });
  const { value: found } = checked;
  return (
    <>
      <PageHead title={texts.import.title} hint={texts.import.hint} />
      <FailureNotice text={errorOf()} />
      {found === undefined ? (
        <Source isBusy={isBusy.value} onList={(list) => void check(list)} />
      ) : (
        <Preview
          report={found.report}
          isBusy={isBusy.value}
          onTake={() => void take(found)}
          onBack={() => {
            checked.value = undefined;
            fail(undefined);
          }}
        >
          <ListChoicesForm
            reading={found.report.reading}
            guesses={found.guesses}
            formats={found.formats}
            format={found.choices.format}
            isBusy={isBusy.value}
            onChoose={(some) => void check(found.list, { ...found.choices, ...some })}
          />
        </Preview>
      )}
    </>
  );
}
