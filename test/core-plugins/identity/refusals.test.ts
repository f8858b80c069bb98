import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { configure } from '../../support/auth.ts'
import { startTestPlatform, type TestPlatform } from '../../support/identity.ts'
import { refusals, type RefusalWorld } from './refusals-cases.ts'

const jwtKey = randomBytes(32).toString('base64url')
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
}

interface Problem {
  readonly message: string
  readonly trace_id: string
  readonly errors?: unknown
  readonly details?: { readonly retry_after?: number; readonly permission?: string }
}

describe('a refusal', () => {
  let platform: TestPlatform
  let world: RefusalWorld
  before(async () => {
    platform = await startTestPlatform({ env: { JWT_KEYS: `k1:${jwtKey}` } })
    await configure(platform.admin, 'admin', 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
    let calls = 0
    world = {
      platform,
      jwtKey,
      acme: await platform.createTenant('acme'),
      send(method, path, { body, by = platform.test.api, ip, headers } = {}) {
        calls += 1
        const address = ip ?? `10.6.${calls >> 8}.${calls & 255}`
        const wishes = { accept: 'application/problem+json', 'accept-language': 'zh-CN', 'x-forwarded-for': address }
        return by.call(method, path, { body, headers: { ...wishes, ...headers } })
      },
    }
  })
  after(() => platform[Symbol.asyncDispose]())

  for (const { code, reason, details = [], ask } of refusals) {
    it(`${code} ${reason} is a problem with all its members, in Chinese`, async () => {
      const { status, headers, body } = await ask(world)
      const { message, trace_id: trace, errors, details: told = {}, ...rest } = body as unknown as Problem
      const family = Math.floor(code / 10)
      assert.deepEqual(rest, {
        type: `urn:mtai:error:${code}`,
        title: titles[family],
        status: family,
        detail: message,
        instance: `urn:trace:${trace}`,
        ...{ code, reason },
      })
      assert.match(message, /[\u4e00-\u9fff]/)
      assert.doesNotMatch(message, /[{}]/)
      assert.deepEqual([status, headers['x-trace-id'], headers['cache-control']], [family, trace, 'no-store'])
      assert.equal(headers['content-type'], 'application/problem+json')
      assert.deepEqual(
        details.filter((name) => !(name in told)),
        [],
      )
      assert.equal(Array.isArray(errors), family === 422)
      assert.equal(headers['www-authenticate'], challengeOf(code, told.permission))
      if (family === 429) assert.equal(Number(headers['retry-after']), told.retry_after)
    })
  }
})

/** What WWW-Authenticate says (RFC 6750). */
function challengeOf(code: number, permission = ''): string | undefined {
  if ([4012, 4013, 4014].includes(code)) return 'Bearer realm="api", error="invalid_token"'
  if (code === 4031) return `Bearer realm="api", error="insufficient_scope", scope="${permission}"`
  return Math.floor(code / 10) === 401 ? 'Bearer realm="api"' : undefined
}
