import { runCases, type ContractCase, type ContractOptions, type TestRunner } from '../../../runner.js';
import type { MakeErasures } from './erasure-subject.js';
import { erasingCases } from './erasing-cases.js';
import { interruptedCases } from './interrupted-cases.js';
import { interruptedPersonCases, personCases } from './person-cases.js';
import { refusingCases } from './refusing-cases.js';
import { takingOverCases } from './taking-over-cases.js';
import { tracingCases } from './tracing-cases.js';

const cases: readonly ContractCase<MakeErasures>[] = [
  ...tracingCases,
  ...erasingCases,
  ...takingOverCases,
  ...refusingCases,
];

export interface ErasureStoreContractOptions extends ContractOptions<MakeErasures> {
  /** Whether subjects have `faults`; default false. If not, the cases that need them are left out. */
  readonly hasFaults?: boolean;
  /** Whether subjects have `people`; default false. If not, the cases that need them are left out. */
  readonly hasPeople?: boolean;
}

/** Checks the promises of `ErasureStore`. */
export function erasureStoreContract(runner: TestRunner, options: ErasureStoreContractOptions): void {
  const { hasFaults = false, hasPeople = false } = options;
  const all = [
    ...cases,
    ...(hasFaults ? interruptedCases : []),
    ...(hasPeople ? personCases : []),
    ...(hasFaults && hasPeople ? interruptedPersonCases : []),
  ];
  runCases(runner, 'an ErasureStore', all, options);
}
