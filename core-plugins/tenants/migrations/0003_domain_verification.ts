import type { Knex } from 'knex'

/** What is known of a domain's proof; domains from before were given by the platform's administrators. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('tenant_domains', (table) => {
    table.text('status').notNullable().defaultTo('pending')
    // By the word of the platform's administrator, so that no record is asked for.
    table.boolean('trusted').notNullable().defaultTo(false)
    table.jsonb('checks')
    table.timestamp('checked_at')
    // When name servers were last asked: by anybody, and by the tenant's own wish.
    table.timestamp('asked_at')
    table.timestamp('demanded_at')
    table.timestamp('next_check_at')
    table.integer('attempts').notNullable().defaultTo(0)
    table.integer('misses').notNullable().defaultTo(0)
    table.timestamp('verified_at')
    table.timestamp('lost_at')
    table.integer('taken_from')
  })
  await knex('tenant_domains')
    .queryContext({ tenant: 'all' })
    .where({ verified: true })
    .update({ status: 'verified', trusted: true, verified_at: knex.ref('created_at') })
  await knex.schema.alterTable('tenant_domains', (table) => table.dropColumn('verified'))
  await knex.raw(
    `create unique index tenant_domains_verified_unique on tenant_domains (domain) where status = 'verified'`,
  )
  await knex.raw('create unique index tenant_domains_primary_unique on tenant_domains (tenant_id) where "primary"')
  await knex.raw('create index tenant_domains_due on tenant_domains (next_check_at) where next_check_at is not null')
}
