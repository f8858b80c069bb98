import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ConfigOwner, DriverConfig, StorageDriver, StorageVolume } from '../contract.ts'
import { StorageUpstreamError } from '../errors.ts'
import { faultOf, type StepFault } from './step-fault.ts'

/** What is tried, in this order. */
type StepName = 'validate' | 'resolve' | 'connect' | 'put' | 'head' | 'get' | 'range' | 'presign' | 'delete'

/** How one step went. */
interface TestStep {
  readonly name: StepName
  readonly ok: boolean
  readonly latency_ms: number
  readonly error?: StepFault
}

/** How a test went; steps after a failed one are not tried, but what was put is deleted. */
export interface TestResult {
  readonly ok: boolean
  readonly driver: string
  readonly latency_ms: number
  readonly steps: readonly TestStep[]
}

/** What is tried. */
interface TestSubject {
  readonly driver: StorageDriver
  /** Valid, with defaults. */
  readonly config: DriverConfig
  readonly owner: ConfigOwner
  readonly locale: string
  readonly signal?: AbortSignal
}

/** For all steps but the last, which clears away. */
const mostMs = 8_500
const deleteMs = 1_500
const sampleBytes = 1024

type Step = readonly [name: StepName, run: (signal: AbortSignal) => Promise<void>]

/** Tries settings with an object of its own, within ten seconds. */
export async function testConnection(subject: TestSubject): Promise<TestResult> {
  const { driver, config, owner, locale, signal } = subject
  const began = performance.now()
  const volume = driver.open(config, owner)
  const location = `connection-test/${randomUUID()}`
  const time = AbortSignal.timeout(mostMs)
  const inTime = signal ? AbortSignal.any([signal, time]) : time
  const steps: TestStep[] = [{ name: 'validate', ok: true, latency_ms: 0 }]
  for (const step of stepsOf(volume, location)) {
    steps.push(await run(step, inTime, locale))
    if (!steps.at(-1)?.ok) break
  }
  if (steps.some(({ name }) => name === 'put')) {
    const drop: Step = ['delete', (until) => volume.delete(location, { signal: until })]
    steps.push(await run(drop, AbortSignal.timeout(deleteMs), locale))
  }
  const ok = steps.every((step) => step.ok)
  return { ok, driver: driver.name, latency_ms: since(began), steps }
}

function stepsOf(volume: StorageVolume, location: string): readonly Step[] {
  const sample = randomBytes(sampleBytes)
  const { reach } = volume
  const get = async (range: { start: number; end: number } | undefined, signal: AbortSignal): Promise<Buffer> => {
    const found = await volume.get(location, { range, signal })
    return found ? readSample(found.content) : Buffer.alloc(0)
  }
  const before: readonly Step[] = reach
    ? [
        ['resolve', () => reach.resolve()],
        ['connect', (signal) => reach.connect(signal)],
      ]
    : []
  const link = async (signal: AbortSignal): Promise<void> => {
    const url = await volume.presignGet?.(location, { seconds: 60 })
    if (url !== undefined && reach) same(await reach.fetch(url, signal), sample)
  }
  const after: readonly Step[] = reach && volume.presignGet ? [['presign', link]] : []
  return [
    ...before,
    ['put', (signal) => volume.put(location, Readable.from([sample]), { size: sampleBytes, signal })],
    ['head', async (signal) => requireThat((await volume.head(location, { signal }))?.size === sampleBytes)],
    ['get', async (signal) => same(await get(undefined, signal), sample)],
    ['range', async (signal) => same(await get({ start: 10, end: 29 }, signal), sample.subarray(10, 30))],
    ...after,
  ]
}

async function run([name, work]: Step, signal: AbortSignal, locale: string): Promise<TestStep> {
  const began = performance.now()
  try {
    await withSignal(() => work(signal), signal)
    return { name, ok: true, latency_ms: since(began) }
  } catch (error) {
    const late = new StorageUpstreamError(
      { fault: 'The host did not answer in time' },
      { details: { reason: 'timeout' } },
    )
    return { name, ok: false, latency_ms: since(began), error: faultOf(signal.aborted ? late : error, locale) }
  }
}

/** A driver that does not look at the signal is not waited for. */
async function withSignal(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(new DOMException('The time is over', 'AbortError'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    await Promise.race([work(), promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** No more than shows that it is not the sample: whoever answers may have no end. */
async function readSample(content: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let received = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    received += chunk.length
    if (received > sampleBytes) break
  }
  return Buffer.concat(chunks)
}

function same(found: Buffer, wanted: Buffer): void {
  requireThat(found.equals(wanted))
}

function requireThat(isSo: boolean): void {
  if (isSo) return
  throw new StorageUpstreamError({ fault: 'wrong content' }, { details: { reason: 'wrong_content' } })
}

function since(moment: number): number {
  return Math.round(performance.now() - moment)
}
