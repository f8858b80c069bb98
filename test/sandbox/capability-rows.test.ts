import { deepEqual } from 'node:assert/strict'
import { MemoryRateLimiter } from '#kernel'
import { capabilities, sourceSigns, type PluginManifest } from '#sandbox'
import { createGuardedFetch } from '../../sandbox/broker/guarded-fetch.ts'
import { RolePools } from '../../sandbox/broker/database/role-pools.ts'
import { KnownSecrets } from '../../sandbox/broker/known-secrets.ts'
import { createCapabilities, createFakes } from '../../sandbox/broker/providers.ts'
import { ctxMembers } from '../../sandbox/capabilities/ctx-members.ts'
import { rowOf } from '../../sandbox/capabilities/table.ts'
import { silentLog } from '../support/kernel.ts'
import { grantsOf } from './capabilities-call.ts'

type Functions = Readonly<Record<string, (...given: unknown[]) => unknown>>

/** Those of `db`, which is no member of ctx: the third argument of every function of a plugin. */
const ofTables = ['db.query', 'db.batch', 'db.begin', 'db.commit', 'db.rollback']
const database = { urlFor: () => 'postgres://nobody@localhost/none' }
const manifest = { name: 'acme.notes', capabilities: [] } as unknown as PluginManifest

/** The operations that the functions of ctx ask for, in their order, each with the capability that brings it. */
function asked(): readonly (readonly [operation: string, capability: string | undefined])[] {
  return Object.entries(ctxMembers).flatMap(([name, { by, open, others = {} }]) => {
    const needed: Readonly<Record<string, string>> = others
    const sent: string[] = []
    const member = open((operation) => {
      sent.push(operation)
      return new Promise(() => undefined)
    }) as unknown as Functions
    for (const call of Object.values(member)) void call()
    deepEqual(
      sent,
      Object.keys(member).map((each) => `${name}.${each}`),
    )
    return sent.map((operation) => [operation, needed[operation.slice(name.length + 1)] ?? by[0]] as const)
  })
}

describe('the rows of the capabilities', () => {
  it('are answered by the broker: each function of ctx by one operation, held to the capability that brings it', async () => {
    const { services } = createFakes({ manifest, given: {}, database, password: '' })
    await using client = createGuardedFetch({ egressAllowPrivate: new Set(), dnsServers: [] })
    await using pools = new RolePools({ ...database, password: () => '', connections: () => 1, log: silentLog })
    const answered = createCapabilities({
      ...{ manifest, client, pools, grants: grantsOf(), secrets: new KnownSecrets() },
      services: { ...services, limiter: new MemoryRateLimiter() },
    }).flatMap(({ capability, operations }) =>
      Object.keys(operations).map((operation) => [operation, capability] as const),
    )
    const expected = [...asked(), ...ofTables.map((operation) => [operation, 'db:own_tables'] as const)]
    deepEqual(answered.map(String).sort(), expected.map(String).sort())
  })

  it('each stand for something: a member of ctx, a section of the manifest, or more of another', () => {
    const brought = new Set(Object.values(ctxMembers).flatMap(({ by }) => by))
    const idle = capabilities.filter((capability) => {
      const { section, widens, detail } = rowOf(capability)
      return !brought.has(capability) && !section && widens === undefined && !detail
    })
    deepEqual(idle, [])
    deepEqual(
      [...brought].filter((name) => !capabilities.some((capability) => capability === name)),
      [],
    )
  })

  it('tell the lint what a call of each function of ctx looks like, or that it may be something else', () => {
    const unseen = Object.entries(ctxMembers).flatMap(([name, { by, open, others = {} }]) => {
      const needed: Readonly<Record<string, string>> = others
      return Object.keys(open(() => new Promise(() => undefined))).filter((each) => {
        const signs = [...sourceSigns].find(([capability]) => capability === (needed[each] ?? by[0]))?.[1]
        const call = `await ctx.${name}.${each}({})`
        return signs?.called && (!signs.called.test(call) || signs.used?.test(call) === false)
      })
    })
    deepEqual(unseen, [])
    const strangers = ['ctx.cache.get()', 'const http = 1', 'notify.sender()', 'list.config.getAll()']
    const { called } = sourceSigns.get('notify') ?? {}
    deepEqual(
      strangers.filter((line) => [...sourceSigns.values()].some((signs) => signs.called?.test(line))),
      [],
    )
    deepEqual([called?.test('ctx.notify!.send({})'), called?.test('ctx.notify?.send({})')], [true, true])
  })
})
