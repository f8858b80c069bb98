import { readToken } from '../dev/platform-client.ts'
import { diagnoseIndex } from '../keeper/diagnose-index.ts'
import { diagnoseMachine } from '../keeper/diagnose-machine.ts'
import { diagnosePlatform } from '../keeper/diagnose-platform.ts'
import type { Diagnosis } from '../keeper/diagnosis.ts'
import { UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { alignColumns } from './table.ts'

/** `stoa doctor`: what on this machine, or with a platform or an index, keeps things from working. */
export const doctor: Command = {
  usage: '[--platform <url> [--token <token or file>]] [--index <address or folder>] [--data <folder>]',
  summary: 'Looks at what plugins, a platform and an index need, and says what to do.',
  about: ['A line each: ok, warn or fail. It ends with 1 when anything fails.'],
  examples: ['stoa doctor --index plugins'],
  options: {
    platform: 'the address of a platform that runs',
    token: "an access token of that platform's administrator, or a file with it",
    index: 'an index that is to be looked at',
    data: 'the data folder of a platform; DATA_DIR or .data unless given',
  },
  async run(operands, { platform, token, index, data }, _, progress) {
    if (operands.length > 0) throw new UsageError('stoa doctor takes options only.')
    if (token !== undefined && platform === undefined) throw new UsageError('Give --token together with --platform.')
    progress.tell('Packing and loading a plugin')
    const found = [
      ...(await inScratch((scratch) => diagnoseMachine(scratch, data ?? process.env['DATA_DIR'] ?? '.data'))),
    ]
    if (platform !== undefined) {
      progress.tell(`Asking ${platform}`)
      found.push(...(await diagnosePlatform(platform, token === undefined ? undefined : await readToken(token))))
    }
    if (index !== undefined) {
      progress.tell(`Reading ${index}`)
      found.push(...(await diagnoseIndex(index)))
    }
    const isWell = found.every(({ level }) => level !== 'fail')
    return { text: lines(found), json: { well: isWell, findings: found }, exitCode: isWell ? 0 : 1 }
  },
}

function lines(found: readonly Diagnosis[]): readonly string[] {
  const rows = alignColumns(found.map(({ level, what, says }) => [level.padEnd(4), what, says]))
  return found.flatMap(({ todo }, at) => [rows[at] ?? '', ...(todo === undefined ? [] : [`      ${todo}`])])
}
