import { Emitter, type Indication, type Indicator } from '@tallybook/domain';

/** An indicator that shows signals on all given indicators. If one of them throws, the others still show the signal. */
export function fanOut(indicators: readonly Indicator[]): Indicator {
  const indications = new Emitter<Indication>();
  for (const indicator of indicators) indications.subscribe((indication) => indicator.show(indication));
  return { show: (indication) => indications.emit(indication) };
}
