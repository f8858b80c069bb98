import type { PluginManifest } from '#sandbox'

/** One way of running into a limit from inside the plugin. */
export interface Trial {
  readonly limit: string
  readonly done: string
  /** The body of a handler `async (request, ctx, db)`. */
  readonly body: string
}

const text = (value: unknown): string => JSON.stringify(value)

/** What can be tried with the rights that a manifest asks for. */
export function trialsOf(manifest: PluginManifest): readonly Trial[] {
  const { capabilities, optionalCapabilities = [], http, db, events } = manifest
  const granted = new Set<string>([...capabilities, ...optionalCapabilities])
  const host = http?.hosts.find((each) => !each.host.startsWith('*'))
  const [table] = db?.tables ?? []
  const [event] = events?.publish ?? []
  return [
    { limit: 'cpuMs', done: 'an endless loop', body: 'for (;;);' },
    { limit: 'wallMs', done: 'a promise that never settles', body: 'await new Promise(() => undefined)' },
    {
      limit: 'memoryMb',
      done: 'arrays until there is no room',
      body: 'const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length))',
    },
    { limit: 'responseBytes', done: 'an answer of 2 MB', body: "return 'x'.repeat(2_097_152)" },
    {
      limit: 'hostCalls',
      done: '300 calls to the host',
      body: "for (let i = 0; i < 300; i++) await ctx.cache.get('a')",
    },
    { limit: 'logLines', done: '300 log lines', body: "for (let i = 0; i < 300; i++) ctx.log.info('a line')" },
    { limit: 'answer', done: 'an answer that has no JSON', body: 'return () => 1' },
    { limit: 'crash', done: 'an error that nobody expected', body: 'null.nothing' },
    ...(granted.has('http') ? httpTrials(host?.host, host?.ports?.[0], host?.methods?.[0]) : [withoutTrial('http')]),
    ...(granted.has('storage') ? storage : [withoutTrial('storage')]),
    ...(table === undefined ? [] : databaseTrials(table)),
    ...(event === undefined ? [] : eventTrials(event)),
  ]
}

function withoutTrial(capability: 'http' | 'storage'): Trial {
  const call = { http: "ctx.http.fetch({ url: 'https://example.com/' })", storage: "ctx.storage.get('a')" }[capability]
  return { limit: 'capability', done: `${capability}, which the manifest does not ask for`, body: `await ${call}` }
}

function httpTrials(host = 'example.com', port = 443, method = 'GET'): readonly Trial[] {
  const url = `${port === 443 ? 'https' : 'http'}://${host}:${port}/`
  return [
    {
      limit: 'http.hosts',
      done: 'a host that was not granted',
      body: "await ctx.http.fetch({ url: 'https://not-granted.invalid/' })",
    },
    {
      limit: 'httpCalls',
      done: '25 requests in a call',
      body: `for (let i = 0; i < 25; i++) await ctx.http.fetch({ url: ${text(url)}, method: ${text(method)} }).catch((error) => { if (error.code === 'rate_limited') throw error })`,
    },
  ]
}

const storage: readonly Trial[] = [
  { limit: 'storageKeyBytes', done: 'a key of 600 bytes', body: "await ctx.storage.put('k'.repeat(600), 'a')" },
  { limit: 'storage key', done: 'a key that leads out', body: "await ctx.storage.put('../../etc/passwd', 'a')" },
]

function databaseTrials(table: string): readonly Trial[] {
  return [
    { limit: 'rows', done: 'a select of 5,000 rows', body: `return await db.table(${text(table)}).limit(5_000)` },
    {
      limit: 'transactionStatements',
      done: '150 statements in a transaction',
      body: `await db.tx(async (tx) => { for (let i = 0; i < 150; i++) await tx.table(${text(table)}).count() })`,
    },
    { limit: 'db.tables', done: "somebody else's table", body: "return await db.table('users').count()" },
  ]
}

function eventTrials(event: string): readonly Trial[] {
  const publish = (payload: string): string => `await ctx.events.publish(${text(event)}, ${payload})`
  return [
    { limit: 'eventBytes', done: 'an event of 40 KB', body: publish("'x'.repeat(40_960)") },
    { limit: 'eventsPerMinute', done: '150 events', body: `for (let i = 0; i < 150; i++) ${publish('i')}` },
    {
      limit: 'events.publish',
      done: "somebody else's event",
      body: "await ctx.events.publish('other.plugin.made', 1)",
    },
  ]
}
