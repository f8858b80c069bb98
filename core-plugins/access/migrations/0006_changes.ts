import type { Knex } from 'knex'
import { noteChanges } from '#kernel'

const noted = {
  access_roles: [
    'id',
    'tenant_id',
    'code',
    'name',
    'status',
    'permissions',
    'data_scope',
    'data_scope_orgs',
    'data_scopes',
  ],
  access_user_roles: ['tenant_id', 'user_id', 'role_id'],
  access_orgs: ['id', 'tenant_id', 'path', 'status'],
  access_user_orgs: ['tenant_id', 'user_id', 'org_id', 'is_primary'],
  access_org_roles: ['tenant_id', 'org_id', 'role_id', 'inherit'],
}

// Every host keeps what users hold and reach.
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(noted)) {
    await noteChanges(knex, { table, kind: 'access.grants', subject: 'changed.tenant_id', columns })
  }
}
