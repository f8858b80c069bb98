import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** Preferences of everybody (user 0) and of single users, of the platform (tenant 0) and of tenants. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('preferences', (table) => {
    table.text('scope').notNullable()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('key').notNullable()
    table.jsonb('value').notNullable()
    // Not now(): that is when the transaction began, which may be before another one changed the same key.
    table.timestamp('updated_at').notNullable().defaultTo(db.raw('clock_timestamp()'))
    table.integer('updated_by').notNullable()
    table.primary(['scope', 'tenant_id', 'user_id', 'key'])
    table.index(['tenant_id', 'user_id'])
    table.index(['tenant_id', 'key'])
  })
  await db.raw(
    `alter table preferences add check (scope = case
       when tenant_id = 0 then case when user_id = 0 then 'platform_global' else 'admin' end
       else case when user_id = 0 then 'tenant_global' else 'tenant_admin' end
     end)`,
  )
  await enableTenantRows(db, 'preferences')
}
