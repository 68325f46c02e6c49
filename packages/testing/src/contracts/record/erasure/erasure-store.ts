import { runCases, type ContractCase, type Deviation, type TestRunner } from '../../../runner.js';
import type { ErasureSubject, MakeErasures } from './erasure-subject.js';
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

export interface ErasureStoreContractOptions {
  readonly name: string;
  /** Whether subjects have `faults`; default false. If not, the cases that need them are left out. */
  readonly hasFaults?: boolean;
  /** Whether subjects have `people`; default false. If not, the cases that need them are left out. */
  readonly hasPeople?: boolean;
  readonly make: () => Promise<ErasureSubject> | ErasureSubject;
  readonly deviations?: readonly Deviation[];
}

/** Checks the promises of `ErasureStore`. */
export function erasureStoreContract(runner: TestRunner, options: ErasureStoreContractOptions): void {
  const { name, make, deviations, hasFaults = false, hasPeople = false } = options;
  const all = [
    ...cases,
    ...(hasFaults ? interruptedCases : []),
    ...(hasPeople ? personCases : []),
    ...(hasFaults && hasPeople ? interruptedPersonCases : []),
  ];
  runCases(runner, `${name} as an ErasureStore`, all, make, deviations);
}
