import type { Fence } from '../mutation.ts'

/** Who may call which path about plugins. */
export const pluginPaths: Fence = {
  name: 'plugin-paths',
  mutations: [
    {
      name: 'icon-by-any-administrator',
      file: 'core-plugins/plugins/choices/icon-routes.ts',
      before: "        if (principal.scope === 'platform') requirePermission(principal, 'platform_plugin:list')\n",
      after: '',
      tests: ['test/core-plugins/plugins/paths.test.ts'],
      why: 'Who may not list plugins finds out which there are.',
      grep: 'lists and slots answer',
    },
    {
      name: 'operation-called-off-by-who-may-look',
      file: 'core-plugins/plugins/changes/cancel-operation.ts',
      before: '(row && toCancel[row.kind]) ?? toRead',
      after: '(row && toRead) ?? toRead',
      tests: ['test/core-plugins/plugins/paths.test.ts'],
      why: 'Who may look at plugins calls off the upgrade that mends one.',
      grep: 'is called off by whoever may',
    },
    {
      name: 'backup-taken-by-who-makes-them',
      file: 'core-plugins/plugins/backups/routes.ts',
      before: "permission: 'platform_plugin:backup_download'",
      after: "permission: 'platform_plugin:backup'",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may make backups takes the rows of every tenant away.',
    },
    {
      name: 'event-requeued-by-who-may-look',
      file: 'core-plugins/plugin-events/routes.ts',
      before: "permission: 'platform_plugin:repair'",
      after: "permission: 'platform_plugin:detail'",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may look at plugins has them do things again.',
    },
    {
      name: 'schedule-by-who-may-look',
      file: 'core-plugins/plugin-schedules/routes.ts',
      before: "permission: 'platform_plugin:schedules'",
      after: "permission: 'platform_plugin:detail'",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may look at plugins has their schedules run.',
    },
    {
      name: 'licence-by-who-may-look',
      file: 'core-plugins/plugin-licences/routes.ts',
      before: "permission: 'platform_plugin:license'",
      after: "permission: 'platform_plugin:list'",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may list plugins reads for whom they are licensed.',
    },
    {
      name: 'sources-by-who-may-browse',
      file: 'core-plugins/plugin-index/sources/routes.ts',
      before: "permission: 'marketplace:sources' }",
      after: "permission: 'marketplace:browse' }",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may look around in the marketplace leads the site to an index of his own.',
    },
    {
      name: 'publishers-by-who-may-browse',
      file: 'core-plugins/plugin-index/publishers/routes.ts',
      before: "permission: 'marketplace:sources' }",
      after: "permission: 'marketplace:browse' }",
      tests: ['test/core-plugins/whole/routes.test.ts'],
      why: 'Who may look around in the marketplace has his own key trusted.',
    },
  ],
}
