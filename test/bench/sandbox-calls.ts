import type { Code } from '../../sandbox/wire/call.ts'
import { handlerModule, tight, type TestSandbox } from '../sandbox/host-releases.ts'

const limits = { ...tight, cpuMs: 1_000, wallMs: 10_000 }
const input = JSON.stringify({ body: { text: 'a text of some length, as a form field has' } })

/** Installs a plugin that echoes a text; each is a release of its own. */
export function installEchoCode(sandbox: TestSandbox, name: string): Promise<Code> {
  const body = 'return { echoed: request.body.text, length: request.body.text.length }'
  return sandbox.install(name, handlerModule(body, `// ${name}`))
}

/** Calls an echo for a tenant and gives back the milliseconds that it took; throws unless it answered. */
export async function callEcho(sandbox: TestSandbox, code: Code, tenant: number): Promise<number> {
  const since = performance.now()
  const outcome = await sandbox.call(code, { tenant: String(tenant), input, limits })
  if (!outcome.ok) throw new Error(`${code.plugin} did not answer: ${JSON.stringify(outcome)}`)
  return performance.now() - since
}

/** Works at so many things at once, until it is told that it is over. */
export async function callInTurns(
  atOnce: number,
  isOver: () => boolean,
  call: (number: number) => Promise<number>,
): Promise<readonly number[]> {
  const times: number[] = []
  let number = 0
  const work = async (): Promise<void> => {
    while (!isOver()) times.push(await call(number++))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

/** The time that this share of all kept within. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

/** True from so many seconds on. */
export function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1_000
  return () => performance.now() >= end
}
