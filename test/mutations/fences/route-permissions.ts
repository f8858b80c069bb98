import type { Fence } from '../mutation.ts'

const table = 'test/core-plugins/whole/routes.test.ts'

/** What routes ask for. */
export const routePermissions: Fence = {
  name: 'route-permissions',
  mutations: [
    {
      name: 'route-users-deleted',
      file: 'core-plugins/users/routes.ts',
      before: 'permission: `${resource}:delete`',
      after: 'permission: `${resource}:detail`',
      tests: [table],
      why: 'Who may read users deletes them.',
    },
    {
      name: 'route-audit-exported',
      file: 'core-plugins/access/audit/routes.ts',
      before: '`${auth}_audit:export`',
      after: '`${auth}_audit:list`',
      tests: [table],
      why: 'Who may read the log takes it away whole.',
    },
    {
      name: 'route-orgs-moved',
      file: 'core-plugins/access/orgs/routes.ts',
      before: "'tenant_org:move'",
      after: "'tenant_org:update'",
      tests: [table],
      why: 'Who may rename nodes moves them.',
    },
    {
      name: 'route-roles-deleted',
      file: 'core-plugins/access/roles/routes.ts',
      before: '`${resource}:delete`',
      after: '`${resource}:update`',
      tests: [table],
      why: 'Who may change roles deletes them.',
    },
    {
      name: 'route-domains-unbound',
      file: 'core-plugins/tenants/domains/routes.ts',
      before: "'tenant_domain:delete'",
      after: "'tenant_domain:list'",
      tests: [table],
      why: 'Who may list domains takes the tenant off the net.',
    },
    {
      name: 'route-tenants-deleted',
      file: 'core-plugins/tenants/routes.ts',
      before: "'platform_tenant:delete'",
      after: "'platform_tenant:update'",
      tests: [table],
      why: 'Who may rename tenants deletes them.',
    },
    {
      name: 'route-jobs-retried',
      file: 'core-plugins/jobs/routes.ts',
      before: "permission: 'platform_job:retry'",
      after: "permission: 'platform_job:list'",
      tests: [table],
      why: 'Who may look at jobs begins them again.',
    },
  ],
}
