import type { Knex } from 'knex'
import type { NewEvent, Subscriber } from './event-queue.ts'

interface Row extends Subscriber {
  readonly subscribe: readonly string[]
}

/**
 * The plugins that are enabled, run for the event's tenant and were granted to hear it. Asked of the database, because a host
 * that just started, or has not followed yet, would leave some out.
 */
export async function findSubscribers(
  db: Knex,
  { type, tenantId, only }: Pick<NewEvent, 'type' | 'tenantId' | 'only'>,
): Promise<readonly Subscriber[]> {
  const found = await db
    .raw<{ rows: Row[] }>(
      `select plugins.id, plugins.name, coalesce(granted.detail -> 'subscribe', '[]') as subscribe from plugins
         join plugin_releases release on release.id = plugins.active_release
         join plugin_grants granted on granted.plugin_id = plugins.id and granted.release_hash = release.tree_hash
          and granted.capability = 'events'
        where plugins.status in ('enabled', 'quarantined') and not plugins.removing and not plugins.withheld @> '["events"]' and (
          ?::int = 0 or plugins.scope = 'platform' or exists (
            select 1 from plugin_tenants tenant where tenant.plugin_id = plugins.id and tenant.tenant_id = ?
               and tenant.assigned and tenant.enabled_by_tenant and not tenant.capabilities_denied @> '["events"]'))
        order by plugins.id`,
      [tenantId, tenantId],
    )
    .queryContext({ tenant: tenantId === 0 ? 'all' : tenantId })
  return found.rows.filter(({ name, subscribe }) => hears(subscribe, type) && (only === undefined || name === only))
}

/** `acme.reports.*` covers everything below that name. */
function hears(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.some((name) => name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))))
}
