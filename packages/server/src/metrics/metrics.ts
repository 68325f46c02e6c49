import { ManagedResource, type Subscription } from '@tallybook/domain';
import type { MetricsSource } from '@tallybook/http-koa';
import type { Measuring, MetricsParts } from './metrics-parts.js';

/**
 * Measurements of the service, in the text format of Prometheus.
 *
 * Nothing is loaded, measured or kept before somebody asks for the first time: where nobody does, it costs nothing. Counters
 * begin at 0 then. No tag, person, user or address is in a label.
 */
export class Metrics extends ManagedResource implements MetricsSource {
  readonly #parts: MetricsParts;
  #measuring: Promise<Measuring> | undefined;
  #listening: Subscription | undefined;

  constructor(parts: MetricsParts) {
    super();
    this.#parts = parts;
  }

  read(): Promise<{ readonly contentType: string; readonly text: string }> {
    return this.run(async () => {
      const { registry, listen } = await (this.#measuring ??= this.#begin());
      this.#listening ??= listen();
      return { contentType: registry.contentType, text: await registry.metrics() };
    });
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  /** What was counted stays for the next opening, and nothing is counted until somebody asks again. */
  protected override onClose(): Promise<void> {
    this.#listening?.unsubscribe();
    this.#listening = undefined;
    return Promise.resolve();
  }

  async #begin(): Promise<Measuring> {
    const { measure } = await import('./measure.js');
    return measure(this.#parts);
  }
}
