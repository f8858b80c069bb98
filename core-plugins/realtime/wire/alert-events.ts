import type { EventRef } from '#kernel'
import { aiAlertRaised, aiAlertResolved } from '../../ai/contract.ts'
import { keyOf } from '../connections/keys.ts'
import { member, membersOf, wireEvent, type Told, type WireEvent } from './wire-event.ts'

type Alert = typeof aiAlertRaised extends EventRef<infer P> ? P : never
type State = 'raised' | 'resolved'

const { maybeText, text } = member
const name = 'ai.alert'
const data = membersOf({
  ...{ id: text, rule: text, rule_id: maybeText, metric: text, since: text, value: { type: 'number' } },
  state: { enum: ['raised', 'resolved'] },
})
const turns = [
  { from: aiAlertRaised, state: 'raised', summary: 'Something is wrong with AI' },
  { from: aiAlertResolved, state: 'resolved', summary: 'What was wrong with AI is over' },
] as const

/** Alerts of AI: the platform's for its staff, a tenant's own for its administrators. */
export const alertEvents: readonly WireEvent[] = turns.flatMap(({ from, state, summary }) => [
  wireEvent<Alert>({
    ...{ name, namespace: 'admin', summary, data, from, permissions: ['ai_health:read'] },
    tell: (alert) => (alert.tenantId === 0 ? told(keyOf.admin(), alert, state) : []),
  }),
  wireEvent<Alert>({
    ...{
      name,
      namespace: 'tenant',
      summary,
      data,
      from,
      permissions: ['console_tenant:enter', 'tenant_ai_health:read'],
    },
    tell: (alert) => (alert.tenantId > 0 ? told(keyOf.tenant(alert.tenantId), alert, state) : []),
  }),
])

function told(key: string, { id, rule, rule_id, metric, since, value }: Alert, state: State): readonly Told[] {
  return [{ key, data: { id, rule, rule_id, metric, since, value, state } }]
}
