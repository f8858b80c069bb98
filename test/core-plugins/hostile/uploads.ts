import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import type { Answer } from '../../support/api.ts'
import { dataOf, listPlugins, uploadPackage, type HostilePlatform } from '../../support/hostile-platform.ts'
import { packSources } from '../../support/packages.ts'
import { until } from '../../support/until.ts'
import { undisturbed } from '../../support/undisturbed.ts'
import { sampleEntries, sampleManifest } from '../../marketplace/sample-package.ts'
import { buildZip, type ForgedEntry } from '../../marketplace/zip-builder.ts'

const patienceMs = 5_000
/** A loop ends by its CPU time, which a machine that serves others gives late. */
const refusalMs = 50_000
const megabyte = 1_048_576
const sampleName = 'acme.sample'

const withEntry = (entry: ForgedEntry): Buffer => buildZip([...sampleEntries(), entry])
const withModule = (module: string): Buffer =>
  buildZip([{ path: 'dist/index.js', data: module }, ...sampleEntries().slice(1)])
const withManifest = (changes: Readonly<Record<string, unknown>>): Buffer => buildZip(sampleEntries(changes))
const withText = (manifest: string): Buffer =>
  buildZip([...sampleEntries().slice(0, 1), { path: 'manifest.json', data: manifest }])

const packages: Readonly<Record<string, [code: number, make: () => Buffer]>> = {
  nothing: [4009, () => Buffer.alloc(0)],
  'no zip': [4009, () => Buffer.from('no zip at all')],
  'half a zip': [4009, () => buildZip(sampleEntries()).subarray(0, 200)],
  'a climb out of the folder': [4009, () => withEntry({ path: '../../../escaped.js', data: 'x' })],
  'an absolute path': [4009, () => withEntry({ path: '/tmp/escaped.js', data: 'x' })],
  'a symbolic link': [4009, () => withEntry({ path: 'ui/escaped', data: '/etc/passwd', mode: 0o120777 })],
  'a bomb': [4009, () => withEntry({ path: 'ui/bomb', data: Buffer.alloc(19 * megabyte), method: 8 })],
  'a bomb that lies': [
    4009,
    () => withEntry({ path: 'ui/bomb', data: Buffer.alloc(19 * megabyte), method: 8, size: 9 }),
  ],
  'a path of 16,000 folders': [4009, () => withEntry({ path: `ui/${'a/'.repeat(16_000)}a` })],
  'a wrong checksum': [4009, () => withEntry({ path: 'ui/a', data: 'x', crc: 1 })],
  'more than 20 MB': [4130, () => Buffer.alloc(21 * megabyte)],
  'a signature of somebody unknown': [4009, () => withEntry({ path: 'META/signature.json', data: '{"alg":"none"}' })],
  'a manifest that is no JSON': [4227, () => withText('{')],
  'a manifest with a key twice': [4227, () => withText('{"name":"a.b","name":"c.d"}')],
  'a manifest with a prototype': [4227, () => withText('{"__proto__":{"admin":true}}')],
  'a manifest of any depth': [4227, () => withText('['.repeat(100_000))],
  'a name of the platform': [4227, () => withManifest({ name: 'admin.users', publisher: 'admin' })],
  'a name that climbs': [4227, () => withManifest({ name: '../../x' })],
  'an unknown capability': [4227, () => withManifest({ capabilities: ['root'], reasons: { root: 'please' } })],
  'an address as a host': [
    4227,
    () =>
      withManifest({
        capabilities: ['http'],
        reasons: { http: 'x' },
        http: { hosts: [{ host: '169.254.169.254', ports: [80], methods: ['GET'], reason: 'x' }] },
      }),
  ],
  'a route that climbs': [
    4227,
    () => withManifest({ tenant_routes: [{ method: 'GET', path: '/../../admin', handler: 'a' }] }),
  ],
  'a pattern that backtracks': [
    4227,
    () =>
      withManifest({
        capabilities: ['config'],
        reasons: { config: 'x' },
        config: [{ key: 'a', type: 'STRING', scope: 'tenant', label: { default: 'A' }, rules: { pattern: '^(a+)+$' } }],
      }),
  ],
  'a module that never ends': [4009, () => withModule('for (;;);')],
  'a module that ends in no built-in': [4009, () => withModule('new Array(1e9).fill(1).indexOf(2)')],
  'a module that waits for ever': [
    4009,
    () => withModule('await new Promise(() => {}); export default { handlers: {} }'),
  ],
  'a module that throws': [4009, () => withModule('throw new Error("no")')],
  'a module that throws what loops': [
    4009,
    () => withModule('throw Object.defineProperty(new Error("x"), "stack", { get() { for (;;); } })'),
  ],
  'a module that fills the memory': [4009, () => withModule('const a = []; for (;;) a.push(new Array(1e5).fill(1))')],
  'a module that imports the host': [4009, () => withModule('import "node:fs"; export default { handlers: {} }')],
  'a module without a handler that it promises': [
    4009,
    () => withManifest({ tenant_routes: [{ method: 'GET', path: '/a', handler: 'absent' }] }),
  ],
}

/** Packages that must not get in, and ways to send one that must leave nothing. */
export function uploadHarm(platformOf: () => HostilePlatform): void {
  async function nothingIsLeft(): Promise<void> {
    const { dataDir, admin } = platformOf()
    await until(async () => (await readdir(path.join(dataDir, 'staging')).catch(() => [])).length === 0)
    const files = await readdir(dataDir, { recursive: true })
    assert.deepEqual(
      files.filter((file) => file.includes('escaped') && !file.startsWith('storage/')),
      [],
    )
    assert.deepEqual(
      files.filter((file) => file.startsWith(`packages/${sampleName}/`)),
      [],
    )
    const names = (await listPlugins(admin)).map(({ name }) => name).sort()
    assert.deepEqual(names, ['acme.shop-orders', 'evil.attacker', 'evil.twin', 'good.neighbour'])
  }

  for (const [name, [code, make]] of Object.entries(packages)) {
    it(`refuses ${name}`, async () => {
      const platform = platformOf()
      const content = make()
      const since = performance.now()
      const answer = await undisturbed(platform, () => uploadPackage(platform.admin, content))
      const took = performance.now() - since
      assert.ok(took < refusalMs, `took ${Math.round(took)} ms`)
      assert.deepEqual([answer.status, answer.body['code']], [Math.floor(code / 10), code], JSON.stringify(answer.body))
      await nothingIsLeft()
    })
  }

  it('takes one of two uploads of the same plugin at once', async () => {
    const { admin } = platformOf()
    const content = await packSources(sampleManifest(), 'export default { handlers: {} }')
    const answers = await Promise.all([uploadPackage(admin, content), uploadPackage(admin, content)])
    const codes = answers.map(({ body }) => Number(body['code'])).sort()
    assert.equal(codes[0], 0)
    assert.ok(codes[1] === 4092 || codes[1] === 4091, JSON.stringify(answers.map(({ body }) => body)))
    dataOf(await admin.delete(`/admin/plugins/${sampleName}?purge=true`))
    await nothingIsLeft()
  })

  it('keeps nothing of an upload that breaks off, or is not what it says', async () => {
    const { admin, host } = platformOf()
    const head = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n`
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
    const upload = (body: string, headers: Record<string, string> = multipart): Promise<Answer> =>
      admin.call('POST', '/admin/plugins/upload', { body, headers, signal: AbortSignal.timeout(patienceMs) })
    const answers = [
      await upload(`${head}PK`),
      await upload('--x--\r\n'),
      await upload(`${head.replace('"file"', '"other"')}PK\r\n--x--\r\n`),
      await upload(`${head}PK\r\n${head}PK\r\n--x--\r\n`),
      await upload('no boundary', { 'content-type': 'multipart/form-data' }),
      await upload('{}', { 'content-type': 'application/json' }),
    ]
    assert.deepEqual(
      answers.map(({ body }) => body['code']),
      [4001, 4220, 4220, 4130, 4001, 4150],
    )
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
    socket.write(
      `POST /admin/plugins/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin.token}\r\n` +
        `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n${head}${'P'.repeat(200_000)}`,
    )
    await until(async () => (await readdir(path.join(platformOf().dataDir, 'staging')).catch(() => [])).length > 0)
    socket.destroy()
    await nothingIsLeft()
  })
}
