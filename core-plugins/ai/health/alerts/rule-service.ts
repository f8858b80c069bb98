import type { Knex } from 'knex'
import {
  createSortableId,
  lockUntilCommit,
  presentPage,
  type FieldError,
  type Page,
  type Principal,
  type SecretBox,
  type TenantResolver,
} from '#kernel'
import type { Audit, Writer } from '../../../access/contract.ts'
import type { AiSpending } from '../../../ai-ledger/contract.ts'
import { presentOwner, rowsFor, type Owned } from '../../area.ts'
import { AlertRuleNotFoundError } from '../../errors.ts'
import { faultOf, refuseFaults } from '../../faults.ts'
import type { UserDirectory } from '../../../users/contract.ts'
import type { WhereTo } from '../../providers/where-to.ts'
import { AlertRow, AlertRuleRow, type AlertCondition, type AlertNotice, type AlertScope } from './tables.ts'

/** A rule to be made. */
interface NewAlertRule {
  readonly name: string
  readonly when: Pick<AlertCondition, 'metric'> & Partial<AlertCondition>
  readonly notify?: Partial<AlertNotice> & { readonly webhook?: string | null }
  readonly cooldown_s?: number
}

/** Which rules a list shows; what is left out does not matter. */
interface RuleFilter {
  readonly scope?: Owned
  readonly state?: 'ok' | 'pending' | 'firing'
  readonly tenant_id?: number
}

/** What rules stand on. */
interface RuleParts {
  readonly db: Knex
  readonly audit: Audit
  readonly secrets: SecretBox
  readonly whereTo: WhereTo
  readonly users: Pick<UserDirectory, 'isUsersAddress'>
  readonly spending: Pick<AiSpending, 'hasQuota'>
  readonly tenants: Pick<TenantResolver, 'byId'>
}

const usualCooldownS = 900
const most = 100
/** What is wrong whenever there is one. */
const counts: ReadonlySet<string> = new Set(['breaker_open', 'no_healthy_target'])

/** Rules that raise alerts, the platform's and tenants' own. */
export class AlertRules {
  readonly #parts: RuleParts

  constructor(parts: RuleParts) {
    this.#parts = parts
  }

  async list(reader: Principal, page: Page, { scope, state, tenant_id }: RuleFilter) {
    const { db } = this.#parts
    const query = rowsFor(AlertRuleRow, reader, db, scope)
    if (tenant_id !== undefined) void query.where({ tenant_id })
    if (page.pattern !== undefined) void query.whereILike('name', page.pattern)
    const open = AlertRow.acrossTenants(db)
      .whereNull('resolved_at')
      .whereColumn('ai_alerts.rule_id', 'ai_alert_rules.id')
    if (state !== undefined) void (state === 'firing' ? query.whereExists(open) : query.whereNotExists(open))
    if (state === 'pending') void query.whereNotNull('pending_since')
    if (state === 'ok') void query.whereNull('pending_since')
    const { results, total } = await query.orderBy([...page.sort, { column: 'id' }]).page(page.page - 1, page.size)
    const alerts = await openAlerts(
      db,
      results.map(({ id }) => id),
    )
    return presentPage(
      page,
      total,
      results.map((row) => presentRule(row, alerts.get(row.id))),
    )
  }

  /** Throws 422/4229 for a rule that cannot be. */
  async create(wish: NewAlertRule, { principal, state }: Writer) {
    const { db, audit, secrets } = this.#parts
    const { metric, scope = {}, op = '>', value = 0, for_s = 0 } = wish.when
    const { webhook = null, ws = [], email = [] } = wish.notify ?? {}
    refuseFaults(await this.#faults(wish, scope, principal))
    const { tenantId, userId } = principal
    return db.transaction(async (trx) => {
      await lockUntilCommit(trx, `ai.alert_rules:${String(tenantId)}`)
      const known = await AlertRuleRow.of(tenantId, trx).resultSize()
      refuseFaults(known < most ? [] : [faultOf('name', 'most', `is one more than ${String(most)} rules`)])
      const row = await AlertRuleRow.of(tenantId, trx)
        .insert({
          ...{ id: createSortableId('alr'), name: wish.name, condition: { metric, scope, op, value, for_s } },
          ...{ notify: { ws, email }, cooldownS: wish.cooldown_s ?? usualCooldownS, createdBy: userId },
          webhook: webhook === null ? null : secrets.seal(webhook),
          webhookHint: webhook === null ? null : hintOf(webhook),
        })
        .returning('*')
      const about = { tenantId, actor: principal, traceId: state.traceId, target: `ai_alert_rule:${row.id}` }
      const after = presentRule(row, undefined)
      await audit.record({ ...about, after, action: 'ai_alert_rule.created' }, trx)
      return after
    })
  }

  /** Ends its alert too, which nobody is told of. Throws 404/4040, also for one of another tenant. */
  async delete(id: string, { principal, state }: Writer): Promise<void> {
    const { db, audit } = this.#parts
    await db.transaction(async (trx) => {
      const row = await rowsFor(AlertRuleRow, principal, trx).findById(id).forUpdate()
      if (!row) throw new AlertRuleNotFoundError()
      await AlertRuleRow.of(row.tenantId, trx).deleteById(id)
      const { tenantId } = principal
      const about = { tenantId, actor: principal, traceId: state.traceId, target: `ai_alert_rule:${id}` }
      await audit.record({ ...about, before: presentRule(row, undefined), action: 'ai_alert_rule.deleted' }, trx)
    })
  }

  async #faults({ when, notify }: NewAlertRule, scope: AlertScope, asker: Principal): Promise<readonly FieldError[]> {
    const { webhook = null, email = [] } = notify ?? {}
    const isBare = when.op === undefined || when.value === undefined
    const isOther = asker.scope === 'tenant' && scope.tenant_id !== undefined && scope.tenant_id !== asker.tenantId
    return [
      ...(isBare && !counts.has(when.metric) ? [faultOf('when.value', 'required', 'is needed, with op')] : []),
      ...(isOther ? [faultOf('when.scope.tenant_id', 'own_tenant', 'is the own tenant')] : []),
      ...(await this.#unknown(scope, asker)),
      ...(webhook === null ? [] : await this.#webhookFaults(webhook)),
      ...(await this.#readerFaults(email, asker.tenantId)),
    ]
  }

  /** What there is none of that calls of the asker could go to, or count in; of another tenant there is nothing. */
  async #unknown(wanted: AlertScope, asker: Principal): Promise<readonly FieldError[]> {
    const { provider_id, model_id, route_id, quota_id, tenant_id } = wanted
    const { scope, tenantId } = asker
    const { db, spending, tenants } = this.#parts
    const unknown = (field: string) => faultOf(`when.scope.${field}`, 'known', 'is none that there is')
    const reach = scope === 'tenant' ? tenantId : tenant_id
    const isQuota = quota_id === undefined || (await spending.hasQuota(quota_id, reach))
    const isTenant = scope === 'tenant' || !tenant_id || (await tenants.byId(tenant_id)) !== undefined
    const named = [
      ['provider_id', provider_id, 'ai_providers'],
      ['model_id', model_id, 'ai_models'],
      ['route_id', route_id, 'ai_routes'],
    ] as const
    const faults = named.map(async ([field, id, table]) => {
      if (id === undefined) return []
      const query = db(table).queryContext({ tenant: 'all' }).where({ id })
      if (scope === 'tenant') void query.whereIn('tenant_id', [0, tenantId])
      const row = await query.first<object | undefined>('id')
      return row ? [] : [unknown(field)]
    })
    return [
      ...(await Promise.all(faults)).flat(),
      ...(isQuota ? [] : [unknown('quota_id')]),
      ...(isTenant ? [] : [unknown('tenant_id')]),
    ]
  }

  /** A tenant's administrators have the platform send mails to their own people alone. */
  async #readerFaults(addresses: readonly string[], tenantId: number): Promise<readonly FieldError[]> {
    if (tenantId === 0) return []
    const known = await Promise.all(addresses.map((to) => this.#parts.users.isUsersAddress(tenantId, to)))
    return known.flatMap((isKnown, at) =>
      isKnown
        ? []
        : [faultOf(`notify.email[${String(at)}]`, 'own_user', 'is no address of an active user of the tenant')],
    )
  }

  async #webhookFaults(webhook: string): Promise<readonly FieldError[]> {
    const url = URL.parse(webhook)
    if (!url) return [faultOf('notify.webhook', 'format', 'is no http or https address')]
    url.search = ''
    return (await this.#parts.whereTo.faults(url.href)).map((fault) => ({ ...fault, field: 'notify.webhook' }))
  }
}

async function openAlerts(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, AlertRow>> {
  if (ids.length === 0) return new Map()
  const rows = await AlertRow.acrossTenants(db)
    .whereIn('rule_id', [...ids])
    .whereNull('resolved_at')
  return new Map(rows.map((row) => [row.ruleId ?? '', row]))
}

function presentRule(row: AlertRuleRow, alert: AlertRow | undefined) {
  const { id, name, condition, notify, webhookHint, cooldownS, pendingSince, value, createdAt } = row
  return {
    ...{ id, name, ...presentOwner(row), when: condition },
    // Addresses of web hooks hold secrets.
    notify: { ...notify, webhook: webhookHint },
    cooldown_s: cooldownS,
    state: alert ? ('firing' as const) : pendingSince ? ('pending' as const) : ('ok' as const),
    value: value ?? null,
    alert: alert ? { id: alert.id, since: alert.since.toISOString(), value: alert.value } : null,
    created_at: createdAt.toISOString(),
  }
}

function hintOf(webhook: string): string {
  return `${new URL(webhook).origin}/…`
}
