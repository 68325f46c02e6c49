import { TallybookClientError, type ServiceTime } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, Facts } from '../../parts/card.js';
import { FormDialog } from '../../parts/form/dialog.js';
import { useTask } from '../../parts/use-requests.js';
import { systemTexts } from '../../texts/topics/system.js';
import { Button } from '../../parts/button.js';

/** The time of the service, the reason for trusting it, and a way to set it if no time server does. */
export function ClockCard({
  time: told,
  onSet,
}: {
  readonly time: ServiceTime;
  readonly onSet: () => void;
}): VNode {
  const { access, formats, words } = usePage(systemTexts);
  const isSetting = useSignal(false);
  const { time, day, zone, latestScan, suspectScan } = told;
  return (
    <Card
      title={words.parts.clock}
      health={told.isTrusted ? 'good' : 'bad'}
      says={told.isTrusted ? words.clockGood : words.clockBad}
    >
      <Facts
        facts={[
          [words.time, formats.dateTime(time)],
          [words.day, formats.day(day)],
          [words.zone, zone],
          [words.why, told.isTrusted ? words.basis[told.basis] : words.doubt[told.doubt]],
          [words.latestScan, latestScan === null ? undefined : formats.dateTime(latestScan)],
        ]}
      />
      {suspectScan === undefined ? undefined : (
        <p class="notice">{words.suspect(formats.dateTime(suspectScan))}</p>
      )}
      {(told.isTrusted && told.basis === 'synchronised') || !access.may('set-time') ? undefined : (
        <p class="actions">
          <Button onClick={() => (isSetting.value = true)}>{words.setTime} …</Button>
        </p>
      )}
      {isSetting.value && (
        <SetTimeDialog
          onClose={() => {
            isSetting.value = false;
            onSet();
          }}
        />
      )}
    </Card>
  );
}

function SetTimeDialog({ onClose }: { readonly onClose: () => void }): VNode {
  const { client, session, formats, toasts, words } = usePage(systemTexts);
  const mustConfirm = useSignal(false);
  const task = useTask({ CLOCK_SYNCHRONISED: words.synchronised });
  const set = (): Promise<unknown> =>
    task.run(async () => {
      try {
        await client.post('/api/time', { body: { time: deviceTime(), confirm: mustConfirm.value } });
      } catch (error) {
        mustConfirm.value = error instanceof TallybookClientError && error.code === 'TIME_NOT_CONFIRMED';
        if (mustConfirm.value) return;
        throw error;
      }
      toasts.done(words.timeSet);
      session.load();
      onClose();
    });
  // Makes the component draw again every few seconds.
  void session.tick.value;
  const device = formats.dateTime(deviceTime());
  return (
    <FormDialog
      title={words.setTimeTitle}
      task={task}
      label={words.setTo(device)}
      onSubmit={set}
      onClose={onClose}
    >
      <p>{words.setTimeHint(device, formats.dateTime(session.clock.now()))}</p>
      <p class="notice" role="alert" hidden={!mustConfirm.value}>
        {mustConfirm.value && words.setTimeAnyway}
      </p>
    </FormDialog>
  );
}

/** Time of this device, in seconds since 1970. */
function deviceTime(): number {
  return Math.floor(Date.now() / 1_000);
}
