import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Select } from '../../parts/form/select.js';
import { Answered } from '../../parts/placeholders/answered.js';
import { Empty } from '../../parts/placeholders/empty.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { auditTexts } from '../../texts/topics/audit.js';
import { AuditTable } from './audit-table.js';
import { useTrail } from './use-trail.js';

/** The audit trail, the latest entry first. */
export function AuditPage(): VNode {
  const { texts } = usePage();
  const words = useTopic(auditTexts);
  const { entries, isWhole, hasOlder, isMissing, load, loadOlder } = useTrail();
  const chosen = useSignal('');
  const rows = entries?.filter(({ action }) => chosen.value === '' || action === chosen.value);
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
        <Select
          label={words.filter}
          value={chosen.value}
          options={[['', words.all], ...Object.entries(words.actions)]}
          onChoose={(value) => (chosen.value = value)}
        />
      </div>
      <Answered asked={{ value: rows, isMissing, load }}>
        {(some) => (
          <div class="stack">
            {isWhole ? (
              <p class="health" data-health="good">
                {words.whole}
              </p>
            ) : (
              <p class="notice notice-bad" role="alert">
                {words.broken}
              </p>
            )}
            {entries?.length === 0 ? (
              <Empty title={words.empty} hint={words.emptyHint} />
            ) : some.length === 0 ? (
              <p class="quiet">{words.noneOfKind}</p>
            ) : (
              <AuditTable rows={some} />
            )}
            {hasOlder && (
              <p class="actions no-print">
                <button type="button" class="button" onClick={loadOlder}>
                  {words.older}
                </button>
              </p>
            )}
            <p class="only-print">{texts.app.name}</p>
          </div>
        )}
      </Answered>
    </>
  );
}
