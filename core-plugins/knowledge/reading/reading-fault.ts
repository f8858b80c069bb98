import type { ReadingFault } from './wire.ts'

/** Bytes of which no text comes. */
export class ReadingFaultError extends Error {
  readonly fault: ReadingFault

  constructor(fault: ReadingFault, message: string) {
    super(message)
    this.fault = fault
  }
}
