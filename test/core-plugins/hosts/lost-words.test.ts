// @both-back-ends
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import { generateFernetKey } from '#kernel'
import type { Answer, Api } from '../../support/api.ts'
import { codeOf } from '../../support/auth.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { identityPlugins, startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { startTestKernel, type TestKernel } from '../../support/kernel.ts'
import { dataOf } from '../../support/platform.ts'
import { serverOf, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts'
import { until } from '../../support/until.ts'
import { createMember, createRole } from '../access/support.ts'
import { followsIn } from '../../support/configuration.ts'

const secret = randomBytes(32).toString('base64url')
const keys = { JWT_KEYS: `k1:${secret}`, APP_SECRET: secret, CONFIG_FERNET_KEYS: generateFernetKey() }
const redisUrl = testRedisUrl()
const basics = '/tenant/configs/groups/tenant_basic'

/** What one host is asked to change, and what the other one must answer from then on. */
interface Change {
  readonly make: () => Promise<unknown>
  readonly isSeen: () => Promise<boolean>
}

if (redisUrl !== undefined)
  describe('what one host changes holds on the other, whatever becomes of the words between them', () => {
    const resources = new AsyncDisposableStack()
    let writersWire: TcpProxy
    let readersWire: TcpProxy
    let writer: TestPlatform
    let reader: TestKernel
    let count = 0
    before(async () => {
      writersWire = resources.use(await startTcpProxy(serverOf(redisUrl)))
      readersWire = resources.use(await startTcpProxy(serverOf(redisUrl)))
      const through = (wire: TcpProxy) => ({ ...keys, REDIS_URL: wire.through(redisUrl) })
      writer = resources.use(await startTestPlatform({ env: through(writersWire) }))
      const { databaseUrl, namespace } = writer.test
      const env = through(readersWire)
      reader = resources.use(await startTestKernel({ plugins: identityPlugins, env, databaseUrl, namespace }))
    })
    afterEach(() => {
      writersWire.heal()
      readersWire.heal()
    })
    after(() => resources.disposeAsync())

    const status = async (api: Api, path: string): Promise<number> => (await api.get(path)).status
    const icpOn = async (owner: Api): Promise<unknown> => {
      const items = dataOf(await owner.at(reader.url).get(basics))['items'] as unknown as {
        key: string
        value: unknown
      }[]
      return items.find(({ key }) => key === 'icp')?.value
    }

    /** One of each kind of thing that hosts keep, known to the reader as it is before it changes. */
    async function changesOf(tenant: TestTenant): Promise<Readonly<Record<string, Change>>> {
      const { owner, id } = tenant
      const role = await createRole(owner, 'lister', ['tenant_user:list'])
      const members = {
        ended: await createMember(writer, tenant, 'ended', ['tenant_user'], []),
        holder: await createMember(writer, tenant, 'holder', ['lister'], []),
        disabled: await createMember(writer, tenant, 'disabled', ['tenant_user'], []),
      }
      const [ended, holder, disabled] = Object.values(members).map(({ api }) => api.at(reader.url)) as [Api, Api, Api]
      const closed = await writer.createTenant(`${tenant.code}-closed`)
      const closedThere = closed.owner.at(reader.url)
      const known = [
        await status(ended, '/auth/me'),
        await status(holder, '/tenant/users'),
        await status(disabled, '/auth/me'),
        await status(closedThere, '/auth/me'),
        await icpOn(owner),
      ]
      assert.deepEqual(known, [200, 200, 200, 200, ''])
      return {
        setting: {
          make: () => owner.put(basics, { icp: `new ${id}` }).then(dataOf),
          isSeen: async () => (await icpOn(owner)) === `new ${id}`,
        },
        session: {
          make: () => members.ended.api.post('/auth/logout').then(dataOf),
          isSeen: async () => (await status(ended, '/auth/me')) === 401,
        },
        role: {
          make: () => owner.put(`/tenant/roles/${role}`, { permissions: [] }).then(dataOf),
          isSeen: async () => (await status(holder, '/tenant/users')) === 403,
        },
        user: {
          make: () => owner.put(`/tenant/users/${members.disabled.id}`, { status: 'disabled' }).then(dataOf),
          isSeen: async () => [401, 403].includes(await status(disabled, '/auth/me')),
        },
        tenant: {
          make: () => writer.admin.put(`/admin/tenants/${closed.id}`, { status: 'disabled' }).then(dataOf),
          isSeen: async () => (await status(closedThere, '/auth/me')) === 403,
        },
      }
    }

    /** Makes every change in a fault; each must be seen long before the time is over that records live: a second, by design. */
    async function assertSeen(fault: () => void, end: () => void = () => undefined): Promise<void> {
      const changes = await changesOf(await writer.createTenant(`lost${(count += 1)}`))
      fault()
      for (const { make } of Object.values(changes)) await make()
      end()
      const late: string[] = []
      for (const [what, { isSeen }] of Object.entries(changes)) {
        await until(isSeen, 15_000).catch(() => late.push(what))
      }
      assert.deepEqual(late, [])
    }

    const isWord = (piece: Buffer) => piece.includes(`stoa:${writer.test.namespace}:bus`)
    const heal = () => [writersWire, readersWire].forEach((wire) => wire.heal())

    it('while the writer is cut off from Redis', () => assertSeen(() => writersWire.cut()))
    it('while the reader is cut off', () => assertSeen(() => readersWire.cut()))
    it('while both are', () => assertSeen(() => [writersWire, readersWire].forEach((wire) => wire.cut())))
    it('after the writer was, and Redis has what was before', () => assertSeen(() => writersWire.cut(), heal))
    it('after the reader was', () => assertSeen(() => readersWire.cut(), heal))
    it('when the words get lost and everything else arrives', () =>
      assertSeen(() => readersWire.follow((piece, from) => (from === 'server' && isWord(piece) ? 'swallow' : 'pass'))))

    it('also what is put back into Redis as it was before', async () => {
      const tenant = await writer.createTenant('putback')
      const { api } = await createMember(writer, tenant, 'member', ['tenant_user'], [])
      const there = api.at(reader.url)
      dataOf(await there.get('/auth/me'))
      const redis = new Redis(redisUrl)
      try {
        const kept = await snapshot(redis, `stoa:${writer.test.namespace}:cache:auth:`)
        assert.ok(Object.keys(kept).length >= 2)
        writersWire.cut()
        dataOf(await api.post('/auth/logout'))
        await until(async () => (await status(there, '/auth/me')) === 401, 15_000)
        await redis.mset(kept)
        const answers = await Promise.all(Array.from({ length: 20 }, () => there.get('/auth/me')))
        const later = await startTestKernel({
          ...{ plugins: identityPlugins, databaseUrl: writer.test.databaseUrl },
          ...{ namespace: writer.test.namespace, env: keys },
        })
        answers.push(await api.at(later.url).get('/auth/me'))
        await later[Symbol.asyncDispose]()
        assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([401]))
      } finally {
        redis.disconnect()
      }
    })

    it('and what could not be told stays to be told', async () => {
      const { owner } = await writer.createTenant('untold')
      const left = async (): Promise<number> => (await followsIn(writer.test)).length
      await until(async () => (await left()) === 0)
      writersWire.cut()
      dataOf(await owner.put(basics, { icp: 'told late' }))
      assert.equal(await left(), 1)
      writersWire.heal()
      await until(async () => (await left()) === 0, 30_000)
    })

    it('and nothing but the row says that a user has other credentials', async () => {
      const tenant = await writer.createTenant('versions')
      const { id, api } = await createMember(writer, tenant, 'member', ['tenant_user'], [])
      const hosts = [api, api.at(reader.url)]
      for (const host of hosts) dataOf(await host.get('/auth/me'))
      const users = writer.test.kernel.database.knex('users').queryContext({ tenant: tenant.id })
      await users.where({ id }).increment('version', 1)
      const refused: Answer[] = []
      for (const host of hosts) {
        await until(async () => (await status(host, '/auth/me')) !== 200, 15_000)
        refused.push(await host.get('/auth/me'))
      }
      const details = refused.map((answer) => [...codeOf(answer), answer.body['details']])
      const revoked = [401, 4014, { cause: 'password_changed' }]
      assert.deepEqual(details, [revoked, revoked])
    })
  })

/** Everything under a prefix. */
async function snapshot(redis: Redis, prefix: string): Promise<Record<string, string>> {
  const found = await redis.keys(`${prefix}*`)
  const values = await redis.mget(found)
  return Object.fromEntries(found.map((key, at) => [key, values[at] ?? '']))
}
