import { useSignal } from '@preact/signals';
import {
  TallybookClientError,
  type EncodingGuess,
  type IdFormat,
  type ImportReport,
} from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { FailureNotice, PageHead } from '../../parts/placeholders.js';
import { useTask } from '../../parts/use-requests.js';
import { listTexts } from '../../texts/topics/lists.js';
import { Done } from './done.js';
import {
  ListChoicesForm,
  queryOf,
  Source,
  type ListChoices,
  type ListQuery,
  type NameList,
} from './list-source.js';
import { Preview } from './preview.js';
import type { RowChoices } from './row-choice.js';

/** A list of persons, with the changes that it would make. */
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

/** The rows that can be taken, in JSON Lines, each in its own line: so choices are for the same lines. */
function withoutRefused({ rows, refused }: ImportReport): string {
  const lines = Array.from({ length: rows.at(-1)?.line ?? 0 }, () => '');
  const bad = new Set(refused.map(({ line }) => line));
  for (const { line, person, by, name, number, groups, tags } of rows) {
    const known = by === 'person' && person !== null ? { person } : {};
    const row = { ...known, ...name, number, ...(groups && { groups }), id: tags.map(({ id }) => id) };
    if (!bad.has(line)) lines[line - 1] = JSON.stringify(row);
  }
  return lines.join('\n');
}

/** Imports persons from a list. All changes are shown before any is made, and what is doubtful is asked. */
export function ImportPage(): VNode {
  const { client, session, texts, words } = usePage(listTexts);
  const checked = useSignal<Checked | undefined>(undefined);
  const rows = useSignal<RowChoices>({});
  const done = useSignal<ImportReport | undefined>(undefined);
  const { errorOf, isBusy, fail, run } = useTask({ INVALID_NAME_LIST: words.again });
  const send = (list: NameList, query: ListQuery, chosen: RowChoices = {}): Promise<ImportReport> => {
    const form = new FormData();
    form.append('file', typeof list === 'string' ? new Blob([list], { type: 'text/csv' }) : list);
    form.append('choices', JSON.stringify(chosen));
    return client.post('/api/people', { query, body: form });
  };
  const dryRun = async (list: NameList, choices: ListChoices): Promise<void> => {
    const report = await send(list, { ...queryOf(choices), 'dry-run': '1' });
    const guesses = choices.encoding === undefined ? report.reading.guesses : checked.peek()?.guesses;
    const formats = choices.format === undefined ? formatsOf(report) : checked.peek()?.formats;
    checked.value = { list, choices, report, guesses: guesses ?? [], formats: formats ?? [] };
  };
  const check = (list: NameList, choices: ListChoices = {}): Promise<boolean> => {
    // Read otherwise, a line may be somebody else.
    rows.value = {};
    return run(() => dryRun(list, choices));
  };
  const take = ({ list, choices, report }: Checked): Promise<boolean> =>
    run(async () => {
      try {
        const { left, refused } = report;
        const saved = await (refused.length === 0
          ? send(list, queryOf(choices), rows.peek())
          : send(withoutRefused(report), { format: 'hex', numbers: choices.numbers }, rows.peek()));
        done.value = { ...saved, left };
        checked.value = undefined;
        await session.people.load();
      } catch (error) {
        // The choices contradict each other, or the people have changed: the rows are asked about again.
        if (error instanceof TallybookClientError && error.status === 422) await dryRun(list, choices);
        throw error;
      }
    });
  const { value: found } = checked;
  const again = (): void => {
    checked.value = done.value = undefined;
    rows.value = {};
    fail(undefined);
  };
  return (
    <>
      <PageHead title={texts.import.title} hint={texts.import.hint} />
      <FailureNotice text={errorOf()} />
      {done.value !== undefined ? (
        <Done report={done.value} onBack={again} />
      ) : found === undefined ? (
        <Source isBusy={isBusy.value} onList={(list) => void check(list)} />
      ) : (
        <Preview
          report={found.report}
          choices={rows}
          isBusy={isBusy.value}
          onNumbers={(numbers) => void check(found.list, { ...found.choices, numbers })}
          onTake={() => void take(found)}
          onBack={again}
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
