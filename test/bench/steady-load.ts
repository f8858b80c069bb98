import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { checkout } from '../support/host-process.ts'
import type { Shot } from './load.ts'

/** How a load went; times in milliseconds, from the moment at which a request was due. */
export interface SteadyLoad {
  readonly count: number
  readonly failed: number
  /** What the first failed request was answered. */
  readonly fault?: string
  readonly p50: number
  readonly p99: number
  readonly longest: number
}

/** How fast shots are fired: so many a second whatever is answered, or each connection as fast as it is answered. */
export type Pace = { readonly perSecond: number } | 'closed'

/** Fires shots over so many connections, from a process of its own, for as long as the work takes. */
export async function loadDuring(
  shots: readonly Shot[],
  { connections, pace }: { readonly connections: number; readonly pace: Pace },
  work: () => Promise<void>,
): Promise<SteadyLoad> {
  const program = path.join(checkout, 'test', 'bench', 'steady-gun.ts')
  const child = spawn(process.execPath, [program, JSON.stringify({ shots, connections, pace })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const closed = once(child, 'close') as Promise<[number | null]>
  try {
    await work()
  } finally {
    child.stdin.end()
  }
  const [code] = await closed
  if (code !== 0) throw new Error(`${shots[0]?.url} could not be measured`)
  return JSON.parse(text) as SteadyLoad
}
