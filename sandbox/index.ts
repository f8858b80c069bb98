export { sourceSigns } from './capabilities/source-signs.ts'
export { capabilities, type Capability } from './capabilities/table.ts'
export { allHostModules, hostModuleFault, hostModuleNames } from './host-modules/host-modules.ts'
export { sandboxLimits, type LimitName } from './limits.ts'
export { parseManifest } from './manifest.ts'
export { checkManifestFiles } from './manifest/check-files.ts'
export type { ConfigItem } from './manifest/config-item.ts'
export { consentItems, type ConsentItem } from './manifest/consent-items.ts'
export { diffManifests, type DiffEntry } from './manifest/diff-manifests.ts'

export { permissionCode, pluginNameForm, pluginHash8, tableName } from './manifest/names.ts'
export type { PluginManifest, PluginRoute, Slot, Schedule, LicensingTerms } from './manifest/plugin-manifest.ts'
export type {
  AiTool,
  AiProvider,
  AiGuardrail,
  AiRouter,
  GuardrailPhase,
  StorageDriver,
} from './manifest/plugin-provided.ts'

export { manifestSchema as manifestJsonSchema } from './manifest/schema.ts'
export { scanJsonInSteps } from './manifest/scan-json.ts'
export * as schemaParts from './manifest/schema-parts.ts'

export type { KernelEvent } from './manifest/vocabulary.ts'
export { durationQuantile } from './metering/duration-histogram.ts'
export { measureIndex, type Measure } from './metering/measures.ts'
export type {
  BreakerState,
  Counts,
  AccountKind,
  UsageEntry,
  PluginGauges,
  PluginFailure,
  Metering,
} from './metering/metering.ts'
export { compileMigration } from './migrations/compile-migration.ts'
export { compileMigrations, describeTables, type PluginMigration } from './migrations/compile-migrations.ts'

export type { ColumnShape } from './migrations/table-columns.ts'
export type { MigrationStep } from './migrations/target.ts'
export type { GuestAttachments } from './broker/attachments.ts'
export type { BasicUser } from './broker/users.ts'
export type { PublishedEvent } from './broker/events.ts'
export type { GuestJobs, JobOwner, WantedJob } from './broker/jobs.ts'
export type { ServiceCall } from './broker/services.ts'
export { readStepEnd, type StepEnd } from './plugin/job-step.ts'
export { findServiceMethod } from './plugin/service-method.ts'

export type {
  TrustLevel,
  Release,
  GateUse,
  Gate,
  DeliveredEvent,
  BreakerNews,
  ReleaseWatch,
  GuestLicense,
  PlatformServices,
  SandboxServices,
  HookName,
  Sandbox,
} from './services.ts'
export type { Outcome } from './wire/call.ts'
export { createPluginRole, dropPluginRole, grantTables, pluginRoleName } from './broker/database/plugin-role.ts'
export { authorText } from './author-text.ts'
export { effectiveLimits } from './effective-limits.ts'
export type { EffectiveLimits, Grants, GuestTenant, HostGrant } from './grants.ts'
export { PluginResponseInvalidError } from './errors.ts'
export { sandboxTexts } from './texts/texts.ts'
export { notRunningError, outcomeError } from './wire/outcome-error.ts'
export { runBundler } from './bundler.ts'
export { findRoute } from './sdk/testing/find-route.ts'
export { loadPageSdk } from './page-sdk.ts'
export { pageSdkFolder } from './pages/frame-headers.ts'
export { contentTypeOf } from './pages/content-types.ts'
export { describePageFile } from './pages/page-file.ts'
export { lookInto, withInserts, type Insert, type PageContent } from './pages/page-inserts.ts'
export { toPlugin } from './plugin.ts'
export { declareConfig, declareMenus, declarePermissions, type MenuEntryChoice } from './plugin/declarations.ts'
export { compileToolCheck, type ToolCheck } from './plugin/compile-tool-check.ts'
export * as providedAnswers from './plugin/provided/answers.ts'
export type { CheckedVerdict } from './plugin/provided/guardrail-verdict.ts'
export { createGuestUsers } from './plugin/guest-user.ts'
export { createSandbox } from './sandbox.ts'
export { toldOf } from './tell-limit.ts'
export { LineMap } from './source-map/line-map.ts'
export type {
  EmbeddingsWish,
  ProviderDelta,
  ProviderWish,
  RoutedRequest,
  RouterCandidate,
} from './capabilities/gateway-words.ts'
export { sdkVersion } from './sdk-version.ts'
export type {
  LoadPlugin,
  OpenedPage,
  PageAsked,
  PageChange,
  PageSaid,
  TestAnswer,
  TestCaller,
  TestOptions,
  TestPageContext,
  TestPlugin,
  TestPluginWithoutPages,
} from './sdk/testing/contract.ts'
export { tryMigrations } from './sdk/testing/scratch-database.ts'
export { startTestPlugin } from './sdk/testing/start-test-plugin.ts'
