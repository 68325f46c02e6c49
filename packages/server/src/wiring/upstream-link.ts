import { isTallybookError, ManagedResource, type Subscription, type Timekeeper } from '@tallybook/domain';
import type { StationSync, SyncTransport } from '@tallybook/domain/sync';
import type { UpstreamStatus } from '@tallybook/http-koa';
import { isOpenToOthers, secretFile } from '@tallybook/system';
import { HttpSyncTransport } from '@tallybook/upstream-http';
import type { Log } from '../log/log.js';
import { UpstreamLog } from '../log/upstream-log.js';

export interface UpstreamLinkParts {
  readonly timekeeper: Timekeeper;
  readonly log: Log;
}

/** The centre to which a station sends. */
export interface UpstreamPlan {
  readonly url: string;
  readonly tokenFile: string;
  readonly allowsPlainHttp: boolean;
}

interface Fault {
  readonly error: unknown;
  readonly monotonicMs: number;
}

/** The connection to a centre, if there is one. Reports and logs the state of sending. Open it before the station. */
export class UpstreamLink extends ManagedResource {
  readonly #plan: UpstreamPlan | undefined;
  readonly #timekeeper: Timekeeper;
  readonly #log: UpstreamLog;
  /** The host of the centre; empty without one. */
  readonly host: string;
  /** Reaches the centre; `undefined` without one. */
  readonly transport: SyncTransport | undefined;
  #station: StationSync | undefined;
  #lastFault: Fault | undefined;
  #subscriptions: readonly Subscription[] = [];

  /** @param plan `undefined` if there is no centre. */
  constructor(plan: UpstreamPlan | undefined, { timekeeper, log }: UpstreamLinkParts) {
    super();
    this.#plan = plan;
    this.#timekeeper = timekeeper;
    this.#log = new UpstreamLog(log, timekeeper.clock);
    if (plan === undefined) {
      this.host = '';
      return;
    }
    const transport = new HttpSyncTransport({
      url: plan.url,
      readToken: secretFile(plan.tokenFile),
      allowsPlainHttp: plan.allowsPlainHttp,
    });
    this.host = transport.host;
    this.transport = this.#watched(transport);
  }

  /** Reports the state of the station that sends with {@link transport}. Call it before opening. */
  follow(station: StationSync): void {
    this.#station = station;
  }

  /** The state of sending; `undefined` without a centre. Rejects with the errors of the stores. */
  async read(): Promise<UpstreamStatus | undefined> {
    if (this.#station === undefined) return undefined;
    const { heardAt, error, status, refused, refusedCount } = await this.#station.report();
    return {
      centre: this.host,
      connection: heardAt !== undefined && error === undefined ? 'connected' : 'waiting',
      waiting: status.waiting,
      oldestWaitingAt: status.oldestWaitingAt,
      lastContactAt: heardAt,
      ...{ refused, refusedCount },
      lastFault: this.#describe(this.#lastFault),
    };
  }

  protected override async onOpen(): Promise<void> {
    const [plan, station] = [this.#plan, this.#station];
    if (plan === undefined || station === undefined) return;
    this.#lastFault = undefined;
    if (await isOpenToOthers(plan.tokenFile)) this.#log.noteOpenToken(plan.tokenFile);
    this.#subscriptions = [
      station.faults.subscribe((error) => {
        this.#lastFault = { error, monotonicMs: this.#timekeeper.clock.monotonicMs() };
        this.#log.noteFault(this.host, error);
      }),
      station.refusals.subscribe((refused) => this.#log.noteRefused(this.host, refused)),
    ];
  }

  protected override async onClose(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.unsubscribe();
    this.#subscriptions = [];
  }

  /** A transport that logs each connection and each reconnection with the centre. */
  #watched(transport: HttpSyncTransport): SyncTransport {
    const heard = <T>(answer: T): T => {
      this.#log.noteReached(this.host);
      return answer;
    };
    return {
      push: async (batch) => heard(await transport.push(batch)),
      changes: async (after, waitMs) => heard(await transport.changes(after, waitMs)),
      snapshot: () => transport.snapshot(),
      abort: () => transport.abort(),
    };
  }

  #describe(fault: Fault | undefined): UpstreamStatus['lastFault'] {
    if (fault === undefined) return undefined;
    const { error, monotonicMs } = fault;
    const at = this.#timekeeper.timeSince(monotonicMs);
    if (isTallybookError(error)) return { code: error.code, message: error.message, at };
    return {
      code: 'UPSTREAM_UNAVAILABLE',
      message: 'exchanging data with the centre failed unexpectedly; see the log',
      at,
    };
  }
}
