import type { NeutralUsage } from '../wire/neutral.ts'
import { UpstreamFaultError } from '../wire/vendor.ts'
import type { testLevels } from './schemas.ts'
import type { TestBill } from './test-bill.ts'
import type { ProviderProbe } from './tested-provider.ts'
import { chatWish, testTokens, toolWish } from './wishes.ts'

/** How far a test goes. */
export type TestLevel = (typeof testLevels)[number]

/** One thing that was looked at. */
interface TestCheck {
  readonly name: string
  readonly ok: boolean
  readonly ms?: number
  readonly count?: number
  readonly ttft_ms?: number
  readonly detail?: string
}

/** What a test runs with. */
interface TestRun {
  readonly level: TestLevel
  /** As the vendor names it; from `chat` on. */
  readonly model: string
  /** Where it is asked; undefined of one that is asked within the platform. */
  readonly baseUrl: string | undefined
  readonly lookUp: (address: string) => Promise<void>
  readonly probe: ProviderProbe
  readonly bill: TestBill
}

/** Goes from level to level, up to the one that is asked for or the first that fails. */
export async function runTest({ level, model, baseUrl, lookUp, probe, bill }: TestRun) {
  const checks: TestCheck[] = []
  let models: readonly string[] = []
  let reached: TestLevel = 'reach'
  const steps: readonly (readonly [TestLevel, () => Promise<readonly TestCheck[]>])[] = [
    ['reach', () => (baseUrl === undefined ? Promise.resolve([]) : checkConnection(baseUrl))],
    ['models', async () => checkModels()],
    ['chat', () => timed('chat', () => bill.pay(false, chat))],
    ['stream', () => checkStream()],
    ['tools', () => timed('tools', () => bill.pay(false, tools))],
  ]
  const wanted = level === 'auth' ? 'models' : level
  for (const [step, run] of steps) {
    reached = step
    checks.push(...(await run()))
    if (step === wanted || checks.some(({ name, ok }) => !ok && name !== 'stream_usage')) break
  }
  return {
    ok: checks.every(({ ok }) => ok),
    level: reached === 'models' && level === 'auth' ? level : reached,
    checks,
    models,
  }

  async function checkConnection(address: string): Promise<readonly TestCheck[]> {
    const [found] = await timed('dns', () => lookUp(address))
    if (!found.ok) return [found]
    // What the operator lets be private may be spoken to in the clear.
    return [found, ...(await timed(new URL(address).protocol === 'https:' ? 'tls' : 'tcp', () => probe.reach()))]
  }

  async function checkModels(): Promise<readonly TestCheck[]> {
    let fault: unknown
    const [check] = await timed(
      'models',
      async () => (models = await probe.models()),
      (error) => (fault = error),
    )
    const auth = { name: 'auth', ok: true, ms: check.ms ?? 0 }
    if (check.ok) return [auth, { ...check, count: models.length }]
    if (fault instanceof UpstreamFaultError && fault.class === 'auth') return [{ ...check, name: 'auth' }]
    // Not every vendor lists its models; whoever let the request in has nothing against the key.
    return fault instanceof UpstreamFaultError && fault.class === 'not_found' ? [auth, check] : [check]
  }

  async function chat() {
    const { usage, parts } = await probe.chat(chatWish(model, false), testTokens)
    if (parts.length === 0) throw new Error('The answer is empty')
    return { usage, result: undefined }
  }

  async function tools() {
    const { usage, parts } = await probe.chat(toolWish(model), testTokens)
    if (!parts.some(({ type }) => type === 'tool_call')) throw new Error('The tool was not called')
    return { usage, result: undefined }
  }

  async function checkStream(): Promise<readonly TestCheck[]> {
    const began = performance.now()
    let ttft: number | undefined
    let usage: NeutralUsage | undefined
    let hasFinished = false
    const [check] = await timed('stream', () =>
      bill.pay(true, async () => {
        const end = await probe.stream(chatWish(model, true), testTokens, (event) => {
          if (event.type === 'usage') usage = event.usage
          else if (event.type === 'finish') hasFinished = true
          else if (event.type !== 'start' && event.type !== 'frame') ttft ??= performance.now() - began
        })
        if (end === 'truncated') throw new Error('The stream broke off')
        return { usage, result: undefined }
      }),
    )
    if (!check.ok) return [check]
    const noUsage = { detail: 'no usage chunk: usage will be estimated' }
    return [
      { ...check, ...(ttft !== undefined && { ttft_ms: Math.round(ttft) }) },
      { name: 'stream_usage', ok: usage !== undefined, ...(usage === undefined && noUsage) },
      { name: 'finish_reason', ok: hasFinished },
    ]
  }
}

/** Does it; what it throws is what the check says. */
async function timed(
  name: string,
  work: () => Promise<unknown>,
  failed?: (error: unknown) => void,
): Promise<readonly [TestCheck]> {
  const began = performance.now()
  const check = (ok: boolean) => ({ name, ok, ms: Math.round(performance.now() - began) })
  try {
    await work()
    return [check(true)]
  } catch (error) {
    failed?.(error)
    return [{ ...check(false), detail: error instanceof Error ? error.message : String(error) }]
  }
}
