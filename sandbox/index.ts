export { LIMITS, type Limit, type LimitName } from './limits.ts'
export { parseManifest } from './manifest.ts'
export { checkManifestFiles, localeFile } from './manifest/check-files.ts'
export { consentItems, type ConsentItem } from './manifest/consent-items.ts'
export { diffManifests, type DiffEntry, type ManifestDiff } from './manifest/diff-manifests.ts'
export { ManifestInvalidError } from './manifest/errors.ts'
export { permissionCode, PLUGIN_NAME, pluginHash8, tableName } from './manifest/names.ts'
export type * from './manifest/plugin-manifest.ts'
export { listRights, type Right, type RightKind } from './manifest/rights.ts'
export { scanJson, type JsonFault } from './manifest/scan-json.ts'
export { MANIFEST_SCHEMA } from './manifest/schema.ts'
export { CAPABILITIES, type Capability } from './manifest/vocabulary.ts'
export { compileMigration, type CompiledMigration, type MigrationContext } from './migrations.ts'
export { compileMigrations, type MigrationFile, type PluginMigration } from './migrations/compile-migrations.ts'
export { MigrationRefusedError } from './migrations/errors.ts'
export type { MigrationStep } from './migrations/target.ts'
export type * from './services.ts'
export type * from './supervisor/call.ts'
export {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
  type GuardedRequest,
  type GuardedResponse,
} from './capabilities/guarded-fetch.ts'
export { EgressError, type EgressReason } from './capabilities/http/egress-error.ts'
export { createPluginRole, dropPluginRole, grantTables } from './capabilities/database/plugin-role.ts'
export { effectiveLimits } from './effective-limits.ts'
export * from './errors.ts'
export { sandboxMessages } from './messages.ts'
export { notRunningError, outcomeError } from './outcome-error.ts'
export { toPlugin } from './plugin.ts'
export { createSandbox } from './sandbox.ts'
