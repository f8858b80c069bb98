import { readFileSync } from 'node:fs'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const pageBytes = 4_096
/** Of `/proc/self/statm`: data and stack, which is what the cap of the system counts. */
const dataField = 5

/**
 * What this process added to the memory that it had at its start, by the measure of its cap: what may be written to, whether
 * it was or not. With the JIT that is no measure, since every isolate reserves half a gigabyte, nor where it cannot be read.
 */
export class MemoryGauge {
  readonly #read: () => number
  readonly #base: number
  readonly #ownBase = ownBytes()

  constructor(hasJit: boolean) {
    this.#read = hasJit || dataBytes() === 0 ? () => process.memoryUsage.rss() : dataBytes
    this.#base = this.#read()
  }

  added(): number {
    return this.#read() - this.#base
  }

  /** What this process's own heap has taken of it, garbage included: messages, and no guest's values. */
  own(): number {
    return ownBytes() - this.#ownBase
  }

  /** Collects the garbage of this process's own heap, and gives its pages back: messages that have left stay there otherwise. */
  collect(): void {
    collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }
}

/** The engine's function, which is there for contexts made while the flag is set: guests' contexts never are. */
const collectGarbage = exposedOnce()

function exposedOnce(): NonNullable<typeof gc> {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as NonNullable<typeof gc>
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}

function ownBytes(): number {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics()
  return heap + buffers
}

function dataBytes(): number {
  try {
    return Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[dataField]) * pageBytes
  } catch {
    return 0
  }
}
