import type { Knex } from 'knex'
import type { Again, JobKind, Jobs, RunningJob } from '../../jobs/contract.ts'
import type { WebhookLimits } from '../limits.ts'
import { DeliveryRow, HookRow } from '../models.ts'
import { pause } from './pause.ts'
import type { Readers } from './readers.ts'
import type { Sender, Sent } from './send.ts'

/** The kind of the jobs that deliver. */
export const deliverKind = 'webhooks.deliver'

const concurrency = 16
const mostAttemptsKept = 20
/** Waits are longer by up to this share, so that what failed together does not come together. */
const jitter = 0.1
const goneStatus = 410

interface DeliverParts {
  readonly db: Knex
  readonly jobs: Pick<Jobs, 'enqueue'>
  readonly readers: Readers
  readonly sender: Sender
  readonly limits: WebhookLimits
}

interface Payload {
  readonly id: string
}

/** Delivers until it is taken or given up; a hook that fails for too long is paused. */
export function deliverJobs(parts: DeliverParts): JobKind<Payload> {
  return {
    kind: deliverKind,
    concurrency,
    keepSeconds: 0,
    run: (job) => deliver(job, parts),
    // Whatever kept hosts from it five times: it can be sent again from the log.
    async onLost({ tenantId, payload: { id } }, trx) {
      await DeliveryRow.of(tenantId, trx).where({ id, state: 'waiting' }).patch(ended('failed'))
    },
  }
}

async function deliver(job: RunningJob<Payload>, parts: DeliverParts): Promise<Again | void> {
  const { db, readers, sender } = parts
  const { tenantId, payload } = job
  const delivery = await DeliveryRow.of(tenantId, db).findById(payload.id).where({ state: 'waiting' })
  const hook = delivery && (await HookRow.of(tenantId, db).findById(delivery.webhookId))
  if (!hook) return
  const may = hook.state === 'active' ? await readers.mayHear(hook, delivery.event) : 'no'
  if (may !== 'yes') return skip(job, parts, may === 'nobody' ? hook : undefined)
  const sent = await sender.send(hook, delivery, job.signal)
  return db.transaction(async (trx) => {
    await job.hold(trx)
    return settle(trx, { hook, delivery, sent }, parts)
  })
}

async function skip(job: RunningJob<Payload>, parts: DeliverParts, unseen?: HookRow): Promise<void> {
  await parts.db.transaction(async (trx) => {
    await job.hold(trx)
    await DeliveryRow.of(job.tenantId, trx).where({ id: job.payload.id, state: 'waiting' }).patch(ended('skipped'))
    if (unseen) await pause(trx, parts.jobs, unseen, 'no_reader')
  })
}

/** Writes down how an attempt went, and answers when the next one is. */
async function settle(
  trx: Knex.Transaction,
  { hook, delivery, sent }: { readonly hook: HookRow; readonly delivery: DeliveryRow; readonly sent: Sent },
  { jobs, limits }: DeliverParts,
): Promise<Again | void> {
  const { tenantId, id } = delivery
  const attempts = [...delivery.attempts, sent.attempt].slice(-mostAttemptsKept)
  const write = (change: Partial<DeliveryRow>) =>
    DeliveryRow.of(tenantId, trx)
      .findById(id)
      .patch({ attempts, tries: delivery.tries + 1, ...change })
  const hooks = HookRow.of(tenantId, trx).findById(hook.id)
  if (sent.isTaken) {
    await write(ended('delivered'))
    if (hook.failures > 0) await hooks.patch({ failures: 0, failingSince: null })
    return
  }
  const failing = await hooks.forUpdate()
  if (!failing) return
  const { failures, failingSince } = failing
  const since = failingSince ?? new Date()
  await HookRow.of(tenantId, trx)
    .findById(hook.id)
    .patch({ failures: failures + 1, failingSince: since })
  const wait = limits.delays[delivery.tries]
  // Where others came through meanwhile, it is this one that its server does not want.
  const hasFailedAll = wait === undefined && failures >= delivery.tries
  const pausedFor = reasonToPause(sent, hasFailedAll, { failures: failures + 1, since }, limits)
  if (pausedFor) await pause(trx, jobs, failing, pausedFor)
  if (pausedFor || wait === undefined) {
    await write(ended('failed'))
    return
  }
  const againIn = Math.max(wait * (1 + Math.random() * jitter), sent.retryAfterMs)
  await write({ nextAt: new Date(Date.now() + againIn) })
  return { againIn: Math.round(againIn) }
}

function reasonToPause(
  { attempt }: Sent,
  hasFailedAll: boolean,
  { failures, since }: { readonly failures: number; readonly since: Date },
  limits: WebhookLimits,
): 'gone' | 'failing' | undefined {
  if (attempt.status === goneStatus) return 'gone'
  const isLong = failures >= limits.failures && Date.now() - since.getTime() >= limits.failingMs
  return hasFailedAll || isLong ? 'failing' : undefined
}

function ended(state: 'delivered' | 'failed' | 'skipped'): Pick<DeliveryRow, 'state' | 'nextAt' | 'endedAt'> {
  return { state, nextAt: null, endedAt: new Date() }
}
