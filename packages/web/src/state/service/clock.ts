import { signal, type ReadonlySignal } from '@preact/signals';
import type { Service, ServiceTime } from './service.js';

/** The time of the service, which may differ from that of the browser by years. It runs on from the last answer. */
export class ServiceClock {
  private readonly service: Pick<Service, 'readTime'>;
  private readonly nowMs: () => number;
  private readonly answer = signal<ServiceTime | undefined>(undefined);
  private aheadMs = 0;

  constructor(service: Pick<Service, 'readTime'>, nowMs: () => number) {
    this.service = service;
    this.nowMs = nowMs;
  }

  /** The last time from the service; `undefined` before its first answer. */
  get told(): ReadonlySignal<ServiceTime | undefined> {
    return this.answer;
  }

  /** The time of the service, in seconds since 1970; before the service has answered, that of the browser. */
  now(): number {
    return Math.floor((this.nowMs() + this.aheadMs) / 1_000);
  }

  /** Converts a moment of the browser's clock to the time of the service, in seconds. */
  toServiceTime(browserMs: number): number {
    return Math.floor((browserMs + this.aheadMs) / 1_000);
  }

  async refresh(): Promise<ServiceTime> {
    const told = await this.service.readTime();
    this.take(told);
    return told;
  }

  /** Takes a time that the service has just sent. */
  take(told: ServiceTime): void {
    this.aheadMs = told.time * 1_000 - this.nowMs();
    const before = this.answer.peek();
    const isSame =
      before?.day === told.day &&
      before.isTrusted === told.isTrusted &&
      before.zone === told.zone &&
      before.dayStart === told.dayStart;
    if (!isSame) this.answer.value = told;
  }
}
