import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

// How people come in: by an invitation, and with a proof that an e-mail address is theirs.
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('user_invitations', (table) => {
    table.increments('id')
    table.integer('tenant_id').notNullable()
    table.text('code_hash').notNullable().unique()
    table.text('email')
    table.specificType('roles', 'text[]').notNullable().defaultTo('{}')
    table.specificType('org_ids', 'integer[]').notNullable().defaultTo('{}')
    // Stays when the inviter is deleted: the invitation then gives nothing that needs authority.
    table.integer('invited_by').notNullable()
    table.timestamp('expires_at').notNullable().index()
    table.timestamp('used_at')
    table.integer('used_by')
    table.timestamp('created_at').notNullable().defaultTo(knex.fn.now())
    table.index(['tenant_id', 'id'])
  })
  await enableTenantRows(knex, 'user_invitations')

  await knex.schema.createTable('user_email_proofs', (table) => {
    table.text('token_hash').primary()
    table.integer('tenant_id').notNullable()
    table.integer('user_id').notNullable()
    table.text('email').notNullable()
    table.text('next_status').notNullable()
    table.timestamp('expires_at').notNullable().index()
    table.index(['tenant_id', 'user_id'])
    table.foreign(['tenant_id', 'user_id']).references(['tenant_id', 'id']).inTable('users').onDelete('CASCADE')
  })
  await enableTenantRows(knex, 'user_email_proofs')
}
