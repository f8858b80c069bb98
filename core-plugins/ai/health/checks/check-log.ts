import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { createSortableId, type Principal } from '#kernel'
import type { DoneTest } from '../../provider-tests/provider-tests.ts'
import { showDecimal } from '../../show-decimal.ts'
import { readRows, type RowPage } from '../read-rows.ts'
import type { checkKinds } from './check-kinds.ts'

/** What a check found. */
export interface Check {
  readonly at: Date
  readonly tenantId: number
  readonly providerId: string
  /** The model at the provider; undefined of the whole provider. */
  readonly target?: string | undefined
  readonly kind: (typeof checkKinds)[number]
  readonly level: string
  readonly ok: boolean
  readonly ms?: number | undefined
  readonly status?: number | undefined
  readonly class?: string | undefined
  readonly detail?: string | undefined
  readonly costNano?: bigint
}

/** Which checks are wanted; what is left out does not matter. */
interface CheckQuery extends RowPage {
  readonly provider_id?: string
  readonly kind?: Check['kind']
  readonly ok?: boolean
}

interface Row {
  readonly id: string
  readonly at: Date
  readonly tenant_id: number
  readonly cost_nano: string
}

const columns = [
  ...['id', 'at', 'tenant_id', 'provider_id', 'target', 'kind', 'level', 'ok', 'ms', 'status', 'class', 'detail'],
  ...['cost_nano', 'node'],
]

/** Keeps what checks found. */
export class CheckLog {
  readonly #db: Knex
  readonly #node: string

  constructor(db: Knex, node: string) {
    this.#db = db
    this.#node = node
  }

  /** Writes checks down; what requests showed in a minute stands over what they had shown of it before. */
  async write(checks: readonly Check[], db: Knex = this.#db): Promise<void> {
    if (checks.length === 0) return
    await db('ai_health_checks')
      .queryContext({ tenant: 'all' })
      .insert(checks.map((check) => rowOf(check, this.#node)))
      .onConflict(['id', 'at'])
      .merge(['ok', 'ms', 'status', 'class', 'detail', 'node'])
  }

  /** Writes a test down that somebody asked for. */
  async tested({ providerId, tenantId, level, model, checks, costNano }: DoneTest): Promise<void> {
    // That a stream does not say what it took makes nobody ill.
    const bad = checks.find(({ name, ok }) => !ok && name !== 'stream_usage')
    const isPaid = level === 'chat' || level === 'stream' || level === 'tools'
    await this.write([
      {
        ...{ at: new Date(), tenantId, providerId, target: isPaid ? model : undefined, level, costNano },
        ...{ kind: isPaid ? 'chat' : 'models', ok: bad === undefined, class: bad?.name },
        ms: checks.reduce((sum, { ms = 0 }) => sum + ms, 0),
      },
    ])
  }

  /** Those that a reader may see, newest first. */
  read(reader: Principal, query: CheckQuery) {
    const { provider_id: provider, kind, ok } = query
    return readRows<Row, object>(this.#db, 'ai_health_checks', reader, {
      ...{ columns, page: query },
      narrow(rows) {
        if (provider !== undefined) void rows.where('provider_id', provider)
        if (kind !== undefined) void rows.where('kind', kind)
        // As the index has it.
        if (ok !== undefined) void rows.whereRaw(ok ? 'ok' : 'not ok')
      },
      present: ({ tenant_id: tenant, cost_nano: cost, at, ...row }) => ({
        ...{ ...row, at: at.toISOString(), tenant_id: tenant === 0 ? null : tenant, cost: showDecimal(BigInt(cost)) },
      }),
    })
  }
}

function rowOf(check: Check, node: string): object {
  const { at, tenantId, providerId, target, kind, level, ok, ms, status, detail, costNano = 0n } = check
  return {
    id: kind === 'passive' ? minuteId(check) : createSortableId('chk', at.getTime()),
    ...{ at, tenant_id: tenantId, provider_id: providerId, target: target ?? null, kind, level, ok, node },
    ...{ ms: ms ?? null, status: status ?? null, class: check.class ?? null, detail: detail ?? null },
    cost_nano: String(costNano),
  }
}

/** One for each minute and target, whoever writes it and however often. */
function minuteId({ providerId, target = '' }: Check): string {
  return `chk_${createHash('sha256').update(`${providerId}/${target}`).digest('hex').slice(0, 26)}`
}
