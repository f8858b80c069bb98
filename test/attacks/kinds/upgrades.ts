import { lastOperation, packRelease, upgrade, versionRoute } from '../../core-plugins/plugins/upgrades-world.ts'
import { until } from '../../support/until.ts'
import type { Attack, Field, IsOver } from '../attack.ts'

const name = 'acme.busy'
const callersAtOnce = 16
const turns = 12
const patienceMs = 60_000

const route = { ...versionRoute, path: '/version' }
const more = { tenant_routes: [route] }

/** A plugin that is called all the time goes to its next release and back, at least so many times. */
export const upgrades: Attack = {
  name: 'upgrades',
  seconds: 60,
  async prepare(field) {
    const { world } = field
    await world.install(name, await packRelease(name, '1.0.0', more))
    const next = await packRelease(name, '1.1.0', more)
    return async (isOver) => {
      let isDone = false
      const callers = Array.from({ length: callersAtOnce }, (_, index) => callWhile(field, index, () => isDone))
      try {
        await turnWhile(field, next, isOver)
      } finally {
        isDone = true
        await Promise.all(callers)
      }
    }
  },
}

async function turnWhile({ world, tally }: Field, next: Buffer, isOver: IsOver): Promise<void> {
  const { admin } = world
  for (let turn = 0; turn < turns || !isOver(); turn++) {
    const isBack = turn % 2 === 1
    const path = `/plugins/${name}/${isBack ? 'rollback' : 'upgrade'}`
    const body = isBack ? {} : { version: '1.1.0' }
    const answer = turn === 0 ? await upgrade(admin, name, next) : await admin.post(path, body)
    if (answer.status >= 300) tally.fault(`turn ${turn}: ${JSON.stringify(answer.body).slice(0, 300)}`)
    // One that takes long goes on after its answer.
    let state = 'running'
    await until(async () => (state = String(await stateOf(world))) !== 'running', patienceMs)
    tally.add(`turn ${answer.status} ${state}`)
    if (state !== 'succeeded') tally.fault(`turn ${turn} ended as ${state}`)
  }
}

async function stateOf({ admin }: Field['world']): Promise<unknown> {
  return (await lastOperation(admin, name))['state']
}

async function callWhile({ world, tally }: Field, index: number, isOver: IsOver): Promise<void> {
  const owner = world.evil[index % world.evil.length]
  while (owner && !isOver()) {
    const answer = await tally.count(owner.api.get(`/tenant/plugins/${name}/api/version`))
    if (answer?.status !== 200) tally.fault(answer ? JSON.stringify(answer.body).slice(0, 300) : 'a call was lost')
  }
}
