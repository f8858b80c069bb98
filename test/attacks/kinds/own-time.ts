import { setTimeout as sleep } from 'node:timers/promises'
import { packSmall } from '../../support/small-plugin.ts'
import type { Attack } from '../attack.ts'

const minuteMs = 60_000
const plugins = 6
const ids = Array.from({ length: 10 }, (_, index) => `tick${index}`)

/** Schedules that all come at once, and take what they may. */
export const schedules: Attack = {
  name: 'schedules',
  // A minute begins within it.
  seconds: 70,
  async prepare({ world }) {
    for (let index = 0; index < plugins; index++) {
      const handlers = ids.map((id) => `${id}() { for (;;); }`).join()
      const name = `evil.ticks${index}`
      const zip = await packSmall(
        name,
        {
          capabilities: ['schedule'],
          reasons: { schedule: 'Keeps time.' },
          schedules: ids.map((id) => ({ id, cron: '* * * * *', timezone: 'UTC', perTenant: true, handler: id })),
        },
        `{ handlers: {}, schedules: { ${handlers} } }`,
      )
      await world.install(name, zip)
    }
    return async (isOver) => {
      while (!isOver()) await sleep(minuteMs / 100)
    }
  },
}

/** Events that lead to events, with listeners that take what they may. */
export const events: Attack = {
  name: 'events',
  async prepare({ world, tally }) {
    const names = Array.from({ length: plugins }, (_, index) => `evil.talks${index}`)
    for (const name of names) {
      const said = `${name}.said`
      const zip = await packSmall(
        name,
        {
          capabilities: ['events'],
          reasons: { events: 'Talks.' },
          events: { publish: [said], subscribe: [said] },
          tenant_routes: [{ method: 'POST', path: '/say', handler: 'say' }],
        },
        `{
          handlers: { say: (request, { events }) =>
            Promise.all(Array.from({ length: 16 }, (_, i) => events.publish('${said}', { i, text: 'x'.repeat(30000) }))).then(() => 1) },
          events: { '${said}': async (event, { events }) => {
            await events.publish('${said}', event.payload).catch(() => 0)
            for (const end = Date.now() + 300; Date.now() < end; );
          } },
        }`,
      )
      await world.install(name, zip)
    }
    return async (isOver) => {
      const say = async (name: string): Promise<void> => {
        for (let count = 0; !isOver(); count++) {
          const owner = world.evil[count % world.evil.length]
          if (owner) await tally.count(owner.api.post(`/tenant/plugins/${name}/api/say`))
          await sleep(200)
        }
      }
      await Promise.all(names.map(say))
    }
  },
}
