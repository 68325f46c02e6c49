import { useSignal } from '@preact/signals';
import type { Correction } from '@tallybook/client';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { usePage } from '../page-context.js';
import { useTask } from '../parts/use-requests.js';
import { ConfirmDialog } from '../parts/form/confirm-dialog.js';
import { Field } from '../parts/form/field.js';
import { PersonLink } from '../parts/person-link.js';
import { Table, type Column, type Sorting } from '../parts/table.js';
import { actorOf, groupedId, useTopic } from '../parts/words.js';
import { correctionTexts } from '../texts/topics/corrections.js';
import { Answered, Empty, Loading } from '../parts/placeholders.js';
import { CorrectionDialog } from '../parts/corrections/correction-dialog.js';
import { useCorrections } from '../parts/corrections/correction-marks.js';
import { RangeFields } from '../parts/form/range-fields.js';
import type { DayRange } from '../state/days.js';
import { Button } from '../parts/button.js';

/** A row for each correction, the latest first, with buttons to decide for users who may. */
function CorrectionsTable({
  rows,
  onDecided,
}: {
  readonly rows: readonly Correction[];
  readonly onDecided: () => void;
}): VNode {
  const { access, client, session, texts, toasts, formats } = usePage();
  const words = useTopic(correctionTexts);
  const sorting = useSignal<Sorting>({ key: 'made', isDescending: true });
  const rejecting = useSignal<Correction | undefined>(undefined);
  const reason = useSignal('');
  const own = { OWN_CORRECTION: words.own, CORRECTION_CONFLICT: words.conflict };
  const { failure, run } = useTask(own);
  const names = session.names.all.value;
  const mayDecide = access.may('decide-corrections') && rows.some(({ state }) => state === 'pending');
  const whatOf = ({ action, at }: Correction): string =>
    action === 'add' ? words.added(formats.dateTime(at)) : words.voided(formats.dateTime(at));
  const nameOf = (id: string): string => {
    const name = names.get(id);
    return name === undefined ? groupedId(id) : formats.name(name);
  };
  const approve = async ({ number }: Correction): Promise<void> => {
    if (!(await run(() => client.decideCorrection({ number, approve: true })))) return;
    toasts.show({ kind: 'done', text: words.isApproved });
    onDecided();
  };
  const columns = useMemo<readonly Column<Correction>[]>(() => {
    const decide: Column<Correction> = {
      key: 'decide',
      label: words.decide,
      cell: (each) =>
        each.state === 'pending' && (
          <span class="actions row-actions no-print">
            <Button
              label={words.approveOf(`${nameOf(each.id)}, ${whatOf(each)}`)}
              onClick={() => void approve(each)}
            >
              {words.approve}
            </Button>
            <Button
              opensDialog
              label={words.rejectOf(`${nameOf(each.id)}, ${whatOf(each)}`)}
              onClick={() => (rejecting.value = each)}
            >
              {words.reject}
            </Button>
          </span>
        ),
    };
    return [
      {
        key: 'who',
        label: texts.columns.name,
        isHeader: true,
        cell: ({ id, day }) => (
          <PersonLink person={{ name: names.get(id) ?? null, ids: [id] }} range={{ from: day, to: day }} />
        ),
        compare: (one, other) => nameOf(one.id).localeCompare(nameOf(other.id), texts.language),
      },
      {
        key: 'what',
        label: words.what,
        cell: ({ action, at }) =>
          action === 'add' ? <ins>+{formats.dateTime(at)}</ins> : <del>{formats.dateTime(at)}</del>,
        compare: (one, other) => one.at - other.at,
      },
      { key: 'reason', label: words.reason, cell: ({ reason: why }) => why },
      { key: 'author', label: words.author, cell: ({ author }) => actorOf(author, texts) },
      {
        key: 'made',
        label: words.made,
        cell: ({ madeAt }) => formats.dateTime(madeAt),
        compare: (one, other) => one.madeAt - other.madeAt || one.number - other.number,
      },
      {
        key: 'state',
        label: words.state,
        cell: ({ state, decidedBy, decisionReason }) =>
          state === 'pending' ? (
            <strong>{words.pending}</strong>
          ) : decidedBy === null ? (
            words[state]
          ) : (
            <>
              {words.decided(words[state], actorOf(decidedBy, texts))}
              <span class="quiet field-hint"> {decisionReason}</span>
            </>
          ),
      },
      ...(mayDecide ? [decide] : []),
    ];
  }, [words, texts, formats, names, mayDecide]);
  const { value: rejected } = rejecting;
  return (
    <>
      <div role="alert">
        {failure.value !== undefined && <p class="notice notice-bad">{failure.value}</p>}
      </div>
      <div class="corrections-table">
        <Table
          caption={words.list}
          columns={columns}
          rows={rows}
          keyOf={({ number }) => String(number)}
          sorting={sorting}
          classOf={({ state }) => (state === 'rejected' ? 'row-rejected' : '')}
        />
      </div>
      {rejected !== undefined && (
        <ConfirmDialog
          title={words.rejectTitle}
          confirm={words.reject.replace(' …', '')}
          words={own}
          isReady={reason.value.trim().length >= 3}
          run={async () => {
            const { number } = rejected;
            await client.decideCorrection({ number, approve: false, reason: reason.value.trim() });
            toasts.show({ kind: 'done', text: words.isRejected });
            reason.value = '';
            onDecided();
          }}
          onClose={() => (rejecting.value = undefined)}
        >
          <p>
            {nameOf(rejected.id)}, {whatOf(rejected)}: {rejected.reason} ({actorOf(rejected.author, texts)})
          </p>
          <Field
            label={words.why}
            value={reason.value}
            maxLength={500}
            onInput={(value) => (reason.value = value)}
            autoFocus
          />
        </ConfirmDialog>
      )}
    </>
  );
}

/** Number of days shown at first. */
const DAYS = 90;

/** The corrections; those that wait for approval are marked. */
export function CorrectionsPage(): VNode {
  const { session } = usePage();
  const words = useTopic(correctionTexts);
  const today = session.clock.told.value?.day;
  return today === undefined ? (
    <>
      <h1>{words.title}</h1>
      <Loading />
    </>
  ) : (
    <Corrections today={today} />
  );
}

function Corrections({ today }: { readonly today: number }): VNode {
  const { access } = usePage();
  const words = useTopic(correctionTexts);
  const range = useSignal<DayRange>({ from: today - DAYS + 1, to: today });
  const isPendingOnly = useSignal(false);
  const isAdding = useSignal(false);
  const { value: all, isMissing, load } = useCorrections(range.value);
  const rows = all?.filter(({ state }) => !isPendingOnly.value || state === 'pending');
  const hasPending = all?.some(({ state }) => state === 'pending') === true;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>{words.title}</h1>
          <p class="quiet">{words.hint}</p>
        </div>
        {access.may('correct-record') && (
          <div class="actions no-print">
            <Button icon="add" class="button button-main" onClick={() => (isAdding.value = true)}>
              {words.add}
            </Button>
          </div>
        )}
      </div>
      <div class="stack">
        <RangeFields range={range.value} today={today} onChoose={(next) => (range.value = next)} />
        {(hasPending || isPendingOnly.value) && (
          <label class="check no-print">
            <input
              type="checkbox"
              checked={isPendingOnly.value}
              onChange={(event) => (isPendingOnly.value = event.currentTarget.checked)}
            />
            {words.onlyPending}
          </label>
        )}
        <Answered asked={{ value: rows, isMissing, load }}>
          {(some) =>
            some.length === 0 ? (
              <Empty title={words.none} hint={words.noneHint} />
            ) : (
              <CorrectionsTable rows={some} onDecided={load} />
            )
          }
        </Answered>
      </div>
      {isAdding.value && (
        <CorrectionDialog
          person={undefined}
          day={today}
          onClose={(isDone) => {
            isAdding.value = false;
            if (isDone) load();
          }}
        />
      )}
    </>
  );
}
