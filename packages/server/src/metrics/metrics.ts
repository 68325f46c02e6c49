import { ManagedResource, type Subscription } from '@tallybook/domain';
import type { MetricsSource } from '@tallybook/http-koa';
import type { Measuring, MetricsParts } from './metrics-parts.js';

/** A line without a real value: a histogram of Node that is still empty has no mean, and 2^63 nanoseconds as its minimum. */
const NO_VALUE = /^[^#\n].* (?:nan|9223372036\.854776)\n/gim;

/**
 * Measurements of the service, in the text format of Prometheus.
 *
 * Before the first request for measurements, nothing is loaded, measured or kept. Counters begin at 0 with that request. No
 * label contains a tag, a person, a user or an address.
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
      const text = await registry.metrics();
      return { contentType: registry.contentType, text: text.replaceAll(NO_VALUE, '') };
    });
  }

  protected override onOpen(): Promise<void> {
    return Promise.resolve();
  }

  /** Counters are kept for the next opening, and count nothing until the next request. */
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
