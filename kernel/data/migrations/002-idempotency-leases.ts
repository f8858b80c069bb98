import type { Knex } from 'knex'

/** How long the host that runs a request vouches for it; past that, without an answer, nobody knows what became of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('idempotency_keys', (table) => {
    // Absent in the rows of hosts that do not know it yet.
    table.timestamp('leased_until')
  })
}
