import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'
import { measureBusy } from './busy.ts'
import { probes } from './neighbour.ts'
import { faultsOf, printTable } from './report.ts'
import { runAttack, type Episode } from './run-attack.ts'
import { watchDuring } from './watch.ts'
import { startWorld } from './world.ts'

// A neighbour is called all the time, quietly first and then beside one attack after the other; ends with 1 and what it met.
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '25' },
    quiet: { type: 'string', default: '20' },
    logs: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const wanted = values.only?.split(',')
const chosen = attacks.filter(({ name }) => !wanted || wanted.includes(name))
process.env['STOA_TEST_RUN'] ??= `stoa_attacks_${process.pid}`

let isOver = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isOver = true))
{
  await using world = await startWorld()
  const { api } = world.good
  for (const { path: warm } of probes) await api.get(warm)
  const quiet = await watchDuring(api, probes, sleep(Number(values.quiet) * 1_000))
  const busy = await measureBusy(api, Number(values.quiet) * 500)
  for (const { name, calls, p50, p99, longest } of [...quiet, { ...busy, name: 'busy machine' }])
    console.log(
      `${name}: ${calls} calls, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, longest ${longest.toFixed(1)} ms`,
    )
  const episodes: Episode[] = []
  for (const attack of chosen) {
    if (isOver) break
    const episode = await runAttack(attack, world, seconds)
    episodes.push(episode)
    const longest = episode.seen.map(({ name, longest }) => `${name} ${Math.round(longest)}`).join(', ')
    console.log(`${attack.name}: longest ms ${longest}; ${String(episode.tally)}`)
  }
  printTable(episodes, { quiet, busy })
  const faults = faultsOf(episodes, { quiet, busy })
  for (const fault of faults) console.log(`FAULT ${fault}`)
  console.log(
    `${faults.length} faults in ${episodes.length} attacks; load of the machine ${loadavg()
      .map((each) => each.toFixed(1))
      .join(' ')}`,
  )
  if (values.logs !== undefined) await writeFile(path.join(values.logs, 'host.log'), world.host.output())
  if (faults.length > 0) process.exitCode = 1
}
