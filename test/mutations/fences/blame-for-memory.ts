import type { Fence } from '../mutation.ts'

const tests = ['test/sandbox/blame-for-memory.test.ts']

/** A sandbox host that runs out of memory is laid to whoever took it. */
export const blameForMemory: Fence = {
  name: 'blame-for-memory',
  mutations: [
    {
      name: 'memory-of-the-one-that-found-none',
      file: 'sandbox/host/watch.ts',
      before: 'return this.isCrowded ? this.#whoFilled() : { calls: own, isSure: true }',
      after: 'return { calls: own, isSure: true }',
      tests,
      why: 'A plugin that is left no memory by another one is held apart for an hour.',
    },
    {
      name: 'memory-of-all-who-are-inside',
      file: 'sandbox/host/who-filled.ts',
      before: 'mostBytes > memoryBytes * leastShare',
      after: 'mostBytes >= 0',
      tests,
      why: 'A call that began when the memory was full already is suspected.',
    },
    {
      name: 'memory-of-the-last-drop',
      file: 'sandbox/host/who-filled.ts',
      before: 'if (together <= memoryBytes * ownShare) return { calls: [], isSure: false }\n',
      after: '',
      tests,
      why: 'Plugins that hold most of the memory while they wait leave the suspicion to whoever runs.',
    },
    {
      name: 'memory-likeliest-called-first',
      file: 'sandbox/host/who-filled.ts',
      before: 'other.mostBytes - one.mostBytes',
      after: 'one.mostBytes - other.mostBytes',
      tests,
      why: 'Whoever took the memory gets the host that stands ready, and its neighbour waits for another.',
    },
    {
      name: 'memory-collected-for-nothing',
      file: 'sandbox/host/watch.ts',
      before: 'if (this.#gauge.own() < this.#memoryBytes * litter) return\n',
      after: '',
      tests,
      why: 'The thread that serves all stands still four times a second while guests hold much.',
    },
    {
      name: 'memory-certain-of-suspects',
      file: 'sandbox/supervisor/lay-blame.ts',
      before: 'const isMeasured = isSure && ',
      after: 'const isMeasured = ',
      tests,
      why: 'The only one that can have done it counts as the one that did.',
    },
    {
      name: 'memory-from-before-the-call',
      file: 'sandbox/host/watch.ts',
      before: 'const addedFrom = this.#hasRun ? undefined : addedBefore',
      after: 'const addedFrom = addedBefore',
      tests,
      why: 'What others added between two looks counts as that of a call which began after it.',
    },
  ],
}
