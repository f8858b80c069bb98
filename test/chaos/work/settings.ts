import { chaosPlugin } from '../chaos-plugin.ts'
import { outcomeOf, type Attempt, type HostIndex } from '../ledger.ts'
import type { Work, WorkParts } from './work.ts'

/** README promises a second; a machine that others load is given another one. */
const boundMs = 2_000

/** A setting that grows: where it is written, and how it is read. */
interface Setting {
  readonly name: string
  readonly write: { readonly path: string; body(number: number): object }
  readonly read: { readonly path: string; number(data: Data): number }
}

type Data = Readonly<Record<string, unknown>>

const settings: readonly Setting[] = [
  {
    name: 'of a plugin',
    write: { path: `${chaosPlugin}/config`, body: (value) => ({ value }) },
    read: { path: `${chaosPlugin}/api/value`, number: ({ value }) => Number(value) },
  },
  {
    name: 'of a tenant',
    write: { path: '/tenant/configs/groups/tenant_basic', body: (number) => ({ icp: `n${number}` }) },
    read: { path: '/tenant/configs/groups/tenant_basic', number: icpOf },
  },
]

/** Settings of a plugin and of the tenant, written at either host and read at both. */
export function settingsWork({ world, ledger }: WorkParts): Work {
  const done = settings.map((): { number: number; at: number }[] => [])
  let last = 0
  let oldest = 0

  async function read(index: number, host: HostIndex): Promise<void> {
    const setting = settings[index]
    if (!setting) return
    const attempt = await ledger.call('setting', host, world.owner(host), 'GET', setting.read.path)
    if (attempt.status !== 200) return
    const shown = setting.read.number(dataOf(attempt))
    // The first write that it should have known and does not.
    const missed = done[index]?.find(({ number, at }) => number > shown && at <= attempt.from)
    const age = missed ? attempt.from - missed.at : 0
    oldest = Math.max(oldest, age)
    if (age <= boundMs) return
    ledger.fault(`host ${host} shows ${shown} ${setting.name}, ${age} ms after ${missed?.number} was written`)
  }

  const readAll = () => Promise.all(settings.flatMap((_, index) => [read(index, 0), read(index, 1)]))
  return {
    name: 'settings',
    everyMs: 1_300,
    callers: 0,
    async step(host) {
      const number = ++last
      for (const [index, { write }] of settings.entries()) {
        const body = write.body(number)
        const attempt = await ledger.call('settings', host, world.owner(host), 'PUT', write.path, { body })
        if (outcomeOf(attempt) === 'done') done[index]?.push({ number, at: attempt.to })
      }
      await readAll()
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      await readAll()
    },
    async check() {
      await readAll()
      const written = done.reduce((sum, { length }) => sum + length, 0)
      return `${written} of ${last * settings.length} settings written, an old one was read for at most ${oldest} ms`
    },
  }
}

function dataOf({ answer }: Attempt): Data {
  return (answer?.body as { data?: Data } | undefined)?.data ?? {}
}

function icpOf({ items }: Data): number {
  const icp = (items as readonly { key: string; value: unknown }[]).find(({ key }) => key === 'icp')?.value
  return typeof icp === 'string' && icp !== '' ? Number(icp.slice(1)) : 0
}
