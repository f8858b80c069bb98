import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

// Every host believes for a while that a session lives.
export async function up(knex: Knex): Promise<void> {
  await noteChanges(knex, {
    table: 'auth_sessions',
    kind: 'auth.sessions',
    subject: 'changed.id',
    columns: ['id', 'revoked_at'],
    on: ['update', 'delete'],
    // What is over for long goes without a word.
    whereDeleted: 'changed.revoked_at is null and changed.expires_at > now() and changed.idle_expires_at > now()',
  })
}
