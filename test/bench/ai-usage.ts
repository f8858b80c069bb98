import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Knex } from 'knex'
import { allowTime, createLogger, generateFernetKey, readEnvironment, startKernel } from '#kernel'
import { RunningKernel } from '../../kernel/kernel.ts'
import { ledgerPlugins } from '../core-plugins/ai-ledger/world.ts'
import { startOperatorBackEnd } from '../support/back-end.ts'
import { Api } from '../support/api.ts'
import { platformToken } from '../support/plain-identity.ts'
import { fillLedger, fillSums, population } from './ai-usage-rows.ts'
import { print } from './print.ts'

/** For which rows are written; `AI_USAGE_SECONDS` says otherwise. What comes of them is summed and asked for beside. */
const seconds = Number(process.env['AI_USAGE_SECONDS'] ?? 15)
const turns = 20
/** No question is asked for longer, however slow it is. */
const mostMs = 2_500
const aimMs = 300

/**
 * Usage of a month as an administrator looks at it: of the rows that the ledger takes in so many seconds, with the sums that come of them; and of
 * a month with the sums that 100 million rows leave, and none of those rows, which trends by hour and day do not read. Beside a month with nothing.
 */
export async function measureAiUsage(): Promise<void> {
  await using resources = new AsyncDisposableStack()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-usage-bench-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  const backEnd = resources.use(await startOperatorBackEnd())
  const secrets = {
    APP_SECRET: randomBytes(32).toString('base64url'),
    JWT_KEYS: `k:${randomBytes(32).toString('base64url')}`,
    CONFIG_FERNET_KEYS: generateFernetKey(),
  }
  const env = { ...readEnvironment({ ...secrets, ...backEnd.env, DATA_DIR: dataDir, HOST: '127.0.0.1' }), port: 0 }
  const host = { env, plugins: ledgerPlugins, namespace: randomUUID(), log: createLogger('warn') }
  const kernel = resources.use(await startKernel(host))
  if (!(kernel instanceof RunningKernel)) throw new Error('no kernel')
  const { knex } = kernel.database
  const now = new Date()
  const month = (more: number): string =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + more, 1)).toISOString()
  const admin = new Api(kernel.url, platformToken('*:*'))
  const rows = await written(knex, month(0))
  const costs = await admin.get(`/admin/ai/usage/costs?from=${month(0)}&to=${month(1)}&reconcile=true`)
  const { equal } = (costs.body['data'] as unknown as { reconciliation: { equal: boolean } }).reconciliation
  if (!equal) throw new Error('the sums are not what the rows come to')
  const sums = await knex.transaction(async (trx) => {
    await allowTime(trx)
    return fillSums(trx, month(1), month(2))
  })
  await knex.raw(`analyze ai_usage, ${sums.map(([table]) => table).join(', ')}`)
  const { tenants, users, models, requests } = population
  const shape = `${String(tenants)} tenants, ${String(users)} users, ${String(models)} models`
  print('requests of a month of sums alone', String(requests), `${shape}; the rows themselves are not there`)
  for (const [table, count] of sums) print(`  rows of ${table}`, String(count), '')
  const measured = [
    { title: `${String(rows)} rows, as the ledger sums them`, from: month(0), to: month(1) },
    { title: `the sums of ${String(requests)} requests`, from: month(1), to: month(2) },
  ]
  for (const { title, from, to } of measured) {
    for (const [what, more] of asked) {
      const took = async (first: string, last: string): Promise<number> => {
        const since = performance.now()
        const { status } = await admin.get(`/admin/ai/usage/trends?from=${first}&to=${last}${more}`)
        if (status !== 200) throw new Error(`trends answered ${String(status)}`)
        return performance.now() - since
      }
      const [full, empty]: [number[], number[]] = [[], []]
      const until = performance.now() + mostMs
      for (let turn = 0; turn === 0 || (turn < turns && performance.now() < until); turn++) {
        full.push(await took(from, to))
        empty.push(await took(month(-2), month(-1)))
      }
      const [p50, worst, floor] = [at(full, 0.5), at(full, 0.95), at(empty, 0.5)]
      const aim = `p95 ${worst.toFixed(1)} ms, aim < ${String(aimMs)} ms${p50 < aimMs ? '' : ': missed'}; an empty month ${floor.toFixed(1)} ms`
      print(`/usage/trends, ${title}: ${what}, p50`, `${p50.toFixed(1)} ms`, aim)
    }
  }
}

const asked = [
  ['all, by model', '&bucket=1d&group_by=model'],
  ['all, by model, in Shanghai', '&bucket=1d&group_by=model&tz=Asia/Shanghai'],
  ['all, by tenant', '&bucket=1d&group_by=tenant'],
  ['one tenant, by user', '&bucket=1d&group_by=user&tenant_id=3'],
  ['one tenant, by model, each hour', '&bucket=1h&group_by=model&tenant_id=3'],
] as const

/** Fills the ledger for so long, and sums it; answers how many rows there are. */
async function written(knex: Knex, month: string): Promise<number> {
  const began = performance.now()
  // As if all had been summed already: summing goes row by row, and is not what is measured.
  await knex.raw('alter table ai_usage disable trigger ai_usage_noted')
  const rows = await fillLedger(knex, month, () => performance.now() - began < seconds * 1_000)
  await knex.raw('alter table ai_usage enable trigger ai_usage_noted')
  const perSecond = Math.round((rows * 1_000) / (performance.now() - began))
  print('rows of the ledger of one month, with their sums', String(rows), `${String(perSecond)}/s by set-based SQL`)
  return rows
}

function at(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0
}
