import { useSignal } from '@preact/signals';
import type { EncodingGuess, IdFormat, ImportReport, NameList } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { wordsOfFailure } from '../../parts/words.js';
import { paths } from '../../routing.js';
import { ListChoicesForm, Source, type ListChoices } from './list-source.js';
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

function formatsOf({ changes, refused }: ImportReport): readonly IdFormat[] {
  const found = [...changes, ...refused.flatMap(({ readings = [] }) => readings)].map(({ format }) => format);
  const others = new Set(found.filter((format) => format !== undefined && format !== 'hex'));
  return others.size === 0 ? [] : (['hex', ...others] as IdFormat[]);
}

/** Imports names from a list. All changes are shown before any is made. */
export function ImportPage(): VNode {
  const { client, texts, toasts, address } = usePage();
  const checked = useSignal<Checked | undefined>(undefined);
  const isBusy = useSignal(false);
  const failure = useSignal<string | undefined>(undefined);
  const run = async (task: () => Promise<void>): Promise<void> => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await task();
    } catch (error) {
      failure.value = wordsOfFailure(error, texts);
    }
    isBusy.value = false;
  };
  const check = (list: NameList, choices: ListChoices = {}): Promise<void> =>
    run(async () => {
      const report = await client.importNames(list, { ...choices, dryRun: true });
      const guesses = choices.encoding === undefined ? report.reading.guesses : checked.peek()?.guesses;
      const formats = choices.format === undefined ? formatsOf(report) : checked.peek()?.formats;
      checked.value = { list, choices, report, guesses: guesses ?? [], formats: formats ?? [] };
    });
  const take = ({ list, choices, report }: Checked): Promise<void> =>
    run(async () => {
      // Without the refused lines, only lines with changes are left.
      const good = report.changes.map(({ id, after }) => JSON.stringify({ id, ...after })).join('\n');
      const { added, changed } = await (report.refused.length === 0
        ? client.importNames(list, choices)
        : client.importNames(good, { format: 'hex' }));
      toasts.show({ kind: 'done', text: texts.import.taken(added + changed) });
      address.go(paths.names);
    });
  const { value: found } = checked;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{texts.import.title}</h1>
          <p class="quiet">{texts.import.hint}</p>
        </div>
      </div>
      <div role="alert">
        {failure.value !== undefined && <p class="notice notice-bad">{failure.value}</p>}
      </div>
      {found === undefined ? (
        <Source isBusy={isBusy.value} onList={(list) => void check(list)} />
      ) : (
        <Preview
          report={found.report}
          isBusy={isBusy.value}
          onTake={() => void take(found)}
          onBack={() => {
            checked.value = undefined;
            failure.value = undefined;
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
