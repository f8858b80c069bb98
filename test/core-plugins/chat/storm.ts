import type { Knex } from 'knex'
import { textOf } from '../../support/attachments.ts'
import type { Api } from '../../support/api.ts'
import { open, streamOf, type Frame, type Reading } from './world.ts'

/** Where and what a storm asks. */
export interface StormPlace {
  /** A user at each host that is asked. */
  readonly users: readonly Api[]
  /** Agents whose vendors fail in different ways. */
  readonly agents: readonly string[]
  readonly runs: number
  /** Under way at once. */
  readonly callers: number
  /** 0 to 1, by a seed. */
  readonly random: () => number
  /** Before each run, such as to kill a host. */
  readonly before?: ((count: number) => Promise<void>) | undefined
  /** Whether hosts die on the way: then a run may leap in its events, and a call of its may find nobody. */
  readonly isDeadly?: boolean
}

/** What came of it. */
export interface StormReport {
  readonly faults: readonly string[]
  readonly ends: Readonly<Record<string, number>>
  readonly resumes: number
}

type Deed = 'read' | 'resume' | 'cancel' | 'leave' | 'stay'

const deeds: readonly Deed[] = ['read', 'resume', 'resume', 'resume', 'cancel', 'leave', 'stay']
const ending = /^run\.(completed|cancelled|failed)$/
const mostTries = 120

/** Asks, breaks off, comes back on another host and cancels at random; every run is read to its end in the end, and its events are counted. */
export async function storm(place: StormPlace): Promise<StormReport> {
  const faults: string[] = []
  const ends: Record<string, number> = {}
  let [begun, resumes] = [0, 0]
  const pick = <T>(all: readonly T[]): T => all[Math.floor(place.random() * all.length)] as T
  const isLost = (): boolean => place.isDeadly === true

  async function run(): Promise<void> {
    const deed = pick(deeds)
    const body = { message: 'go', on_disconnect: deed === 'leave' ? 'cancel' : 'continue' }
    const first = await open(pick(place.users), streamOf(pick(place.agents)), body).catch(() => undefined)
    if (first?.status !== 200) {
      if (!isLost()) faults.push(`not begun: ${String(first?.status)}`)
      return
    }
    const frames: Frame[] = []
    const left = deed === 'read' ? Infinity : 1 + Math.floor(place.random() * 12)
    frames.push(...(await some(first, left)))
    first.leave()
    const runId = textOf(frames[0]?.data['run_id'])
    if (frames.length === 0) {
      if (!isLost()) faults.push('a stream without a frame')
      return
    }
    if (deed === 'cancel')
      await pick(place.users)
        .post(`/ai/agent-chat/runs/${runId}/cancel`)
        .catch(() => undefined)
    for (let tries = 0; !ending.test(frames.at(-1)?.event ?? '') && tries < mostTries; tries++) {
      resumes += 1
      const path = `/ai/agent-chat/runs/${runId}/events`
      const again = await open(pick(place.users), path, undefined, frames.at(-1)?.id).catch(() => undefined)
      if (again?.status !== 200) {
        await again?.until().catch(() => [])
        await new Promise((resolve) => setTimeout(resolve, 250))
        continue
      }
      frames.push(...(await some(again, deed === 'resume' ? 1 + Math.floor(place.random() * 20) : Infinity)))
      again.leave()
    }
    judge(runId, frames)
  }

  function judge(runId: string, frames: readonly Frame[]): void {
    const places = frames.map(({ data }) => Number(data['seq']))
    const last = frames.at(-1)
    const isInterrupted = last?.data['error']?.['reason'] === ('run_interrupted' as unknown)
    for (const [at, seq] of places.entries()) {
      const isLeap = isInterrupted && at === places.length - 1 && seq > at
      if (seq !== at && !isLeap) return void faults.push(`${runId}: event ${String(at)} has the place ${String(seq)}`)
    }
    const terminal = frames.filter(({ event }) => ending.test(event ?? ''))
    if (terminal.length !== 1 || terminal[0] !== last) faults.push(`${runId}: ${String(terminal.length)} ends`)
    if (frames.some(({ id, data }) => id !== `${runId}.${textOf(data['seq'])}`))
      faults.push(`${runId}: a foreign frame`)
    const end = isInterrupted ? 'interrupted' : (last?.event ?? 'none')
    ends[end] = (ends[end] ?? 0) + 1
  }

  async function call(): Promise<void> {
    while (begun < place.runs) {
      begun += 1
      await place.before?.(begun)
      await run()
    }
  }
  await Promise.all(Array.from({ length: place.callers }, call))
  return { faults, ends, resumes }
}

/** At most so many frames, those that came before the connection broke; a beat has none. */
async function some(reading: Reading, most: number): Promise<readonly Frame[]> {
  const frames: Frame[] = []
  try {
    while (frames.length < most) {
      const next = await reading.until(() => true)
      if (next.length === 0) break
      frames.push(...next)
    }
  } catch {
    // The host died, or the connection did.
  }
  return frames
}

/** What is left open in the tables of a tenant, and where its quota and the ledger differ; empty where all is well. */
export async function leftOpen(db: Knex, tenantId: number): Promise<readonly string[]> {
  const count = async (sql: string): Promise<string> => {
    const asked = db.raw(sql.replaceAll('@tenant', String(tenantId))).queryContext({ tenant: 'all' })
    const { rows } = (await asked) as { rows: { n: string | null }[] }
    return rows[0]?.n ?? '0'
  }
  const left = {
    'open runs': `select count(*) as n from ai_runs where status = 'running' and tenant_id = @tenant`,
    'busy conversations': `select count(*) as n from ai_conversations where active_run_id is not null and tenant_id = @tenant`,
    'runs without an answer': `select count(*) as n from ai_runs where tenant_id = @tenant
      and not exists (select 1 from ai_messages where ai_messages.id = message_id)`,
    'runs without one end in the timeline': `select count(*) as n from ai_runs where tenant_id = @tenant and 1 <> (select count(*)
      from ai_timeline where ai_timeline.conversation_id = ai_runs.conversation_id
       and data like '{"event":"run.%' and data not like '{"event":"run.started%' and ref_id = message_id)`,
    holds: 'select count(*) as n from ai_holds where tenant_id = @tenant',
    'nano-units of difference': `select (select coalesce(sum(used), 0) from ai_quota_buckets where tenant_id = @tenant)
      - (select coalesce(sum(cost_nano), 0) from ai_usage where tenant_id = @tenant) as n`,
  }
  const counted: string[] = []
  for (const [what, sql] of Object.entries(left)) {
    const found = await count(sql)
    if (found !== '0') counted.push(`${what}: ${found}`)
  }
  return counted
}
