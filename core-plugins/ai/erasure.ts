import type { Knex } from 'knex'

/** What belongs to tenants, those first that hang on others. */
const tables = [
  ...[
    'ai_alerts',
    'ai_alert_rules',
    'ai_request_log',
    'ai_request_payloads',
    'ai_health_checks',
    'ai_call_totals',
    'ai_canary_figures',
    'ai_stable_figures',
    'ai_gateway_figures',
    'ai_responses',
    'ai_gateway_settings',
    'ai_markups',
    'ai_routes',
    'ai_model_names',
    'ai_model_versions',
    'ai_models',
  ],
  ...['ai_provider_secrets', 'ai_providers'],
]

/** Deletes what the AI area keeps of a tenant that is no more. */
export async function eraseTenant(db: Knex, tenantId: number): Promise<void> {
  for (const table of tables) await db(table).queryContext({ tenant: tenantId }).where({ tenant_id: tenantId }).delete()
}

/** What a user who is no more said is not kept, nor what led to their conversations. */
export async function eraseUser(db: Knex, tenantId: number, userId: number): Promise<void> {
  const own = { tenant_id: tenantId, user_id: userId }
  for (const table of ['ai_request_payloads', 'ai_responses']) {
    await db(table).queryContext({ tenant: tenantId }).where(own).delete()
  }
  const logged = db('ai_request_log').queryContext({ tenant: tenantId }).where(own)
  await logged.whereNotNull('conversation_id').update({ conversation_id: null })
}
