import type { Knex } from 'knex'

// The order of the lists: a page reads as many rows as it shows.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index users_list_order on users (tenant_id, created_at desc, id)')
  await knex.raw('create index user_invitations_list_order on user_invitations (tenant_id, created_at desc, id)')
}
