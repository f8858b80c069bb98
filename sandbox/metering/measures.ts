/** Everything that is counted of plugins, in the order in which it is stored: new ones go to the end. */
export const measures = [
  'calls',
  /** Failures whose cause is the plugin's code. */
  'pluginErrors',
  /** Failures at a bound: CPU, memory, time, queue. */
  'limitErrors',
  /** Failures of something that the plugin asked for. */
  'upstreamErrors',
  /** Failures that are ours or another plugin's. */
  'hostErrors',
  /** Answers by which the plugin refused its caller's request: no failures. */
  'refusals',
  'cpuMs',
  /** From the beginning of a call's turn to its end. */
  'wallMs',
  /** What a call waited for a sandbox host and for its turn. */
  'queueMs',
  'hostCalls',
  'egressRequests',
  'egressSentBytes',
  'egressReceivedBytes',
  'storageOperations',
  'storageWrittenBytes',
  'storageReadBytes',
  'statements',
  'statementMs',
  'statementRows',
  /** Events that were published. */
  'events',
  'logLines',
  'logLinesDropped',
  /** Sandbox hosts that were brought down. */
  'kills',
] as const

/** The name of something that is counted; `…Ms` and `…Bytes` are in that unit, the others are numbers of things. */
export type Measure = (typeof measures)[number]

/** Where a measure stands in stored counts. */
export const measureIndex = Object.fromEntries(measures.map((name, index) => [name, index])) as Readonly<
  Record<Measure, number>
>
