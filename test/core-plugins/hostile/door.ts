import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Answer } from '../../support/api.ts'
import { dataOf, forbiddenTexts, type HostilePlatform } from '../../support/hostile-platform.ts'
import { undisturbed } from '../../support/undisturbed.ts'
import { rawRequests, trickedPaths } from './requests.ts'

const api = '/tenant/plugins/evil.attacker/api'
const parallel = 48

/** What comes in from outside, malformed, forged or too much of it. */
export function attackTheDoor(platformOf: () => HostilePlatform): void {
  it('refuses what is no proper HTTP', async () => {
    for (const [name, text, answer] of rawRequests) {
      const got = await sendRaw(platformOf(), text)
      assert.match(got, answer, `${name}: ${got.slice(0, 300)}`)
      assert.equal((got.match(/^HTTP\/1\.1 /gm) ?? []).length, 1, `${name}: ${got.slice(0, 600)}`)
    }
  })

  it('serves others while requests stay half sent', async () => {
    const platform = platformOf()
    const port = Number(new URL(platform.host.url).port)
    const sockets = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
    for (const socket of sockets) socket.on('error', () => undefined).write('GET /api/public/health HTTP/1.1\r\nHost: ')
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    await undisturbed(platform, () => platform.demo.api.get(`${api}/ping`))
    for (const socket of sockets) socket.destroy()
  })

  it('refuses bodies that harm those behind', async () => {
    const { demo } = platformOf()
    const bodies: readonly (readonly [string | Buffer, number])[] = [
      ['{"code":', 4001],
      ['{"code":"return 1","__proto__":{"admin":true}}', 4001],
      ['{"code":"return 1","a":"\\u0000"}', 4001],
      ['{"code":"\\ud800"}', 4001],
      [Buffer.from([0x7b, 0xff, 0x7d]), 4001],
      ['['.repeat(50_000), 4001],
      [`{"code":"${' '.repeat(70_000)}"}`, 4130],
      [`{"code":"${' '.repeat(2_000_000)}"}`, 4130],
    ]
    for (const [body, code] of bodies) {
      const answer = await demo.api.post(`${api}/run`, body, { headers: { 'content-type': 'application/json' } })
      assert.equal(answer.body['code'], code, `${String(body).slice(0, 60)}: ${JSON.stringify(answer.body)}`)
    }
  })

  it('reads a path once, and a parameter as what it says', async () => {
    const { demo } = platformOf()
    for (const [path, code] of trickedPaths) {
      const text = await sendRaw(platformOf(), rawGet(path, demo.api.token))
      assert.match(text, new RegExp(`"code":${code}`), `${path}: ${text.slice(-300)}`)
    }
    const item = dataOf(await demo.api.get(`${api}/items/..%2F..%2Fetc%2Fpasswd`))
    assert.deepEqual(item, { path: '/items/..%2F..%2Fetc%2Fpasswd', params: { key: '../../etc/passwd' } })
  })

  it('does what the method says and no header instead', async () => {
    const { demo } = platformOf()
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-method-override': 'DELETE',
      'x-original-url': '/admin/users',
    }
    assert.equal(dataOf(await demo.api.get(`${api}/ping?_method=DELETE`, { headers })), 'pong')
  })

  it('takes no tenant and no address from headers that anybody can write', async () => {
    const { demo, other } = platformOf()
    const path = '/api/public/plugins/evil.attacker/api/echo'
    const forged = {
      'x-forwarded-host': 'demo.localhost',
      'x-forwarded-for': '10.0.0.1',
      forwarded: 'host=demo.localhost',
    }
    for (const host of [
      'evil.example.com',
      'demo.localhost.evil.example.com',
      'demo.localhost@evil.example.com',
      '%00',
      '',
    ]) {
      const answer = await demo.api.post(path, {}, { headers: forged, host: host || 'x' })
      assert.ok(answer.status === 400 || answer.status === 404, `${host}: ${JSON.stringify(answer.body)}`)
      assert.equal(JSON.stringify(answer.headers).includes('evil.example.com'), false)
    }
    const asked = { code: 'return ctx.tenant.id' }
    const own = await other.api.post(`${api}/run`, asked, {
      headers: { ...forged, 'x-tenant-id': String(demo.tenantId) },
      host: 'demo.localhost',
    })
    assert.equal(dataOf(own), other.tenantId)
  })

  it('admits nobody with a token that is not for them, on any path there is', async () => {
    const { admin, demo } = platformOf()
    const { paths } = (await admin.get('/openapi.json')).body as unknown as {
      paths: Record<string, Record<string, { security?: readonly object[] }>>
    }
    const closed = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { security = [] }]) =>
        security.length > 0 && !security.some((way) => Object.keys(way).length === 0) ? [[method, path] as const] : [],
      ),
    )
    assert.ok(closed.length > 60, String(closed.length))
    const [head = '', claims = '', signature = ''] = String(demo.api.token).split('.')
    const changed = (part: string, changes: object): string => {
      const value = JSON.parse(Buffer.from(part, 'base64url').toString()) as object
      return Buffer.from(JSON.stringify({ ...value, ...changes })).toString('base64url')
    }
    const admitted = { scope: 'platform', tenant_id: 0, roles: ['super_admin'], user_id: 1 }
    const forged = {
      none: `${changed(head, { alg: 'none' })}.${changed(claims, admitted)}.`,
      unsigned: `${changed(head, { alg: 'none' })}.${claims}.${signature}`,
      changed: `${head}.${changed(claims, admitted)}.${signature}`,
      key: `${changed(head, { kid: '../../../../dev/null' })}.${claims}.${signature}`,
      jwk: `${changed(head, { jwk: { kty: 'oct', k: 'AA' } })}.${changed(claims, admitted)}.${signature}`,
      empty: '..',
      nonsense: 'undefined',
    }
    for (const [method, path] of closed) {
      const url = path.replace(/\{\w+\}/g, '1')
      const call = async (token: string): Promise<unknown> => {
        const verb = method.toUpperCase() as 'GET'
        const answer = await demo.api.call(verb, url, { token, ...(verb === 'GET' ? {} : { body: {} }) })
        return answer.status
      }
      const kinds = method === 'get' ? Object.entries(forged) : Object.entries(forged).slice(0, 1)
      for (const [kind, token] of kinds) assert.equal(await call(token), 401, `${kind} ${method} ${path}`)
      if (path.startsWith('/tenant/')) assert.equal(await call(String(admin.token)), 403, `platform ${method} ${path}`)
      // Administrators of tenants see their own part of the AI area there.
      const isPlatforms = path.startsWith('/admin/') && !path.startsWith('/admin/ai/')
      if (isPlatforms) assert.equal(await call(String(demo.api.token)), 403, `tenant ${method} ${path}`)
    }
  })

  it('shows a tenant nothing of another under any number', async () => {
    const { demo, other } = platformOf()
    const found = dataOf(await demo.api.get('/tenant/users'))['items'] as unknown as { id: number }[]
    for (const { id } of found) {
      const answers = [await other.api.get(`/tenant/users/${id}`), await other.api.delete(`/tenant/users/${id}`)]
      for (const { status } of answers) assert.ok(status === 404 || status === 405, String(status))
    }
  })

  it('lets so many calls in at once and refuses the others', async () => {
    const platform = platformOf()
    const { demo } = platform
    const code = 'await new Promise(() => {})'
    const calls = (): Promise<number[]> =>
      Promise.all(
        Array.from({ length: parallel }, async () =>
          Number((await demo.api.post(`${api}/wait`, { code })).body['code']),
        ),
      )
    // Four of a flood reach the limit; the breaker opens at the fifth, once they are a tenth of what was called within a minute.
    const codes: number[] = []
    let refused: Answer | undefined
    for (let flood = 0; flood < 10 && refused?.status !== 503; flood++) {
      codes.push(...(await undisturbed(platform, calls)))
      refused = await demo.api.get(`${api}/ping`)
    }
    const kinds = [...new Set(codes)].sort()
    assert.ok(kinds.includes(4298) && kinds.includes(5040), kinds.join())
    assert.deepEqual(
      kinds.filter((kind) => ![4298, 5035, 5040].includes(kind)),
      [],
    )
    assert.deepEqual(
      [refused?.status, refused?.body['code'], refused?.body['details'], refused?.headers['retry-after']],
      [503, 5035, { cause: 'breaker_open' }, '30'],
    )
  })

  it('lets one caller in so many times a minute', async () => {
    const { other } = platformOf()
    const codes: unknown[] = []
    for (let count = 0; count < 5; count++) codes.push((await other.api.get(`${api}/limited`)).body['code'])
    assert.deepEqual(codes.slice(3), [4299, 4299])
  })

  it('tells nothing of itself in all of this', async () => {
    const { host, dataDir, demo } = platformOf()
    const forbidden = await forbiddenTexts(dataDir)
    const answers = await Promise.all(
      ['/', '/.env', '/.git/config', '/secrets.json', '/api/public/storage/..%2f..%2fsecrets.json', '/metrics'].map(
        (path) => demo.api.get(path),
      ),
    )
    for (const answer of answers) {
      const text = JSON.stringify([answer.headers, answer.body])
      for (const secret of forbidden) assert.equal(text.includes(secret), false, `${secret} in ${text.slice(0, 300)}`)
      assert.equal(/koa|express|node/i.test(JSON.stringify(answer.headers)), false)
    }
    assert.ok(process.kill(host.pid, 0))
  })
}

function rawGet(path: string, token: string | undefined): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`
}

/** Sends bytes and gives back all that comes until the connection ends, or nothing more comes for a while. */
async function sendRaw({ host }: HostilePlatform, text: string): Promise<string> {
  const socket = connect(Number(new URL(host.url).port), '127.0.0.1')
  socket.setTimeout(1_000, () => socket.destroy())
  socket.on('error', () => undefined).write(text)
  let answer = ''
  socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk))
  await once(socket, 'close')
  return answer
}
