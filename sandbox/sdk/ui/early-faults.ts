import type { PageFault } from './page-faults.ts'

/** What went wrong in a page before it reached the console, kept where its author works on it. */
export interface EarlyFaults {
  /** The page speaks to the console itself from now on. */
  speaks(): void
  /** What was kept and not told; from now on nothing is. */
  take(): readonly PageFault[]
}

/** Where a page finds it. */
export const earlyFaults = Symbol.for('stoa.earlyFaults')
