import type { Knex } from 'knex'
import type { GuardedFetch, RateLimiter, SecretBox } from '#kernel'
import type { Access } from '../../../access/contract.ts'
import type { JobKind, Jobs } from '../../../jobs/contract.ts'
import type { MessageSender } from '../../../mail/contract.ts'
import type { Notifier } from '../../../notifications/contract.ts'
import type { UserDirectory } from '../../../users/contract.ts'
import { demand } from '../../permissions.ts'
import { texts } from '../texts/texts.ts'
import { AlertRow, AlertRuleRow } from './tables.ts'

/** What is told. */
type Turn = 'raised' | 'resolved'

interface Telling {
  readonly alert: string
  readonly turn: Turn
  readonly by: 'ws' | 'webhook' | 'email'
  /** Of `email`. */
  readonly to?: string
}

/** Who tells. */
interface TellParts {
  readonly db: Knex
  readonly access: Pick<Access, 'usersWith'>
  readonly notifier: Pick<Notifier, 'send'>
  readonly mail: Pick<MessageSender, 'send'>
  readonly http: Pick<GuardedFetch, 'fetch'>
  readonly secrets: SecretBox
  readonly users: Pick<UserDirectory, 'isUsersAddress'>
  readonly limiter: RateLimiter
}

/** Mails of a tenant's alerts in an hour. */
const mailsAnHour = 60
const hourSeconds = 3_600

const kind = 'ai.alert_tell'
const webhookMs = 10_000

/** Has everybody told who is to know, each by a job of its own: one that fails holds up no other. */
export async function queueTelling(
  jobs: Pick<Jobs, 'enqueue'>,
  { id, tenantId }: AlertRow,
  rule: AlertRuleRow | undefined,
  turn: Turn,
  trx: Knex.Transaction,
): Promise<void> {
  const { ws, email } = rule?.notify ?? { ws: ['admin'], email: [] }
  const tellings: Telling[] = [
    ...(ws.length > 0 ? [{ alert: id, turn, by: 'ws' as const }] : []),
    ...(rule?.webhook ? [{ alert: id, turn, by: 'webhook' as const }] : []),
    ...email.map((to) => ({ alert: id, turn, by: 'email' as const, to })),
  ]
  for (const telling of tellings) await jobs.enqueue(trx, kind, telling, { tenant: tenantId })
}

/** Tells of an alert, by one way. */
export function tellJob(parts: TellParts): JobKind<Telling> {
  return {
    kind,
    async run({ payload: { alert: id, turn, by, to } }) {
      const alert = await AlertRow.acrossTenants(parts.db).findById(id)
      // Its rule is gone, and it with that.
      if (!alert) return
      if (by === 'ws') await notify(parts, alert, turn)
      else if (by === 'email' && to !== undefined) await mail(parts, alert, turn, to)
      else await post(parts, alert, turn)
    },
  }
}

async function notify({ access, notifier }: TellParts, alert: AlertRow, turn: Turn): Promise<void> {
  const { tenantId, name, metric, value } = alert
  const permission = demand('ai_health:read')[tenantId === 0 ? 'platform' : 'tenant']
  const said = { name, metric, value: rounded(value) }
  const title = texts.keep(turn === 'raised' ? `notice.${ownText(metric)}` : 'notice.alert_resolved', said)
  const level = turn === 'raised' ? 'warning' : 'success'
  const message = { tenantId, title, level, link: '/admin/ai/health', source: 'ai' } as const
  for (const userId of await access.usersWith(tenantId, permission)) {
    await notifier.send({ ...message, userId, body: texts.keep('notice.alert_value', said) })
  }
}

/** Of a tenant to who is still its user; a mail over the limit is left out: the alert stands in the list. */
async function mail(
  { mail: sender, limiter, users }: TellParts,
  alert: AlertRow,
  turn: Turn,
  to: string,
): Promise<void> {
  const { tenantId, name, metric, value, since } = alert
  if (tenantId !== 0) {
    if (!(await users.isUsersAddress(tenantId, to))) return
    const { allowed } = await limiter.hit(`ai.alert_mail:${String(tenantId)}`, mailsAnHour, hourSeconds)
    if (!allowed) return
  }
  const values = { alert: name, metric, value: rounded(value), time: since.toISOString() }
  const template = turn === 'raised' ? 'ai_alert' : 'ai_alert_over'
  await sender.send({ tenantId, channel: 'email', to, template, values })
}

async function post({ db, http, secrets }: TellParts, alert: AlertRow, turn: Turn): Promise<void> {
  const rule = await AlertRuleRow.acrossTenants(db).findById(alert.ruleId ?? '')
  if (!rule?.webhook) return
  const { status } = await http.fetch({
    url: new URL(secrets.open(rule.webhook)),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ event: `ai.alert.${turn}`, ...presentAlert(alert) }),
    timeoutMs: webhookMs,
  })
  if (status >= 300) throw new Error(`The web hook answered ${String(status)}`)
}

/** An alert as the wire has it. */
export function presentAlert({ id, ruleId, name, metric, since, value }: AlertRow) {
  return { id, rule: name, rule_id: ruleId, metric, since: since.toISOString(), value: rounded(value) }
}

/** What has words of its own. */
const own = ['auth_failed', 'secrets_undecryptable', 'canary_aborted'] as const

function ownText(metric: string): (typeof own)[number] | 'alert_raised' {
  return own.find((each) => each === metric) ?? 'alert_raised'
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
