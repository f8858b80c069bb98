import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/** Requests that are all alike. */
export interface AiShots {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly count: number
  /** So many a second whatever is answered, or each connection as fast as it is answered. */
  readonly pace: { readonly perSecond: number } | { readonly connections: number }
  /** What counts as the first of an answer; its first byte unless given. */
  readonly firstOf?: string
  /** The client goes away so many milliseconds after it began. */
  readonly leaveAfterMs?: number
}

/** How they went; times in milliseconds. */
export interface AiLoad {
  readonly whole: number
  readonly p50: number
  /** Until the first byte of the body, or what counts as the first. */
  readonly first50: number
  /** When clients went away, in milliseconds since 1970. */
  readonly left: readonly number[]
  /** What the first failed request was answered. */
  readonly fault?: string
}

/** Fires from a process of its own. */
export async function fireAi(shots: AiShots): Promise<AiLoad> {
  const program = path.join(import.meta.dirname, 'ai-gun.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(shots)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  await once(child, 'close')
  const load = JSON.parse(text) as AiLoad
  if (shots.leaveAfterMs === undefined && load.whole < shots.count) {
    throw new Error(`${shots.url}: ${shots.count - load.whole} of ${shots.count} not whole: ${load.fault ?? ''}`)
  }
  return load
}
