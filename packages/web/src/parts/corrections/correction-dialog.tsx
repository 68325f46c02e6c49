import { useSignal } from '@preact/signals';
import type { NewCorrection } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { scansOf, type KnownScan } from '../../state/days-table.js';
import { tagAt } from '../../state/people/people.js';
import { momentOf, momentOnDay, secondsOf } from '../../state/days.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { useAnswer, useTask } from '../use-requests.js';
import { FormDialog } from '../form/dialog.js';
import { DateField, Field } from '../form/field.js';
import { groupedId } from '../words.js';
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
  const { access, session, client, texts, toasts, formats, words } = usePage(correctionTexts);
  const person = useSignal(known);
  const day = useSignal(knownDay);
  const scans = useScans(day.value, person.value?.ids ?? []);
  /** The taps whose tick differs from the record. */
  const turned = useSignal<ReadonlySet<string>>(new Set());
  const time = useSignal('');
  const reason = useSignal('');
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
    const seconds = secondsOf(time.value);
    if (Number.isNaN(seconds) || person.value === undefined) return ofScans;
    const dayStart = session.clock.told.peek()?.dayStart ?? '00:00';
    const at = momentOnDay(day.value, seconds, { dayStart, wallClock: formats.wallClock });
    const { person: who, ids } = person.value;
    const id = (who && tagAt(who, at)) ?? ids[0] ?? '';
    return [...ofScans, { ...common, action: 'add', id, at }];
  };
  const submit = async (): Promise<void> => {
    const { length } = Array.from(reason.value.trim());
    const all = changes();
    if (person.value === undefined) task.fail(words.whoMissing, 'who');
    else if (all.length === 0) task.fail(words.nothing);
    else if (length < REASON.shortest || length > REASON.longest) task.fail(words.reasonMissing, 'reason');
    else
      await task.run(async () => {
        const corrections = all.map((each) => ({ ...each, format: 'hex' as const }));
        const made = await client.post('/api/corrections', { body: { corrections } });
        const waiting = made.filter(({ state }) => state === 'pending').length;
        toasts.done(waiting > 0 ? words.waits(waiting) : words.saved(all.length));
        session.load();
        onClose(true);
      });
  };
  const { value: chosen } = person;
  return (
    <FormDialog
      title={known === undefined ? words.add : words.dialog}
      task={task}
      label={words.save}
      isReady={access.may('correct-record')}
      onSubmit={submit}
      onClose={() => onClose(false)}
    >
      {chosen === undefined ? (
        <PersonChoice
          error={task.errorOf('who')}
          onChoose={(each) => {
            person.value = each;
            task.fail(undefined);
          }}
        />
      ) : (
        <p class="chosen">
          <strong>{chosen.name === null ? groupedId(chosen.ids[0] ?? '') : formats.name(chosen.name)}</strong>
          {known === undefined && <Button onClick={() => (person.value = undefined)}>{words.other}</Button>}
        </p>
      )}
      <DateField
        label={texts.columns.day}
        day={day.value}
        onChoose={(next) => (day.value = next ?? day.value)}
      />
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
      <Field label={words.forgotten} type="time" value={time} hint={words.forgottenHint} />
      <Field
        label={words.reason}
        value={reason}
        hint={words.reasonHint}
        maxLength={REASON.longest}
        error={task.errorOf('reason')}
      />
    </FormDialog>
  );
}

/** The taps of these tags on a day. */
function useScans(day: number, ids: readonly string[]): readonly KnownScan[] {
  const { client, formats } = usePage();
  const { value = [] } = useAnswer(async () => {
    const moment = momentOf(day, formats.wallClock);
    const [corrections, ...taken] = await Promise.all([
      client.get('/api/corrections', { query: { from: moment, to: moment } }),
      ...ids.map(async (id) =>
        (await client.get('/api/scans', { query: { day, id, format: 'hex' } })).at.map((at) => ({ id, at })),
      ),
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
  const { formats, words } = usePage(correctionTexts);
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

function keyOf({ id, at }: { readonly id: string; readonly at: number }): string {
  return `${id} ${at}`;
}
