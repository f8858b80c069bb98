import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { checkout } from '../support/host-process.ts'
import type { Shot } from './load.ts'

/** What so many connections at once came to; times in milliseconds. */
export interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

/** Sends shots again and again over so many connections, each its own, from a process of its own; a failed request ends the run. */
export async function load(shots: readonly Shot[], connections: number, seconds: number): Promise<Load> {
  const program = path.join(checkout, 'test', 'bench', 'sandbox-gun.ts')
  const child = spawn(process.execPath, [program, JSON.stringify({ shots, connections, seconds })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${shots[0]?.url} could not be measured`)
  return JSON.parse(text) as Load
}
