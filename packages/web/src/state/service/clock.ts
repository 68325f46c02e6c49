import { signal, type ReadonlySignal } from '@preact/signals';
import type { Service, ServiceTime } from './service.js';

/**
 * The time of the service, which may differ from that of the browser by years: it goes on by itself from the last answer.
 */
export class ServiceClock {
  private readonly service: Pick<Service, 'readTime'>;
  private readonly nowMs: () => number;
  private readonly answer = signal<ServiceTime | undefined>(undefined);
  private aheadMs = 0;

  constructor(service: Pick<Service, 'readTime'>, nowMs: () => number) {
    this.service = service;
    this.nowMs = nowMs;
  }

  /** What the service said last; `undefined` before it has said anything. */
  get told(): ReadonlySignal<ServiceTime | undefined> {
    return this.answer;
  }

  /** Seconds since 1970, as the service counts them; those of the browser before the service has said anything. */
  now(): number {
    return Math.floor((this.nowMs() + this.aheadMs) / 1_000);
  }

  /** What the service would call a moment of the browser's clock, in seconds. */
  toServiceTime(browserMs: number): number {
    return Math.floor((browserMs + this.aheadMs) / 1_000);
  }

  async refresh(): Promise<ServiceTime> {
    const told = await this.service.readTime();
    this.take(told);
    return told;
  }

  /** Takes what the service has just said. */
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
