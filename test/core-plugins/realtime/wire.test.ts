import assert from 'node:assert/strict'
import { compileSchemaCheck, permissionRegistry } from '#kernel'
import { wireEvents } from '../../../core-plugins/realtime/wire/wire-table.ts'
import type { Answer, Api } from '../../support/api.ts'
import { dataOf } from '../../support/platform.ts'
import type { Frame, SocketClient } from '../../support/socket-client.ts'
import { until } from '../../support/until.ts'
import { plugin, pluginCauses } from './plugin-causes.ts'
import { accidents } from './accident-causes.ts'
import { causes } from './wire-causes.ts'
import { WireWorld, type Cause } from './wire-world.ts'

describe('every event that clients get', () => {
  const caused = new Set<string>()
  let world: WireWorld
  before(async () => {
    world = await WireWorld.start()
  })
  after(() => world[Symbol.asyncDispose]())

  tell([...causes, ...pluginCauses])

  it('of a plugin come to those who may open an entry of it, of its tenant, and to nobody else', async () => {
    const { platform, acme } = world
    const said = async (by: Api, text: string): Promise<readonly string[]> => {
      const path = by === acme.owner ? '/tenant/plugins/acme.live/api/say' : `${plugin}/api/say`
      const heard = by === acme.owner ? 'owner/tenant' : 'admin/admin'
      dataOf(await by.post(path, { text }))
      await until(() => client(heard).frames.some((frame) => isOf(frame, text)))
      await Promise.all([...world.clients.values()].map((one) => one.pong()))
      return [...world.clients].filter(([, { frames }]) => frames.some((one) => isOf(one, text))).map(([who]) => who)
    }
    const isOf = ({ event, data }: Frame, text: string): boolean =>
      event === 'acme.live.said' && data?.['text'] === text
    assert.deepEqual(
      [await said(acme.owner, 'to the tenant'), await said(platform.admin, 'to the staff')],
      [['owner/tenant'], ['admin/admin']],
    )
  })

  tell(accidents)

  it('plugin.operation tells which step of how many was begun, and how it ended', () => {
    const told = client('admin/admin').frames
    const [first] = told.filter(({ event, data }) => event === 'plugin.operation' && data?.['kind'] === 'install')
    const steps = told.flatMap(({ event, data }) =>
      event === 'plugin.operation' && data?.['operation_id'] === first?.data?.['operation_id'] ? [data ?? {}] : [],
    )
    const running = steps.filter(({ state }) => state === 'running')
    const places = running.map(({ index }) => Number(index))
    assert.ok(
      running.length > 3 && running.every(({ total }) => Number(total) >= running.length),
      JSON.stringify(steps),
    )
    assert.deepEqual(
      [places, steps.at(-1)?.['state'], steps.at(-1)?.['error']],
      [places.toSorted((a, b) => a - b), 'succeeded', null],
    )
    assert.equal(new Set(places).size, places.length)
  })

  it('plugin.operation says of every kind which step of how many it is', async () => {
    const { admin } = world.platform
    dataOf(await admin.post(`${plugin}/sync-manifest`))
    dataOf(await admin.post(`${plugin}/repair`))
    dataOf(await admin.put(`${plugin}/capabilities`, { granted: ['events'] }))
    const { name } = dataOf(await admin.post(`${plugin}/backups`), 201)
    dataOf(await admin.delete(`${plugin}/backups/${name as unknown as string}`))
    dataOf(await admin.delete(`${plugin}?purge=true`))
    const is = ({ event, data }: Frame): boolean => event === 'plugin.operation' && data?.['state'] === 'running'
    const told = (): readonly Frame[] => client('admin/admin').frames.filter(is)
    const kindsOf = (frames: readonly Frame[]) => [...new Set(frames.map(({ data }) => String(data?.['kind'])))].sort()
    await until(() => kindsOf(told()).includes('uninstall'))
    const placeless = told().filter(({ data }) => data?.['index'] === null || data?.['total'] === null)
    assert.deepEqual(
      [placeless, kindsOf(told())],
      [
        [],
        [
          ...['backup', 'capabilities', 'consent', 'delete_backup', 'disable', 'enable', 'install', 'menu_config'],
          ...['repair', 'sync', 'trial', 'uninstall', 'upgrade'],
        ],
      ],
    )
  })

  it('was caused above, and asks for permissions that there are', () => {
    const all = wireEvents.map(({ namespace, name }) => `${namespace} ${name}`)
    const registry = world.platform.test.kernel.services.get(permissionRegistry)
    const unknown = wireEvents.flatMap(({ permissions = [] }) => permissions.filter((each) => !registry.find(each)))
    assert.deepEqual([all.filter((event) => !caused.has(event)), unknown], [[], []])
  })

  function tell(rows: readonly Cause[]): void {
    for (const [name, heardBy, cause] of rows) {
      it(`${name} comes to ${heardBy.join(' and ')}, and to nobody else`, async () => {
        const seen = new Map([...world.clients].map(([listener, { events }]) => [listener, events.filter(is).length]))
        const answer = (await cause(world)) as Partial<Answer> | undefined
        assert.ok(typeof answer?.status !== 'number' || answer.status < 300, JSON.stringify(answer?.body))
        for (const listener of heardBy) {
          const frame = await client(listener).next(name, (seen.get(listener) ?? 0) + 1)
          const [, namespace] = listener.split('/')
          const { data } =
            wireEvents.find((event) => event.name === name && (event.isFarewell || event.namespace === namespace)) ?? {}
          assert.ok(data)
          const check = compileSchemaCheck(data, 'exact', 'lazily')
          assert.ok(check.isValid(frame.data), JSON.stringify(frame))
          caused.add(`${namespace ?? ''} ${name}`)
        }
        // Whatever was fanned out with it has come by now: events keep their order.
        const pongs = [...world.clients].filter(([, { closed }]) => closed === undefined)
        await Promise.all(pongs.map(([, one]) => one.pong()))
        const heard = [...world.clients].filter(
          ([listener, { events }]) => events.filter(is).length > (seen.get(listener) ?? 0),
        )
        assert.deepEqual(heard.map(([listener]) => listener).sort(), heardBy.toSorted())
      })

      function is(event: string | undefined): boolean {
        return event === name
      }
    }
  }

  function client(listener: string): SocketClient {
    return world.clients.get(listener) ?? assert.fail(listener)
  }
})
