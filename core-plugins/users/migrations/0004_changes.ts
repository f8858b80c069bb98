import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

// Every host keeps what decides whether a user is still signed in.
export async function up(knex: Knex): Promise<void> {
  await noteChanges(knex, {
    table: 'users',
    kind: 'users.sign_in',
    subject: `changed.tenant_id || ':' || changed.id`,
    columns: [
      ...['id', 'tenant_id', 'version', 'status'],
      ...['password_change_required', 'password_changed_at', 'two_factor_enabled'],
    ],
    on: ['update', 'delete'],
  })
}
