import { defineEvent } from '#kernel'

export * from './contract-invokers.ts'
export * from './contract-licences.ts'
export * from './contract-operations.ts'
export * from './contract-packages.ts'
export * from './contract-running.ts'

/** What is wanted of plugins changed, as of a generation; every host converges to it. */
export const pluginsChanged = defineEvent<{ readonly generation: number }>('plugins.changed')
/** A plugin was installed; nothing of it runs yet. */
export const pluginsInstalled = defineEvent<{ readonly name: string; readonly version: string }>('plugins.installed')
/** A plugin was enabled on every living host. */
export const pluginsEnabled = defineEvent<{ readonly name: string; readonly version: string }>('plugins.enabled')
/** A plugin was disabled on every living host. */
export const pluginsDisabled = defineEvent<{ readonly name: string; readonly version: string }>('plugins.disabled')
/** A plugin was uninstalled; nothing of it is left. */
export const pluginsUninstalled = defineEvent<{ readonly name: string; readonly version: string }>(
  'plugins.uninstalled',
)
/** Another release of a plugin runs on every living host. */
export const pluginsUpgraded = defineEvent<{ readonly name: string; readonly from: string; readonly to: string }>(
  'plugins.upgraded',
)
/** A release asks for more than was granted, and waits while the one before runs on. */
export const pluginsConsentWanted = defineEvent<{ readonly name: string; readonly version: string }>(
  'plugins.consent_wanted',
)
/** A plugin went back to an earlier release; with no actor's doing where it was automatic. */
export const pluginsRolledBack = defineEvent<{
  readonly name: string
  readonly version: string
  readonly from: string
  readonly automatic: boolean
}>('plugins.rolled_back')
/** Everything a plugin has was written down, under this name. */
export const pluginsBackedUp = defineEvent<{ readonly name: string; readonly backup: string }>('plugins.backed_up')
/** A backup of a plugin was deleted by an administrator. */
export const pluginsBackupDeleted = defineEvent<{ readonly name: string; readonly backup: string }>(
  'plugins.backup_deleted',
)
/** A plugin was stopped because it failed too often. */
export const pluginsQuarantined = defineEvent<{ readonly name: string; readonly reason: string }>('plugins.quarantined')
/** How a plugin is licensed for a tenant (0 = the platform) changed: none, trial, active, grace, expired or revoked. */
export const pluginsLicenseChanged = defineEvent<{
  readonly plugin: string
  readonly tenantId: number
  readonly state: string
}>('plugins.license_changed')
/** A step of an operation on a plugin began. */
export const pluginsProgressed = defineEvent<{
  readonly plugin: string
  readonly operationId: string
  readonly kind: string
  readonly step: string
  /** The place of the step among those of its kind, from 1; absent where that is not known. */
  readonly index?: number
  readonly total?: number
}>('plugins.progressed')
/** An operation on a plugin ended, well or not. */
export const pluginsOperationEnded = defineEvent<{
  readonly plugin: string
  readonly operationId: string
  readonly kind: string
  readonly state: 'succeeded' | 'failed' | 'aborted'
  /** Why it came to nothing. */
  readonly error?: { readonly code: number; readonly reason: string; readonly message: string }
}>('plugins.operation_ended')
/** An administrator took capabilities back from a plugin, or gave them again; these are taken back now. */
export const pluginsCapabilitiesChanged = defineEvent<{ readonly name: string; readonly withheld: readonly string[] }>(
  'plugins.capabilities_changed',
)
/** A plugin was looked over, and what could be mended was. */
export const pluginsRepaired = defineEvent<{ readonly name: string; readonly whole: boolean }>('plugins.repaired')
/** An administrator changed the picture or the menu entries of a plugin. */
export const pluginsAppearanceChanged = defineEvent<{ readonly name: string }>('plugins.appearance_changed')
