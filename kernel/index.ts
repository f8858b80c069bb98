export type { Bus } from './data/bus.ts'
export type { Cache } from './data/cache.ts'
export { positionOf } from './data/event-log/event-id.ts'
export type { EventLog, LoggedEvent } from './data/event-log/event-log.ts'
export type { Changes } from './data/change-feed.ts'
export type { Locks } from './data/lock.ts'
export type { RateLimiter } from './data/rate-limiter.ts'
export type { WindowCounter } from './data/window-counter.ts'
export { databaseConnection, type DatabaseConnection } from './data/connection.ts'
export { applyDataScope, type DataScopeColumns, type DataScopePlan } from './data/data-scope.ts'
export { openDatabase, type Database } from './data/database.ts'
export { OutcomeUnknownError, StorageFullError, TransactionFailedError } from './data/errors.ts'
export { startEmbeddedPostgres } from './data/embedded-postgres.ts'
export { createMemoryCache } from './data/memory-cache.ts'
export { MemoryRateLimiter } from './data/memory-rate-limiter.ts'
export { migrate } from './data/migrate.ts'
export { noteChanges } from './data/note-changes.ts'
export { PlatformModel } from './data/platform-model.ts'
export { kernelSealedColumns, rotateSecrets, type ColumnRotation, type SecretRotation } from './data/rotate-secrets.ts'
export { createSecretBox, generateFernetKey, DecryptError, type SecretBox } from './data/secret-box.ts'
export { TenantModel } from './data/tenant-model.ts'
export { codeOf, surroundingsError } from './data/surroundings.ts'
export { enableTenantRows } from './data/tenant-rows.ts'
export { lockUntilCommit } from './data/transaction-lock.ts'
export { allowTime, runLong } from './data/transaction-time.ts'
export { ownerOf } from './owner.ts'
export { readEnvironment, type Environment } from './env.ts'
export { StartError } from './start-error.ts'
export { tenantsClosed, tenantsCreated, tenantsDeleted, tenantsUpdated } from './tenant-events.ts'
export {
  type FieldError,
  AppError,
  type AppErrorClass,
  defineError,
  SaidError,
  sayError,
  BadRequestError,
  MalformedBodyError,
  UnauthenticatedError,
  PermissionDeniedError,
  DataScopeError,
  ScopeMismatchError,
  TenantInactiveError,
  NotFoundError,
  TenantNotRecognisedError,
  RouteNotFoundError,
  MethodNotAllowedError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  TooManyPartsError,
  ValidationFailedError,
  ParamsInvalidError,
  PreconditionFailedError,
  RateLimitedError,
  InternalError,
  UnavailableError,
} from './errors.ts'
export { defineEvent, kernelStarted, kernelStopping, pluginDisabled, pluginEnabled, type EventRef } from './event.ts'
export { ExpiringMap } from './expiring-map.ts'
export { EgressError } from './http/egress/egress-error.ts'
export { createGuardedAgent, type GuardedAgentOptions } from './http/egress/guarded-agent.ts'
export * from './http/egress/guarded-fetch.ts'
export * from './http/egress/guarded-socket.ts'
export type { GuardedStream } from './http/egress/guarded-stream.ts'
export { isPublicAddress } from './http/egress/public-address.ts'
export { versionOfText } from './http/etag.ts'
export { absentRoutes, type AbsentRoutes, type StandIn } from './http/absent-routes.ts'
export { withAlias } from './http/alias.ts'
export { apiDocument, type ApiDocument } from './http/openapi/document.ts'
export { ipLimitKey } from './http/ip.ts'
export * from './http/list.ts'
export * from './http/list-filters.ts'
export { cursorOf, cursorQuery, deletedBody, pageOf, pageQuery, periodQuery } from './http/list-schemas.ts'
export { appliedAsync, prefersAsync } from './http/prefer.ts'
export {
  type ServerEvent,
  Reply,
  data,
  created,
  accepted,
  withEtag,
  jsonTextWithEtag,
  jsonText,
  bare,
  raw,
  redirect,
  eventStream,
} from './http/reply.ts'
export {
  type Schema,
  type RateLimit,
  type RequestState,
  type RouteContext,
  type RouteAuth,
  type Route,
  defineRoute,
  type UploadedFile,
} from './http/route.ts'
export type { Socket } from './http/sockets/socket.ts'
export type { SocketContext, SocketRoute } from './http/sockets/socket-route.ts'
export { compileSchemaCheck } from './http/schema-check.ts'
export { errorForms, type ErrorForms } from './http/error-forms.ts'
export { originPolicy, type OriginPolicy } from './http/origin-policy.ts'
export { trustedProxies, type TrustedProxies } from './http/trusted-proxies.ts'
export { endsWithin } from './ends-within.ts'
export * from './identity.ts'
export type { Kernel } from './kernel.ts'
export { textTeller, type TextTeller } from './locale/text-teller.ts'
export { joinMessages } from './locale/message-table.ts'
export { loadLanguages, loadTexts, type Translation } from './locale/load-texts.ts'
export { chooseLocale, defaultLocale, locales, pickText, toldIn, type Locale, type Localised } from './locale/locale.ts'
export { createLogger, type Logger } from './log.ts'
export { createOneTimeToken, hashOneTimeToken } from './one-time-token.ts'
export { processMetrics, type MetricFamily, type MetricSample, type ProcessMetrics } from './metrics.ts'
export { requirePermission, tenantNeeds } from './require-permission.ts'
export { platformVersion } from './platform-version.ts'
export {
  type PermissionDeclaration,
  type Permission,
  type PermissionRegistry,
  permissionRegistry,
  coversPermission,
  compilePermissionCheck,
} from './permission.ts'
export {
  type Needed,
  type MenuDeclaration,
  type ConfigItemDeclaration,
  type ConfigGroupDeclaration,
  type Manifest,
  type Plugin,
  type Scope,
  type PluginHost,
  pluginHost,
  definePlugin,
} from './plugin.ts'
export { configTypes, type ConfigType } from './config-types.ts'
export { calendarSteps, calendarWindow, type CalendarUnit } from './calendar.ts'
export { DeclarationError } from './programming-errors.ts'
export { defineService, type ServiceRef, type ServiceTable } from './service.ts'
export { OutageLog } from './outage-log.ts'
export { fillTemplate, saidOf, shortenSaid, type Said, type TextValues } from './said.ts'
export { createSortableId } from './sortable-id.ts'
export { startKernel } from './start-kernel.ts'
export { startFault } from './start-fault.ts'
export { isTimeZone } from './time-zone.ts'
export { withoutEffect } from './without-effect.ts'
