import { tableOf, type Work, type WorkParts } from './work.ts'

interface Run {
  readonly run: string
  readonly at: string
  readonly attempt: number
}

/** A schedule of every minute: nobody asks for it, and each time has one run. */
export function schedulesWork({ world, ledger }: WorkParts): Work {
  return {
    name: 'schedules',
    everyMs: 60_000,
    callers: 0,
    step: () => Promise.resolve(),
    async check() {
      const runs = await world.postgres.rows<Run>(`select run, at, attempt from ${await tableOf(world, 'runs')}`)
      for (const [at, those] of Map.groupBy(runs, (each) => each.at)) {
        const names = new Set(those.map(({ run, attempt }) => `${run} ${attempt}`))
        if (new Set(those.map(({ run }) => run)).size > 1)
          ledger.fault(`DOUBLE: ${at} was run twice: ${[...names].join()}`)
        if (names.size < those.length) ledger.fault(`DOUBLE: an attempt at ${at} was made twice`)
      }
      const times = [...new Set(runs.map(({ at }) => Date.parse(at)))].sort((one, other) => one - other)
      const expected = times.length === 0 ? 0 : ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 60_000 + 1
      return `${times.length} minutes of ${expected} were run, ${runs.length - times.length} of them again`
    },
  }
}
