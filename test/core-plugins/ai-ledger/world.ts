import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import {
  aiLedger,
  type AiLedger,
  type AttemptRow,
  type Hold,
  type HoldWish,
} from '../../../core-plugins/ai-ledger/contract.ts'
import aiLedgerPlugin from '../../../core-plugins/ai-ledger/index.ts'
import { audit, type AuditEntry } from '../../../core-plugins/access/contract.ts'
import { attachmentFiles } from '../../../core-plugins/attachments/contract.ts'
import type { AttachmentFile, AttachmentFiles } from '../../../core-plugins/attachments/contract-files.ts'
import jobsPlugin from '../../../core-plugins/jobs/index.ts'
import { messageSender, type Message } from '../../../core-plugins/mail/contract.ts'
import { notifier } from '../../../core-plugins/notifications/contract.ts'
import { configReader } from '../../../core-plugins/config/contract.ts'
import { userDirectory, type UserDirectory, type UserRecord } from '../../../core-plugins/users/contract.ts'
import { definePlugin, generateFernetKey, type Plugin } from '#kernel'
import { plainIdentity } from '../../support/plain-identity.ts'
import { described } from '../../support/probe.ts'
import { runningKernel } from '../../support/auth.ts'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../support/kernel.ts'
import { until } from '../../support/until.ts'

/** Hosts of one platform have the same keys. */
const fernetKey = generateFernetKey()
const everybody = { tenant: 'all' } as const

/** Files that were stored, by their ids. */
export const keptFiles = new Map<string, { readonly filename: string; readonly text: string }>()

/** Messages that were sent. */
export const sentMessages: Message[] = []

/** What was written into the audit. */
export const recorded: AuditEntry[] = []

/** What the ledger needs of others, without them: every user but 404 is there, and settings are as they come. */
const stand: Plugin = definePlugin({
  ...described('stand'),
  provides: [audit, configReader, userDirectory, attachmentFiles, messageSender, notifier],
  setup(scope) {
    scope.provide(audit, {
      record: (entry) => Promise.resolve(void recorded.push(entry)),
      deleteBefore: () => Promise.resolve(0),
      nameTargets: () => new DisposableStack(),
    })
    scope.provide(configReader, {
      get: <T>(_key: string, _tenant?: number, otherwise?: T) => Promise.resolve(otherwise as T),
      item: () => Promise.resolve(undefined),
    })
    scope.provide(messageSender, {
      send: (message) => Promise.resolve(void sentMessages.push(message)),
      canSend: () => Promise.resolve(true),
    })
    scope.provide(notifier, { send: () => Promise.resolve('') })
    scope.provide(attachmentFiles, {
      async create({ content, filename }) {
        const id = randomUUID()
        const parts: Buffer[] = []
        for await (const part of content) parts.push(part)
        keptFiles.set(id, { filename, text: Buffer.concat(parts).toString() })
        return { id } as AttachmentFile
      },
      keep: () => Promise.resolve(true),
    } as Partial<AttachmentFiles> as AttachmentFiles)
    const find = (tenantId: number, id: number) =>
      Promise.resolve(id === 404 ? undefined : ({ id, tenantId, status: 'active' } as UserRecord))
    const left = new Set<string>()
    const isUsersAddress = (_: number, email: string) => {
      const isUsers = !email.startsWith('stranger') && !left.has(email)
      // Those leave once they were asked for.
      if (email.startsWith('leaver')) left.add(email)
      return Promise.resolve(isUsers)
    }
    scope.provide(userDirectory, { find, isUsersAddress } as UserDirectory)
  },
})

/** The ledger and nothing else. */
export const ledgerPlugins: readonly Plugin[] = [stand, plainIdentity, jobsPlugin, aiLedgerPlugin]

/** A quota as a test puts it into the database; all calls of the tenant, a total of tokens, unless said otherwise. */
export interface TestQuota {
  readonly id: string
  readonly tenant_id?: number
  readonly metric?: string
  readonly amount: number | bigint
  readonly span?: unknown
  readonly per?: readonly string[]
  readonly mode?: string
  readonly estimate?: string
  readonly model_id?: string
  readonly user_id?: number
  readonly warn_at?: readonly number[]
}

/** A host with a ledger. */
export interface LedgerHost extends AsyncDisposable {
  readonly host: TestKernel
  readonly ledger: AiLedger
  readonly db: Knex
}

/** Starts a host; of several on one database each after the first is given the options of the first. */
export async function startLedgerHost(options: Partial<TestKernelOptions> = {}): Promise<LedgerHost> {
  const host = await startTestKernel({ plugins: ledgerPlugins, env: { CONFIG_FERNET_KEYS: fernetKey }, ...options })
  const ledger = host.kernel.services.get(aiLedger)
  const db = runningKernel({ test: host }).database.knex
  return { host, ledger, db, [Symbol.asyncDispose]: () => host[Symbol.asyncDispose]() }
}

/** What another host of the same platform is started with. */
export function besides({ host }: LedgerHost): Partial<TestKernelOptions> {
  return { databaseUrl: host.databaseUrl, namespace: host.namespace }
}

/** Puts quotas into the database and waits until these hosts know them. */
export async function setQuotas(hosts: readonly LedgerHost[], quotas: readonly TestQuota[]): Promise<void> {
  const [first] = hosts
  const tenantId = 1_000_000 + Math.floor(Math.random() * 1_000_000)
  const last = { id: `qta_zzz_${tenantId}`, tenant_id: tenantId, amount: 0 }
  const all: readonly TestQuota[] = [...quotas, last]
  for (const { amount, span = { kind: 'total' }, per = [], warn_at = [], ...quota } of all) {
    await first
      ?.db('ai_quotas')
      .queryContext(everybody)
      .insert({
        ...{ tenant_id: 7, name: quota.id, metric: 'tokens', mode: 'hard', estimate: 'strict', status: 'active' },
        ...{ is_platforms: true, on_exceed: JSON.stringify({ action: 'reject' }), ...quota },
        ...{ amount: String(amount), span: JSON.stringify(span), per, warn_at },
      })
  }
  for (const { ledger } of hosts) await until(() => knows(ledger, tenantId))
}

/** The quota of a tenant of its own, which takes nothing: it is known, so those before it are. */
async function knows(ledger: AiLedger, tenantId: number): Promise<boolean> {
  const answer = await ledger.reserve(wishOf({ spender: { tenantId } }))
  if ('refused' in answer) return true
  answer.hold.end([])
  return false
}

/** A call of tenant 7's user 1, with 10 tokens in and 10 out. */
export function wishOf(wish: Partial<HoldWish> = {}): HoldWish {
  return {
    requestId: randomUUID(),
    spender: { tenantId: 7, userId: 1 },
    purpose: 'chat',
    models: [{ modelId: 'mdl_a', providerId: 'prv_a', priced: true, model: 'a' }],
    worst: { requests: 1, inputTokens: 10, outputTokens: 10, costNano: 20n },
    inputCostNano: 10n,
    ttlMs: 60_000,
    ...wish,
  }
}

/** An attempt that went well. */
export function attemptOf(inputTokens: number, outputTokens: number, attempt: Partial<AttemptRow> = {}): AttemptRow {
  const cost = BigInt(inputTokens + outputTokens)
  return {
    ...{ id: randomUUID(), attempt: 1, at: new Date(), modelId: 'mdl_a', model: 'a', modelVersion: 1 },
    providerId: 'prv_a',
    usage: { inputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens, reasoningTokens: 0 },
    ...{ costNano: cost, listCostNano: cost, possibleCostNano: 0n, source: 'provider', outcome: 'ok' },
    ...{ durationMs: 5, stream: false },
    ...attempt,
  }
}

/** The hold of a call that has to be let in. */
export async function holdOf(ledger: AiLedger, wish: HoldWish = wishOf()): Promise<Hold> {
  const answer = await ledger.reserve(wish)
  if ('refused' in answer) throw new Error(`refused by ${answer.refused.quotaId}`)
  return answer.hold
}

/** A bucket of a quota. */
export interface TestBucket {
  readonly quota_id: string
  readonly bucket: string
  readonly used: number
  readonly held: number
  readonly denied: number
}

/** The buckets that something is used or held of, by quota and bucket. */
export async function bucketsOf(db: Knex): Promise<readonly TestBucket[]> {
  const rows = await db('ai_quota_buckets')
    .queryContext(everybody)
    .whereRaw('used + held > 0')
    .orderBy(['quota_id', 'bucket'])
    .select<readonly Record<string, string>[]>('quota_id', 'bucket', 'used', 'held', 'denied')
  return rows.map(({ quota_id = '', bucket = '', used, held, denied }) => {
    return { quota_id, bucket, used: Number(used), held: Number(held), denied: Number(denied) }
  })
}

/** What the ledger has of tokens and cost. */
export async function sumsOf(
  db: Knex,
): Promise<{ readonly rows: number; readonly tokens: number; readonly cost: number }> {
  const [sums] = await db('ai_usage')
    .queryContext(everybody)
    .select<[Record<'rows' | 'tokens' | 'cost', string | null>]>(
      db.raw('count(*) as rows'),
      db.raw('sum(input_tokens + output_tokens) as tokens'),
      db.raw('sum(cost_nano) as cost'),
    )
  return { rows: Number(sums?.rows), tokens: Number(sums?.tokens), cost: Number(sums?.cost) }
}

/** Waits until nothing is held by anybody, in advance neither. */
export async function untilSettled(db: Knex, milliseconds = 20_000): Promise<void> {
  const left = async (table: string): Promise<number> =>
    (await db(table).queryContext(everybody).select<readonly unknown[]>(db.raw('1'))).length
  const tables = ['ai_holds', 'ai_quota_holds', 'ai_quota_leases']
  await until(async () => {
    for (const table of tables) if ((await left(table)) > 0) return false
    return true
  }, milliseconds)
}
