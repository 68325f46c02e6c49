import { useSignal } from '@preact/signals';
import type { Correction } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../page-context.js';
import { useTask } from '../parts/use-requests.js';
import { ConfirmDialog } from '../parts/form/dialog.js';
import { Check, Field } from '../parts/form/field.js';
import { PersonLink } from '../parts/person-link.js';
import { Table, type Column } from '../parts/table.js';
import { actorOf, groupedId } from '../parts/words.js';
import { correctionTexts } from '../texts/topics/corrections.js';
import { Answered, Empty, FailureNotice, PageHead, WithToday } from '../parts/placeholders.js';
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
  const { access, client, session, texts, toasts, formats, words } = usePage(correctionTexts);
  const rejecting = useSignal<Correction | undefined>(undefined);
  const reason = useSignal('');
  const own = { OWN_CORRECTION: words.own, CORRECTION_CONFLICT: words.conflict };
  const { errorOf, run } = useTask(own);
  const { people } = session;
  const mayDecide = access.may('decide-corrections') && rows.some(({ state }) => state === 'pending');
  const whatOf = ({ action, at }: Correction): string =>
    action === 'add' ? words.added(formats.dateTime(at)) : words.voided(formats.dateTime(at));
  const nameOf = (id: string): string => {
    const name = people.nameOf(id);
    return name === undefined ? groupedId(id) : formats.name(name);
  };
  const approve = async ({ number }: Correction): Promise<void> => {
    if (!(await run(() => client.post('/api/corrections/decision', { body: { number, approve: true } }))))
      return;
    toasts.done(words.isApproved);
    onDecided();
  };
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
            {words.reject} …
          </Button>
        </span>
      ),
  };
  const columns: readonly Column<Correction>[] = [
    {
      key: 'who',
      label: texts.columns.name,
      isHeader: true,
      cell: ({ id, day }) => <PersonLink person={people.rowOf(id)} range={{ from: day, to: day }} />,
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
  const { value: rejected } = rejecting;
  return (
    <>
      <FailureNotice text={errorOf()} />
      <div class="corrections-table">
        <Table
          caption={words.list}
          columns={columns}
          rows={rows}
          keyOf={({ number }) => String(number)}
          sortedBy="made"
          isDescending
          classOf={({ state }) => (state === 'rejected' ? 'row-rejected' : '')}
        />
      </div>
      {rejected !== undefined && (
        <ConfirmDialog
          title={words.rejectTitle}
          label={words.reject}
          words={own}
          isReady={reason.value.trim().length >= 3}
          run={async () => {
            const { number } = rejected;
            await client.post('/api/corrections/decision', {
              body: { number, approve: false, reason: reason.value.trim() },
            });
            toasts.done(words.isRejected);
            reason.value = '';
            onDecided();
          }}
          onClose={() => (rejecting.value = undefined)}
        >
          <p>
            {nameOf(rejected.id)}, {whatOf(rejected)}: {rejected.reason} ({actorOf(rejected.author, texts)})
          </p>
          <Field label={words.why} value={reason} maxLength={500} autoFocus />
        </ConfirmDialog>
      )}
    </>
  );
}

/** Number of days shown at first. */
const DAYS = 90;

/** The corrections; those that wait for approval are marked. */
export function CorrectionsPage(): VNode {
  const { words } = usePage(correctionTexts);
  return <WithToday title={words.title}>{(today) => <Corrections today={today} />}</WithToday>;
}

function Corrections({ today }: { readonly today: number }): VNode {
  const { access, words } = usePage(correctionTexts);
  const range = useSignal<DayRange>({ from: today - DAYS + 1, to: today });
  const isPendingOnly = useSignal(false);
  const isAdding = useSignal(false);
  const { value: all, isMissing, load } = useCorrections(range.value);
  const rows = all?.filter(({ state }) => !isPendingOnly.value || state === 'pending');
  const hasPending = all?.some(({ state }) => state === 'pending') === true;
  return (
    <>
      <PageHead
        title={words.title}
        hint={words.hint}
        actions={
          access.may('correct-record') && (
            <Button icon="add" class="button button-main" onClick={() => (isAdding.value = true)}>
              {words.add}
            </Button>
          )
        }
      />
      <div class="stack">
        <RangeFields range={range.value} today={today} onChoose={(next) => (range.value = next)} />
        {(hasPending || isPendingOnly.value) && <Check value={isPendingOnly}>{words.onlyPending}</Check>}
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
