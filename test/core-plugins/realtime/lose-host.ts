import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { access } from '../../../core-plugins/access/contract.ts'
import { userDirectory } from '../../../core-plugins/users/contract.ts'
import type { Api } from '../../support/api.ts'
import { runningKernel } from '../../support/auth.ts'
import { testRedisUrl } from '../../support/cluster.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { dataOf } from '../../support/platform.ts'
import { SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { hostSecrets } from '../hosts/world.ts'
import { startMortalHost } from '../killed/process.ts'
import { pluginsWith } from './world.ts'

/** How many read at the host, and what is announced. */
interface Wave {
  readonly users: number
  /** Sockets of each, five at most. */
  readonly each: number
  /** Announcements that are acknowledged before the kill, others being on their way. */
  readonly before: number
  readonly afterwards: number
}

/** What became of the readers: how many there were, those who miss something or have it twice, and how soon all were back. */
interface Outcome {
  readonly readers: number
  readonly wrong: readonly { readonly twice: readonly string[]; readonly lost: readonly string[] }[]
  readonly backMs: number
}

const longestWait = 1_000

/** A reader that comes back to the other host when its own is gone, from the last event that it has. */
class Reader implements Disposable {
  readonly #api: Api
  readonly #other: string
  #client: SocketClient
  #before: readonly string[] = []
  #lastId = ''
  #isOver = false

  private constructor(api: Api, other: string, client: SocketClient) {
    this.#api = api
    this.#other = other
    this.#client = client
    this.#follow()
  }

  static async at(host: string, other: string, api: Api): Promise<Reader> {
    return new Reader(api, other, await SocketClient.ready(api.at(host), '/ws/tenant'))
  }

  /** What was announced, as it came on all connections. */
  get ids(): readonly string[] {
    return [...this.#before, ...idsOf(this.#client)]
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#client[Symbol.dispose]()
  }

  #follow(): void {
    const { socket } = this.#client
    socket.on('close', () => void this.#comeBack())
    // A host that has too many at once who have not said who they are refuses.
    socket.on('unexpected-response', () => socket.terminate())
  }

  /** At another moment than the others, as clients should. */
  async #comeBack(): Promise<void> {
    const { frames } = this.#client
    const last = frames.findLast(({ type }) => type === 'event')?.id ?? frames[0]?.['last_id']
    if (typeof last === 'string') this.#lastId = last
    this.#before = this.ids
    frames.length = 0
    await sleep(Math.random() * longestWait)
    if (this.#isOver) return
    this.#client = SocketClient.as(this.#api.at(this.#other), `/ws/tenant?last_id=${this.#lastId}`)
    this.#follow()
  }
}

const idsOf = ({ frames }: SocketClient): readonly string[] =>
  frames.filter(({ event }) => event === 'announcement.published').map(({ data }) => String(data?.['id']))

/** Kills a host with -9 while sockets hold there and announcements are made; the readers come back to the other one and resume. */
export async function loseHost({ users: userCount, each, before, afterwards }: Wave): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  const platform = resources.use(await startTestPlatform({ plugins: pluginsWith(), env: hostSecrets }))
  const acme = await platform.createTenant('acme')
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stoa-killed-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true }))
  const { databaseUrl, namespace, url: other } = platform.test
  const shared = { databaseUrl, namespace, redisUrl: testRedisUrl(), env: hostSecrets }
  const victim = await startMortalHost({ ...shared, dataDir, isFirst: false })
  resources.defer(() => victim.kill())
  const users: Api[] = []
  for (let n = 0; n < userCount; n += 1) users.push(await newUser(platform, acme, `reader${n}`))
  const readers: Reader[] = []
  resources.defer(() => readers.forEach((reader) => reader[Symbol.dispose]()))
  for (const api of users) {
    readers.push(...(await Promise.all(Array.from({ length: each }, () => Reader.at(victim.url, other, api)))))
  }
  const told: string[] = []
  const announce = async (at: string): Promise<void> => {
    const answer = await acme.owner.at(at).post('/tenant/announcements', { title: { default: 'News' } })
    const { id } = dataOf(answer, 201) as unknown as { readonly id: string }
    told.push(id)
  }
  const announcing = Promise.allSettled(Array.from({ length: 3 }, () => announceOn()))
  /** One after the other until the host is gone. */
  async function announceOn(): Promise<void> {
    for (;;) await announce(victim.url)
  }
  await until(() => told.length >= before, 120_000)
  const killed = performance.now()
  await victim.kill()
  await announcing
  for (let n = 0; n < afterwards; n += 1) await announce(other)
  const last = told.at(-1) ?? ''
  await until(() => readers.every(({ ids }) => ids.includes(last)), 120_000)
  const wrong = readers.map(({ ids }) => ({
    twice: ids.filter((id, at) => ids.indexOf(id) < at),
    lost: told.filter((id) => !ids.includes(id)),
  }))
  return {
    readers: readers.length,
    wrong: wrong.filter(({ twice, lost }) => twice.length + lost.length > 0),
    backMs: performance.now() - killed,
  }
}

/** Somebody of a tenant, signed in, without a password that would be hashed. */
async function newUser(platform: TestPlatform, tenant: TestTenant, account: string): Promise<Api> {
  const { kernel } = platform.test
  const [users, grants] = [kernel.services.get(userDirectory), kernel.services.get(access)]
  const user = await runningKernel(platform).database.knex.transaction(async (trx) => {
    const made = await users.create(tenant.id, { account }, trx)
    await grants.assignRoles(tenant.id, made.id, ['tenant_user'], trx)
    return made
  })
  await grants.invalidate(tenant.id)
  return platform.signIn(tenant.id, user.id)
}
