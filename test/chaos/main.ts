import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { allCauses } from './causes.ts'
import { runChatStorm } from './chat-storm.ts'
import { Ledger, presentAttempt } from './ledger.ts'
import { Load } from './load.ts'
import { seeded } from './random.ts'
import { faultsOf, printTable } from './report.ts'
import { runCause, type Episode } from './run-cause.ts'
import { allWork } from './work/all-work.ts'
import { startWorld } from './world.ts'

// Two hosts under load, one thing broken at a time; ends with 1 and what was broken by it.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string' },
    kills: { type: 'string' },
    logs: { type: 'string' },
    runs: { type: 'string', default: '1000' },
  },
})
const random = seeded(Number(values.seed))
const wanted = values.only?.split(',')
const causes = allCauses(Number(values.kills ?? '20')).filter(({ name }) => !wanted || wanted.includes(name))
const ledger = new Ledger()
console.log(`seed ${values.seed}`)
if (positionals.includes('chat')) {
  const faults = await runChatStorm(Number(values.runs), Number(values.kills ?? '4'), random)
  process.exit(faults > 0 ? 1 : 0)
}

let isOver = false
// What is broken is mended first, and what has been started is ended.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isOver = true))
await using world = await startWorld()
const works = allWork({ world, ledger, random })
const load = new Load(works, ledger)
await sleep(5_000)
const episodes: Episode[] = []
for (const cause of causes) {
  for (let count = 0; count < cause.times && !isOver; count++) {
    const episode = await runCause(cause, world, ledger, random)
    episodes.push(episode)
    const shown = episode.recovery.map(({ firstMs, steadyMs }) => `${firstMs ?? 'never'}/${steadyMs}`).join(' ')
    console.log(
      `${cause.name}${episode.host === undefined ? '' : ` of host ${episode.host}`}: first/steady ms ${shown}`,
    )
  }
}
ledger.cause = 'the end'
await load.stop()
for (const work of works) console.log(`${work.name}: ${await work.check()}`)
const faults = [...ledger.faults, ...faultsOf(episodes, ledger.attempts)]
printTable(episodes, ledger.attempts)
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(`seed ${values.seed}: ${faults.length} faults in ${ledger.attempts.length} calls`)
if (values.logs !== undefined) {
  const failed = ledger.attempts.filter(({ status }) => status === 0 || status >= 400).map(presentAttempt)
  await writeFile(path.join(values.logs, 'failed.log'), failed.join('\n'))
  for (const [at, { output }] of world.hosts.entries())
    await writeFile(path.join(values.logs, `host-${at}.log`), output)
}
if (faults.length > 0) process.exitCode = 1
