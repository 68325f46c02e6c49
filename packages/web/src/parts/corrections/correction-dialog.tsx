import { useSignal } from '@preact/signals';
import type { NewCorrection } from '@tallybook/client';
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { usePage } from '../../page-context.js';
import { scansOf, type KnownScan } from '../../state/days-table.js';
import { dayOfIso, isoOf, momentOf, momentOnDay } from '../../state/days.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { useAnswer, useTask } from '../use-requests.js';
import { Dialog, FormEnd } from '../form/dialog.js';
import { Field } from '../form/field.js';
import { groupedId, useTopic } from '../words.js';
import { PersonChoice, type Chosen } from './person-choice.js';
import { Button } from '../button.js';

const REASON = { shortest: 3, longest: 500 };

/** Corrects the taps of a person on a day: voids taps, or adds a forgotten one, with a reason. */
export function CorrectionDialog({
  person: known,
  day: knownDay,
  onClose,
}: {
  /** `undefined` if the user has to choose the person. */
  readonly person: Chosen | undefined;
  readonly day: number;
  /** @param isDone Whether anything was corrected. */
  readonly onClose: (isDone: boolean) => void;
}): VNode {
  const { access, session, client, toasts, formats } = usePage();
  const words = useTopic(correctionTexts);
  const person = useSignal(known);
  const day = useSignal(knownDay);
  const scans = useScans(day.value, person.value?.ids ?? []);
  /** The taps whose tick differs from the record. */
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const time = useSignal('');
  const reason = useSignal('');
  const wrong = useSignal<'who' | 'reason' | undefined>(undefined);
  const task = useTask({
    SCAN_NOT_FOUND: words.scanGone,
    CORRECTION_CONFLICT: words.conflict,
    INVALID_CORRECTION: words.badTime,
  });
  const changes = (): readonly NewCorrection[] => {
    const common = { day: day.value, reason: reason.value.trim() };
    const ofScans = scans
      .filter((scan) => turned.value.has(keyOf(scan)))
      .map(({ id, at, counts }): NewCorrection => ({
        ...common,
        action: counts ? 'void' : 'add',
        id,
        at,
      }));
    const [hours = '', minutes = ''] = time.value.split(':');
    const id = scans[0]?.id ?? person.value?.ids[0];
    if (minutes === '' || id === undefined) return ofScans;
    const dayStart = session.clock.told.peek()?.dayStart ?? '00:00';
    const seconds = Number(hours) * 3_600 + Number(minutes) * 60;
    const at = momentOnDay(day.value, seconds, { dayStart, wallClock: formats.wallClock });
    return [...ofScans, { ...common, action: 'add', id, at }];
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { length } = Array.from(reason.value.trim());
    const isReasonWrong = length < REASON.shortest || length > REASON.longest;
    wrong.value = person.value === undefined ? 'who' : isReasonWrong ? 'reason' : undefined;
    task.fail(undefined);
    if (person.value === undefined) return;
    const all = changes();
    if (all.length === 0) task.fail(words.nothing);
    if (all.length === 0 || wrong.value !== undefined) return;
    await task.run(async () => {
      const made = await client.correct(all);
      const waiting = made.filter(({ state }) => state === 'pending').length;
      const text = waiting > 0 ? words.waits(waiting) : words.saved(all.length);
      toasts.show({ kind: 'done', text });
      session.load();
      onClose(true);
    });
  };
  const { value: chosen } = person;
  return (
    <Dialog title={known === undefined ? words.add : words.dialog} onClose={() => onClose(false)}>
      <form class="stack" onSubmit={(event) => void submit(event)} noValidate>
        {chosen === undefined ? (
          <PersonChoice
            error={wrong.value === 'who' ? words.whoMissing : undefined}
            onChoose={(each) => {
              person.value = each;
              wrong.value = undefined;
            }}
          />
        ) : (
          <p class="chosen">
            <strong>
              {chosen.name === null ? groupedId(chosen.ids[0] ?? '') : formats.name(chosen.name)}
            </strong>
            {known === undefined && <Button onClick={() => (person.value = undefined)}>{words.other}</Button>}
          </p>
        )}
        <DayField day={day.value} onInput={(next) => (day.value = next)} />
        {chosen !== undefined && (
          <ScanTicks
            scans={scans}
            turned={turned.value}
            onTurn={(key) => {
              const next = new Set(turned.value);
              if (!next.delete(key)) next.add(key);
              turned.value = next;
            }}
          />
        )}
        <TimeField value={time.value} onInput={(value) => (time.value = value)} />
        <Field
          label={words.reason}
          value={reason.value}
          hint={words.reasonHint}
          maxLength={REASON.longest}
          error={wrong.value === 'reason' ? words.reasonMissing : undefined}
          onInput={(value) => (reason.value = value)}
        />
        <FormEnd
          task={task}
          label={words.save}
          isReady={access.may('correct-record')}
          onCancel={() => onClose(false)}
        />
      </form>
    </Dialog>
  );
}

/** The taps of these tags on a day. */
function useScans(day: number, ids: readonly string[]): readonly KnownScan[] {
  const { client, formats } = usePage();
  const { value = [] } = useAnswer(async () => {
    const moment = momentOf(day, formats.wallClock);
    const [corrections, ...taken] = await Promise.all([
      client.listCorrections({ from: moment, to: moment }),
      ...ids.map(async (id) => (await client.listScans({ day, id })).at.map((at) => ({ id, at }))),
    ]);
    const own = corrections.filter((each) => each.day === day && ids.includes(each.id));
    return scansOf(taken.flat(), own);
  }, [day, ids.join()]);
  return value;
}

function ScanTicks({
  scans,
  turned,
  onTurn,
}: {
  readonly scans: readonly KnownScan[];
  readonly turned: ReadonlySet<string>;
  readonly onTurn: (key: string) => void;
}): VNode {
  const { formats } = usePage();
  const words = useTopic(correctionTexts);
  if (scans.length === 0) return <p class="quiet">{words.noScans}</p>;
  return (
    <fieldset class="scan-ticks">
      <legend>{words.scans}</legend>
      <p class="quiet field-hint">{words.scansHint}</p>
      {scans.map((scan) => {
        const key = keyOf(scan);
        const counts = scan.counts !== turned.has(key);
        return (
          <label key={key} class="check">
            <input type="checkbox" checked={counts} disabled={scan.isPending} onChange={() => onTurn(key)} />
            {counts ? <time>{formats.seconds(scan.at)}</time> : <del>{formats.seconds(scan.at)}</del>}
            {scan.isPending && <span class="quiet">{words.pending}</span>}
          </label>
        );
      })}
    </fieldset>
  );
}

function DayField({
  day,
  onInput,
}: {
  readonly day: number;
  readonly onInput: (day: number) => void;
}): VNode {
  const words = useTopic(correctionTexts);
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.day}</label>
      <input
        id={id}
        type="date"
        min="1970-01-01"
        value={isoOf(day)}
        onChange={(event) => {
          const next = dayOfIso(event.currentTarget.value);
          if (next !== undefined) onInput(next);
        }}
      />
    </div>
  );
}

function TimeField({
  value,
  onInput,
}: {
  readonly value: string;
  readonly onInput: (value: string) => void;
}): VNode {
  const words = useTopic(correctionTexts);
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{words.forgotten}</label>
      <input
        id={id}
        type="time"
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      <p id={`${id}-hint`} class="quiet field-hint">
        {words.forgottenHint}
      </p>
    </div>
  );
}

function keyOf({ id, at }: { readonly id: string; readonly at: number }): string {
  return `${id} ${at}`;
}
