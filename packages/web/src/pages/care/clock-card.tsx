import { TallybookClientError, type ServiceTime } from '@tallybook/client';
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card, Facts } from '../../parts/card.js';
import { Dialog } from '../../parts/form/dialog.js';
import { Button } from '../../parts/button.js';

/** The time of the service, the reason for trusting it, and a way to set it if no time server does. */
export function ClockCard({
  time: told,
  onSet,
}: {
  readonly time: ServiceTime;
  readonly onSet: () => void;
}): VNode {
  const { access, texts, formats } = usePage();
  const isSetting = useSignal(false);
  const { time, day, zone, latestScan, suspectScan } = told;
  return (
    <Card
      title={texts.care.clock}
      health={told.isTrusted ? 'good' : 'bad'}
      says={told.isTrusted ? texts.care.clockGood : texts.care.clockBad}
    >
      <Facts
        facts={[
          [texts.care.time, formats.dateTime(time)],
          [texts.care.day, formats.day(day)],
          [texts.care.zone, zone],
          [texts.care.why, told.isTrusted ? texts.care.basis[told.basis] : texts.care.doubt[told.doubt]],
          [texts.care.latestScan, latestScan === null ? undefined : formats.dateTime(latestScan)],
        ]}
      />
      {suspectScan === undefined ? undefined : (
        <p class="notice">{texts.care.suspect(formats.dateTime(suspectScan))}</p>
      )}
      {(told.isTrusted && told.basis === 'synchronised') || !access.may('set-time') ? undefined : (
        <p class="actions">
          <Button onClick={() => (isSetting.value = true)}>{texts.care.setTime} …</Button>
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
  const { client, session, texts, formats, toasts } = usePage();
  const mustConfirm = useSignal(false);
  const set = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      await client.setTime(deviceTime(), { confirm: mustConfirm.value });
      toasts.show({ kind: 'done', text: texts.care.timeSet });
      session.load();
      onClose();
    } catch (error) {
      const code = error instanceof TallybookClientError ? error.code : undefined;
      if (code === 'TIME_NOT_CONFIRMED') {
        mustConfirm.value = true;
        return;
      }
      const text = code === 'CLOCK_SYNCHRONISED' ? texts.care.synchronised : texts.care.failed;
      toasts.show({ kind: 'failed', text });
      onClose();
    }
  };
  // Makes the component draw again every few seconds.
  void session.tick.value;
  const device = formats.dateTime(deviceTime());
  return (
    <Dialog title={texts.care.setTimeTitle} onClose={onClose}>
      <form onSubmit={(event) => void set(event)}>
        <p>{texts.care.setTimeHint(device, formats.dateTime(session.clock.now()))}</p>
        <p class="notice" role="alert" hidden={!mustConfirm.value}>
          {mustConfirm.value && texts.care.setTimeAnyway}
        </p>
        <div class="actions">
          <Button onClick={onClose}>{texts.app.cancel}</Button>
          <button type="submit" class="button button-main">
            {texts.care.setTo(device)}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Time of this device, in seconds since 1970. */
function deviceTime(): number {
  return Math.floor(Date.now() / 1_000);
}
