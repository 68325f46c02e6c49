import { Emitter, type Indication, type Indicator } from '@tallybook/domain';

/** One indicator that shows on all of these. One that throws does not keep the others from showing. */
export function fanOut(indicators: readonly Indicator[]): Indicator {
  const indications = new Emitter<Indication>();
  for (const indicator of indicators) indications.subscribe((indication) => indicator.show(indication));
  return { show: (indication) => indications.emit(indication) };
}
