import type { AttendanceService } from '../../attendance/attendance-service.js';
import type { ReaderMonitor, ReaderState } from '../../attendance/reader-monitor.js';
import { counted } from '../../errors.js';
import type { DayStore } from '../../ports/record/day-store.js';
import type { Calendar } from '../../time/calendar.js';
import type { ClockDoubt, Timekeeper } from '../../time/timekeeper.js';
import { formatTimestamp } from '../../values/timestamp.js';
import { warning, worstOf, type Finding, type HealthCheck, type NamedFinding } from './health.js';

export interface StoreCheckParts {
  readonly days: DayStore;
  readonly calendar: Calendar;
  readonly timekeeper: Timekeeper;
  readonly attendance: Pick<AttendanceService, 'backlog'>;
  /** The state that the notices of the store show. Absent if the store gives no notices. */
  readonly notices?: () => Finding;
}

/** Whether the store answers a read, and can write. While it does not, no scan is recorded durably. */
export function storeCheck({
  days,
  calendar,
  timekeeper,
  attendance,
  notices,
}: StoreCheckParts): HealthCheck {
  return {
    part: 'store',
    isVital: true,
    check: async () => {
      const today = calendar.dayOf(timekeeper.now());
      await days.list(today, today);
      const { waiting } = attendance.backlog;
      const said = notices?.() ?? { status: 'ok' };
      if (said.status === 'fail' || waiting === 0) return said;
      return {
        status: 'fail',
        detail: `it cannot write: ${counted(waiting, 'scan waits', 'scans wait')} in memory; see the log`,
      };
    },
  };
}

/** Whether scans wait in memory, or were lost because there was no room in memory. */
export function backlogCheck(attendance: Pick<AttendanceService, 'backlog'>): HealthCheck {
  return {
    part: 'backlog',
    check: () => {
      const { waiting, limit, refused } = attendance.backlog;
      if (waiting > 0 && waiting >= limit) {
        return {
          status: 'fail',
          detail: `it is full with ${counted(waiting, 'scan')}; lost so far: ${refused}`,
        };
      }
      if (waiting > 0)
        return warning(`${counted(waiting, 'scan waits', 'scans wait')} for the store, of at most ${limit}`);
      const lost = `${counted(refused, 'scan was', 'scans were')} refused when the store could not write; only a device that keeps its taps sends them again`;
      return warning(refused === 0 ? undefined : lost);
    },
  };
}

/** Whether readers are connected, and read without faults. Fails when none of them is connected, and warns when there are none. */
export function readersCheck(readers: Pick<ReaderMonitor, 'list'>): HealthCheck {
  return {
    part: 'readers',
    check: () => {
      const states = readers.list();
      if (states.length === 0)
        return { status: 'warn', detail: 'no reader is set: taps come only from phones and programs' };
      const items = states.map(findingOf);
      const isNoneThere = states.every(({ connection }) => connection === 'waiting');
      if (isNoneThere) return { status: 'fail', detail: 'no reader is connected: nobody can tap', items };
      return { status: worstOf(items.map(({ status }) => status)), items };
    },
  };
}

function findingOf({ name, connection, faultySince, lastFault }: ReaderState): NamedFinding {
  const reason = lastFault === undefined ? '' : `: ${lastFault.message}`;
  if (connection === 'waiting') return { name, status: 'warn', detail: `not connected${reason}` };
  if (faultySince !== undefined) return { name, status: 'warn', detail: `has faults${reason}` };
  return { name, status: 'ok' };
}

const doubts: Readonly<Record<ClockDoubt, string>> = {
  'before-build': 'it shows a time before the release of this program',
  'not-synchronised': 'the system waits for a time server',
  'before-last-scan': 'it shows a time before the latest scan',
};

/** Whether the time of day is trusted. */
export function clockCheck(timekeeper: Timekeeper): HealthCheck {
  return {
    part: 'clock',
    check: () => {
      const trust = timekeeper.trust();
      const { suspectScan: suspect } = timekeeper;
      if (!trust.isTrusted)
        return warning(
          `${doubts[trust.doubt]}; scans wait for the right time: set it, or connect a time server`,
        );
      return warning(suspect && `a scan is recorded far in the future, at ${formatTimestamp(suspect)}`);
    },
  };
}
