/** How far an operation is. */
export const operationStates = ['running', 'succeeded', 'failed', 'aborted'] as const

/** What can be done to a plugin under its lock. */
export const operationKinds = [
  'install',
  'consent',
  'capabilities',
  'menu_config',
  'icon',
  'enable',
  'disable',
  'sync',
  'upgrade',
  'rollback',
  'repair',
  'backup',
  'delete_backup',
  'uninstall',
  'force_cleanup',
  'license',
  'trial',
  'revoke_license',
] as const

/** One of the things that can be done to a plugin under its lock. */
export type OperationKind = (typeof operationKinds)[number]
