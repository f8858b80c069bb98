import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

// Every host keeps tenants and the hosts they answer to.
export async function up(knex: Knex): Promise<void> {
  await noteChanges(knex, {
    table: 'tenants',
    kind: 'tenants.found',
    subject: 'changed.id',
    columns: ['id', 'code', 'name', 'status', 'expires_at'],
  })
  await noteChanges(knex, {
    table: 'tenant_domains',
    kind: 'tenants.found',
    subject: 'changed.tenant_id',
    columns: ['tenant_id', 'domain', 'status', '"primary"'],
  })
}
