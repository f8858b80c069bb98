import { packSmall, upload } from '../../support/small-plugin.ts'
import type { Attack, Field, IsOver } from '../attack.ts'

const plugins = 30
const route = { method: 'GET', path: '/work', handler: 'work' }
/** A few milliseconds of honest work, as most plugins have. */
const definition = `{ handlers: { work: async (request, { cache }) => {
  const items = Array.from({ length: 2000 }, (_, i) => ({ i, text: 'item ' + i }))
  await cache.set('items', items.slice(0, 20))
  return items.filter(({ i }) => i % 3 === 0).length
} } }`

/** Many plugins that do nothing wrong, at once: called in waves, each of all of them, and beside that all the time. */
export const manyPlugins: Attack = {
  name: 'many-plugins',
  async prepare(field) {
    const names = await installMany(field, 'small.work')
    return async (isOver) => {
      await Promise.all([wave(field, names, isOver), ...names.map((name) => callWhile(field, name, isOver))])
    }
  },
}

/** Installs and enables in parallel, while those that are there are called. */
export const installs: Attack = {
  name: 'installs',
  async prepare(field) {
    const names = await installMany(field, 'calm.work', 5)
    let last = 0
    return async (isOver) => {
      const install = async (): Promise<void> => {
        while (!isOver()) await installOne(field, `new.work${++last}`)
      }
      await Promise.all([install(), install(), install(), ...names.map((name) => callWhile(field, name, isOver))])
    }
  },
}

async function installMany({ world }: Field, prefix: string, count = plugins): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
  for (const name of names) await world.install(name, await pack(name))
  return names
}

/** As an administrator who installs several at once; a plugin without rights needs no consent. */
async function installOne({ world, tally }: Field, name: string): Promise<void> {
  const uploaded = await upload(world.admin, await pack(name))
  tally.add(`upload ${uploaded.status}`)
  if (uploaded.status !== 201) return tally.fault(`upload of ${name}: ${JSON.stringify(uploaded.body).slice(0, 300)}`)
  const { admin } = world
  const path = `/admin/plugins/${name}`
  for (const step of ['enable', 'disable', 'uninstall']) {
    const answer = step === 'uninstall' ? await admin.delete(`${path}?purge=true`) : await admin.post(`${path}/${step}`)
    tally.add(`${step} ${answer.status}`)
    if (answer.status >= 300) tally.fault(`${step} of ${name}: ${JSON.stringify(answer.body).slice(0, 300)}`)
  }
}

async function wave(field: Field, names: readonly string[], isOver: IsOver): Promise<void> {
  while (!isOver()) await Promise.all(names.map((name) => call(field, name, 1)))
}

async function callWhile(field: Field, name: string, isOver: IsOver): Promise<void> {
  while (!isOver()) await call(field, name, 0)
}

/** None of them does anything for which it could be refused. */
async function call({ world, tally }: Field, name: string, who: number): Promise<void> {
  const answer = await tally.count(
    world.evil[who]?.api.get(`/tenant/plugins/${name}/api/work`) ?? Promise.reject(new Error()),
  )
  if (answer?.status !== 200) tally.fault(`${name}: ${answer ? JSON.stringify(answer.body).slice(0, 300) : 'lost'}`)
}

function pack(name: string): Promise<Buffer> {
  return packSmall(name, { tenant_routes: [route] }, definition)
}
