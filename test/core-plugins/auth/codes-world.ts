import assert from 'node:assert/strict'
import type { Logger } from '#kernel'
import type { Answer, Api, Body } from '../../support/api.ts'
import { countCpuTime } from '../../support/cpu-time.ts'
import { startTestPlatform, type TestPlatform, type TestTenant } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

/** A message that somebody was sent. */
export interface SentMessage {
  readonly to: string
  readonly template: string
  readonly text: string
}

/** A platform whose messages a test reads, called from as many addresses as it likes. */
export interface CodesWorld extends AsyncDisposable {
  readonly platform: TestPlatform
  readonly acme: TestTenant
  readonly messages: readonly SentMessage[]
  /** Calls from an address of its own, so that limits by address do not meet; with `ip` from that one. */
  post(path: string, body: unknown, ip?: string): Promise<Answer>
  /** The latest message of a kind, once it has come. */
  message(to: string, template: string): Promise<SentMessage>
  /** The code of the latest message of a kind. */
  code(to: string, template: string): Promise<string>
  /** Makes a user of the tenant, of a name that no other has. */
  user(tenant?: TestTenant): Promise<{ readonly id: number; readonly email: string; readonly api: Api }>
  /** Changes rows behind the platform's back, as time does. */
  change(table: string, values: object): Promise<void>
  configure(by: Api, group: string, values: object): Promise<void>
}

/** Starts it, with the tenant `acme`. */
export async function startCodesWorld(): Promise<CodesWorld> {
  const messages: SentMessage[] = []
  const platform = await startTestPlatform({ log: keepMessages(messages) })
  const { test, admin } = platform
  const configure = async (by: Api, group: string, values: object): Promise<void> => {
    const path = `/${by === admin ? 'admin' : 'tenant'}/configs/groups/${group}`
    const answer = await by.put(path, values)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  await configure(admin, 'platform_domain', { trusted_proxies: ['127.0.0.1'] })
  const acme = await platform.createTenant('acme')
  let calls = 0

  async function message(to: string, template: string): Promise<SentMessage> {
    const find = () => messages.findLast((one) => one.to === to && one.template === template)
    await until(() => find() !== undefined)
    return find() ?? assert.fail('no message')
  }

  return {
    platform,
    acme,
    messages,
    configure,
    message,
    post(path, body, ip) {
      calls += 1
      const address = ip ?? `10.0.${Math.floor(calls / 250)}.${calls % 250}`
      return test.api.post(path, body, { headers: { 'x-forwarded-for': address } })
    },
    async code(to, template) {
      return /\b\d{6}\b/.exec((await message(to, template)).text)?.[0] ?? assert.fail('no code')
    },
    async user(tenant = acme) {
      calls += 1
      const email = `person${calls}@${tenant.code}.test`
      return { email, ...(await platform.createUser(tenant, email, ['tenant_user'])) }
    },
    async change(table, values) {
      await test.kernel.database.knex(table).update(values).queryContext({ tenant: 'all' })
    },
    [Symbol.asyncDispose]: () => platform[Symbol.asyncDispose](),
  }
}

/** The code of an error, or 0. */
export const codesOf = (answers: readonly Answer[]): readonly unknown[] => answers.map(({ body }) => body['code'])

/** How somebody proved who they are, as the access token says. */
export function methodsIn(data: Body | undefined): unknown {
  const [, claims = ''] = (data?.['access_token'] as unknown as string).split('.')
  return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { amr: unknown }).amr
}

/** The messages of the driver that writes them into the log, at whichever level. */
function keepMessages(messages: SentMessage[]): Logger {
  const write = (fields: object): void => {
    const { to, template, text } = fields as SentMessage
    if (to && template && text) messages.push({ to, template, text })
  }
  const log: Logger = { debug: write, info: write, warn: write, error: write, child: () => log }
  return log
}

/** Fails when a call takes another time for an address that nobody has than for one that somebody has. */
export async function assertTakesAsLong(world: CodesWorld, call: (email: string) => Promise<unknown>): Promise<void> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let round = 0; round < 9; round += 1) {
    const { email } = await world.user()
    for (const [kind, address] of [
      ['known', email],
      ['unknown', `nobody${round}@acme.test`],
    ] as const) {
      const cpuTime = countCpuTime()
      await call(address)
      times[kind].push(cpuTime())
    }
  }
  const [known, unknown] = [medianOf(times.known), medianOf(times.unknown)]
  // What is looked for is a step left out, not a millisecond.
  assert.ok(known < unknown * 3 && unknown < known * 3, `known ${known} ms, unknown ${unknown} ms`)
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
