import { useSignal } from '@preact/signals';
import type { ImportReport, NameList } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { wordsOfFailure } from '../../parts/words/words-of-failure.js';
import { paths } from '../../routing/paths.js';
import { Preview } from './preview.js';
import { Source } from './source.js';

/** A list of names, with the changes that it would make. */
interface Checked {
  readonly list: NameList;
  readonly report: ImportReport;
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
  const check = (list: NameList): Promise<void> =>
    run(async () => {
      checked.value = { list, report: await client.importNames(list, { dryRun: true }) };
    });
  const take = ({ list, report }: Checked): Promise<void> =>
    run(async () => {
      // Without the refused lines, only lines with changes are left.
      const good = report.changes.map(({ id, after }) => JSON.stringify({ id, ...after })).join('\n');
      const { added, changed } = await client.importNames(report.refused.length === 0 ? list : good);
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
        />
      )}
    </>
  );
}
