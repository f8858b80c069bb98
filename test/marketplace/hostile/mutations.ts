import { sampleManifest } from '../sample-package.ts'

/** A manifest with every section there is, but for those with schemas, which take long to compile. */
const full = sampleManifest({
  homepage: 'https://a.test',
  repository: 'https://a.test',
  support: 'mailto:a@a.test',
  icon: 'icon.png',
  categories: ['a'],
  keywords: ['a'],
  engines: { host: '^1.0.0', sdk: '^1.0.0' },
  requires: { 'acme.base': '*' },
  conflicts: { 'acme.old': '*' },
  minTrust: 'community',
  capabilities: ['http', 'storage', 'db:own_tables', 'events', 'schedule', 'config', 'ui', 'license'],
  optionalCapabilities: ['notify'],
  reasons: Object.fromEntries(
    ['http', 'storage', 'db:own_tables', 'events', 'schedule', 'config', 'ui', 'license', 'notify'].map((name) => [
      name,
      'because',
    ]),
  ),
  http: { hosts: [{ host: 'api.example.com', ports: [443], methods: ['GET'], reason: 'a' }] },
  storage: { quotaMb: 1, maxObjectMb: 1 },
  db: { tables: ['a'], migrations: 'migrations/', rowsHint: 1 },
  events: { publish: ['acme.sample.a'], subscribe: ['acme.sample.a'] },
  config: [
    { key: 'a', type: 'SELECT', scope: 'tenant', label: { default: 'A' }, options: ['a'], required: true },
    { key: 'b', type: 'STRING', scope: 'tenant', rules: { min_length: 1, max_length: 2, pattern: '^a$' } },
  ],
  permissions: [{ code: 'read', title: { default: 'Read' } }],
  admin_routes: [{ method: 'GET', path: '/a', handler: 'a', permission: 'read', auth: 'user', summary: 'A' }],
  tenant_routes: [{ method: 'GET', path: '/a', handler: 'a', timeoutMs: 100, maxBodyKb: 1, rawBody: true }],
  public_routes: [{ method: 'GET', path: '/a', handler: 'a', auth: 'none', rate: { perIpPerMinute: 1 } }],
  slots: [{ slot: 'page', id: 'a', entry: 'ui/a.html', title: { default: 'A' }, size: { w: 1, h: 1 }, area: 'tenant' }],
  menu: [{ id: 'a', title: { default: 'A' }, slot: 'a', area: 'tenant', order: 1, icon: 'a' }],
  schedules: [{ id: 'a', cron: '0 0 * * *', timezone: 'UTC', handler: 'a', timeoutMs: 100, perTenant: true }],
  hooks: { postInstall: 'a', enable: 'a', disable: 'a', upgrade: 'a', uninstall: 'a', selfTest: 'a' },
  upgrade: { from: '*', breakingSchema: false, onHookFailure: 'rollback' },
  licensing: { type: 'commercial', trialDays: 1, graceDays: 1, features: ['a'], keys: ['a'] },
  limits: { memoryMb: 128, cpuMs: 1, wallMs: 100, concurrency: 1 },
  locales: ['default', 'zh-CN'],
  readme: { default: 'README.md' },
})

const schemas = {
  preferences: [{ key: 'a', title: { default: 'A' }, schema: { type: 'string' }, default: 'a' }],
  provides: {
    aiTools: [
      {
        ...{
          name: 'a',
          title: { default: 'A' },
          description: { default: 'A' },
          input: { type: 'object' },
          handler: 'a',
        },
        ...{ effect: 'read', confirm: 'never', permission: 'read', timeoutMs: 100, quotaCost: 1 },
      },
    ],
  },
}
/** A manifest with the sections that have schemas. */
const withSchemas = sampleManifest({
  capabilities: ['ai:tool'],
  reasons: { 'ai:tool': 'because' },
  permissions: [{ code: 'read', title: { default: 'Read' } }],
  ...schemas,
})

const wrong: readonly unknown[] = [null, true, 0, -1, 1.5, 1e308, '', 'constructor', [], [null], [[]], {}, { a: 1 }]
/** Values of free form: any JSON is right there. */
const free = /^preferences\.\d+\.default$/
/** Objects with names of their own: another name is another matter. */
const freeKeys = /^(requires|conflicts|reasons|readme)$|\.(schema|input)$/

type Node = unknown
type Path = readonly (string | number)[]

/** Manifests with one member of another type, one member more, or one that is required less, as text. */
export function* mutatedManifests(): Generator<{ readonly what: string; readonly text: string }> {
  yield* mutated(full, [...pathsOf(full)])
  yield* mutated(
    withSchemas,
    Object.entries(schemas).flatMap(([name, section]) => [...pathsOf(section, [name])]),
  )
}

/** The manifests that are valid, of which the others differ. */
export const unmutatedManifests: readonly string[] = [full, withSchemas].map((manifest) => JSON.stringify(manifest))

function* mutated(manifest: Node, paths: readonly Path[]): ReturnType<typeof mutatedManifests> {
  for (const path of paths) {
    const where = path.join('.')
    const value = at(manifest, path)
    if (!free.test(where)) {
      for (const other of wrong) {
        if (kindOf(other) === kindOf(value) || (kindOf(other) === 'list' && !Array.isArray(other))) continue
        yield { what: `${where} = ${JSON.stringify(other)}`, text: textOf(manifest, path, other) }
      }
    }
    if (kindOf(value) !== 'object' || freeKeys.test(where)) continue
    for (const name of ['unknown', 'constructor', 'toString', '__proto__', 'Name', ' name', 'name ', ''])
      yield { what: `${where} with ${name}`, text: textOf(manifest, path, value, `${JSON.stringify(name)}:1`) }
  }
}

function* pathsOf(node: Node, path: Path = []): Generator<Path> {
  yield path
  if (typeof node !== 'object' || node === null) return
  for (const [key, member] of Object.entries(node))
    yield* pathsOf(member, [...path, Array.isArray(node) ? Number(key) : key])
}

function at(node: Node, path: Path): Node {
  return path.reduce<Node>((inner, key) => (inner as Record<string | number, Node>)[key], node)
}

/** The manifest as text with another value at a path, and a member before those of that value. */
function textOf(manifest: Node, path: Path, value: Node, member = ''): string {
  const write = (node: Node, depth: number): string => {
    const [key] = path.slice(depth)
    if (key === undefined)
      return member
        ? JSON.stringify(value).replace(/^{/, value && Object.keys(value).length ? `{${member},` : `{${member}`)
        : JSON.stringify(value)
    const parts = Object.entries(node as object).map(([name, inner]) => {
      const text = name === String(key) ? write(inner, depth + 1) : JSON.stringify(inner)
      return Array.isArray(node) ? text : `${JSON.stringify(name)}:${text}`
    })
    return Array.isArray(node) ? `[${parts.join()}]` : `{${parts.join()}}`
  }
  return write(manifest, 0)
}

function kindOf(value: Node): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value
}
