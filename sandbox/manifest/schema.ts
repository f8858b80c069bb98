import { capabilities as known } from '../capabilities/table.ts'
import { sandboxLimits } from '../limits.ts'
import { provided } from './schema-provided.ts'
import {
  locale,
  anyObject,
  exportName,
  filePath,
  list,
  localised,
  matching,
  object,
  oneOf,
  record,
  shortName,
  slug,
  text,
  versionRange as range,
  webAddress,
  whole,
  type Schema,
} from './schema-parts.ts'
import { configItem } from './schema-config.ts'
import { routeMethods } from './vocabulary.ts'

const boolean: Schema = { type: 'boolean' }
const capabilities = list({ type: 'string', enum: known }, known.length)
const area = oneOf(['tenant', 'admin'])
const timeoutMs = (most: number) => whole(100, most)

const route = {
  method: oneOf(routeMethods),
  path: text(200),
  handler: exportName,
  summary: text(200),
  timeoutMs: timeoutMs(sandboxLimits.wallMs.max),
  maxBodyKb: whole(1, sandboxLimits.requestBytes.max / 1024),
  rawBody: boolean,
  body: oneOf(['multipart', 'file']),
  stream: boolean,
  maxFiles: whole(1, sandboxLimits.uploadFiles.max),
  maxFileMb: whole(1, sandboxLimits.uploadMb.max),
  rate: object({ perUserPerMinute: whole(1, 6_000), perIpPerMinute: whole(1, 6_000) }),
}
const guardedRoutes = list(
  object({ ...route, permission: shortName(31), auth: { const: 'user' } }, ['method', 'path', 'handler']),
  200,
)
const publicRoutes = list(object({ ...route, auth: { const: 'none' } }, ['method', 'path', 'handler', 'auth']), 100)

const httpHost = object(
  {
    host: text(253),
    ports: list(whole(1, 65_535), 16, 1),
    methods: list({ type: 'string', enum: [...routeMethods, 'HEAD'] }, 6, 1),
    reason: text(300),
  },
  ['host'],
)

const slot = object(
  {
    slot: oneOf(['header_widget', 'dashboard_widget', 'settings_tab', 'floating_panel', 'page', 'notification_ui']),
    id: slug,
    entry: filePath(/^ui\/([A-Za-z0-9_@][A-Za-z0-9._@-]*\/)*[A-Za-z0-9_@][A-Za-z0-9._@-]*\.html$/),
    title: localised(100),
    permission: shortName(31),
    size: object({ w: whole(1, 12), h: whole(1, 12) }, ['w', 'h']),
    area,
  },
  ['slot', 'id', 'entry'],
)

const menuEntry = object(
  { id: slug, title: localised(100), slot: slug, area, order: whole(-10_000, 10_000), icon: slug },
  ['id', 'title', 'slot', 'area'],
)

const schedule = object(
  {
    id: slug,
    cron: text(100),
    timezone: text(64),
    handler: exportName,
    timeoutMs: timeoutMs(sandboxLimits.scheduleWallMs.max),
    perTenant: boolean,
  },
  ['id', 'cron', 'handler'],
)

const job = object(
  {
    name: slug,
    handler: exportName,
    title: localised(100),
    timeoutMs: timeoutMs(sandboxLimits.jobStepMs.max),
    minutes: whole(1, sandboxLimits.jobMinutes.max),
  },
  ['name', 'handler'],
)

const mailTemplate = object(
  {
    // With the name of any plugin before it, it still is a key of what users switch off.
    name: shortName(56),
    subject: localised(150),
    body: localised(5_000),
    values: list(matching(/^[a-z][a-zA-Z0-9_]*$/, 32), 30),
  },
  ['name', 'subject', 'body'],
)

const preference = object({ key: shortName(40), title: localised(100), schema: anyObject, default: {} }, [
  ...['key', 'title', 'schema', 'default'],
])

const hook = exportName
const licenceKeys = list(matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 64), 10)

/** The JSON Schema of manifest.json, version 1: shapes, bounds and closed lists. What one field says of another is in `rules/`. */
export const manifestSchema: Schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'manifest.json of a Stoa plugin, version 1',
  ...object(
    {
      manifestVersion: { const: 1 },
      name: text(64),
      version: text(64),
      publisher: text(64),
      title: localised(100),
      description: localised(1_000),
      icon: oneOf(['icon.png', 'icon.webp']),
      license: matching(/^[A-Za-z0-9][A-Za-z0-9.+() -]*$/, 100),
      homepage: webAddress,
      repository: webAddress,
      support: matching(/^(https:\/\/[^\s@]+|mailto:[^\s@]+@[^\s@]+)$/, 500),
      categories: list(slug, 10),
      keywords: list(text(50), 20),
      engines: object({ host: range, sdk: range }, ['host']),
      requires: record(text(64), range, 20),
      conflicts: record(text(64), range, 50),
      hostModules: list(text(200), 20),
      main: filePath(/^dist\/[A-Za-z0-9_][A-Za-z0-9._-]*\.js$/),
      scope: oneOf(['platform', 'tenant']),
      minTrust: oneOf(['official', 'verified', 'community', 'local', 'unsigned']),
      capabilities,
      optionalCapabilities: capabilities,
      reasons: record(text(64), text(300), 2 * known.length),
      http: object({ hosts: list(httpHost, 50) }, ['hosts']),
      storage: object({
        quotaMb: whole(1, sandboxLimits.storageQuotaMb.max),
        maxObjectMb: whole(1, sandboxLimits.storageObjectMb.max),
      }),
      db: object(
        {
          tables: list(shortName(31), 50, 1),
          migrations: { const: 'migrations/' },
          rowsHint: whole(0, sandboxLimits.tableRows.max),
        },
        ['tables'],
      ),
      events: object({ publish: list(text(128), 50), subscribe: list(text(128), 50) }),
      config: list(configItem, 100),
      preferences: list(preference, 50),
      permissions: list(object({ code: shortName(31), title: localised(100) }, ['code', 'title']), 100),
      admin_routes: guardedRoutes,
      tenant_routes: guardedRoutes,
      public_routes: publicRoutes,
      slots: list(slot, 50),
      menu: list(menuEntry, 50),
      schedules: list(schedule, sandboxLimits.schedules.max),
      jobs: list(job, sandboxLimits.jobs.max),
      mail: object({ templates: list(mailTemplate, 50, 1), perDay: whole(1, sandboxLimits.mailsPerDay.max) }, [
        'templates',
      ]),
      uses: record(matching(/^[a-z][a-z0-9.-]*\/[a-z][a-z0-9_-]*$/, 128), range, 20),
      provides: provided,
      hooks: object({
        postInstall: hook,
        enable: hook,
        disable: hook,
        upgrade: hook,
        uninstall: hook,
        selfTest: hook,
      }),
      upgrade: object({ from: range, breakingSchema: boolean, onHookFailure: oneOf(['rollback', 'continue']) }),
      licensing: object(
        {
          type: oneOf(['free', 'commercial']),
          trialDays: whole(0, 365),
          graceDays: whole(0, 90),
          features: list(slug, 100),
          keys: licenceKeys,
        },
        ['type'],
      ),
      limits: object({
        memoryMb: whole(sandboxLimits.memoryMb.default, sandboxLimits.memoryMb.max),
        cpuMs: whole(1, sandboxLimits.cpuMs.max),
        wallMs: whole(100, sandboxLimits.wallMs.max),
        concurrency: whole(1, sandboxLimits.concurrency.max),
      }),
      locales: list({ type: 'string', maxLength: 16, pattern: `^default$|${locale.source}` }, 40),
      readme: record({ type: 'string', maxLength: 16 }, filePath(/^README[A-Za-z0-9._-]*\.md$/), 40),
    },
    [
      ...['manifestVersion', 'name', 'version', 'publisher', 'title', 'description', 'license', 'engines'],
      ...['main', 'scope', 'capabilities'],
    ],
  ),
}
