import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AppError, platformVersion } from '#kernel'
import { UsageError, type Command } from './cli/command.ts'
import { commands } from './cli/commands.ts'
import { helpOf, overview } from './cli/help.ts'
import { createProgress, silent, type ProgressStream } from './cli/progress.ts'
import { PlatformRefusal } from './dev/platform-client.ts'
import { FetchFailure } from './keeper/fetch-file.ts'
import { describeFinding } from './keeper/index-finding.ts'
import { IndexRefusal } from './keeper/index-refusal.ts'
import { nearest } from './nearest.ts'

/** What a run of the command line leaves behind: 0 done, 1 refused, 2 not understood. */
export interface Outcome {
  readonly exitCode: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

/** What commands of two words begin with. */
const groups = ['index', 'licence']

/** Runs `stoa` with what follows it on the command line; `progressTo` is told how far long work has come. */
export async function runCommandLine(args: readonly string[], progressTo?: ProgressStream): Promise<Outcome> {
  if (args.length === 1 && ['--version', '-V', 'version'].includes(args[0] ?? '')) return said(0, platformVersion)
  const asksForHelp = ['help', '--help', '-h'].includes(args[0] ?? 'help')
  const { name, command, rest } = findCommand(asksForHelp ? args.slice(1) : args)
  if (!command) return asksForHelp || rest.includes('--help') ? tellOf(name) : notACommand(name, rest)
  if (asksForHelp || rest.includes('--help') || rest.includes('-h')) return said(0, helpOf(name, command))
  const isJson = rest.includes('--json')
  const isTold = progressTo !== undefined && !isJson && !rest.includes('--quiet')
  const progress = isTold ? createProgress(progressTo) : silent
  try {
    const { operands, options, flags } = readArguments(command, rest)
    const answer = await command.run(operands, options, flags, progress)
    const stdout = isJson ? `${JSON.stringify(answer.json)}\n` : answer.text.map((line) => `${line}\n`).join('')
    return { exitCode: answer.exitCode ?? 0, stdout, stderr: '' }
  } catch (error) {
    if (error instanceof UsageError) return said(2, `${error.message}\nstoa help ${name} tells how it is written.`)
    if (error instanceof AppError) return refused(error, isJson)
    if (error instanceof IndexRefusal) return refusedByIndex(error, isJson)
    if (error instanceof PlatformRefusal || error instanceof FetchFailure) return notDone(error, isJson)
    throw error
  } finally {
    progress.end()
  }
}

/** The command that the arguments begin with, in one word or two; without one, `name` may be that of a group. */
function findCommand(args: readonly string[]) {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ')
    if (Object.hasOwn(commands, name)) return { name, command: commands[name], rest: args.slice(words) }
  }
  return { name: args[0] ?? '', command: undefined, rest: args.slice(1) }
}

function isGroup(name: string): boolean {
  return Object.keys(commands).some((command) => command.startsWith(`${name} `))
}

function tellOf(name: string): Outcome {
  return said(0, overview(isGroup(name) ? name : undefined))
}

/** Short, so that it is what is seen last: the list is asked for by itself. */
function notACommand(name: string, [word]: readonly string[]): Outcome {
  const names = Object.keys(commands)
  if (isGroup(name) && word === undefined) return said(2, `Say what to do with the ${name}.\n\n${overview(name)}`)
  const given = isGroup(name) ? `${name} ${word ?? ''}` : name
  const near = nearest(given, isGroup(name) ? names : [...names, ...groups])
  const mend = near === undefined ? '' : ` Did you mean stoa ${near}?`
  return said(2, `stoa has no command ${given}.${mend}\nstoa help${isGroup(name) ? ` ${name}` : ''} lists them.`)
}

function readArguments(command: Command, args: readonly string[]) {
  const allowed: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' }, quiet: { type: 'boolean' } }
  for (const name of Object.keys(command.options)) allowed[name] = { type: 'string' }
  for (const name of Object.keys(command.flags ?? {})) allowed[name] = { type: 'boolean' }
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: allowed })
    const options: Record<string, string | undefined> = {}
    for (const [name, value] of Object.entries(values)) if (typeof value === 'string') options[name] = value
    const flags = new Set(Object.keys(values).filter((name) => values[name] === true))
    return { operands: positionals, options, flags }
  } catch (error) {
    const message = (error as Error).message
    const [, option = ''] = /Unknown option '(--[\w-]+)/.exec(message) ?? []
    const near = nearest(
      option,
      Object.keys(allowed).map((name) => `--${name}`),
    )
    if (option !== '')
      throw new UsageError(`There is no ${option}.${near === undefined ? '' : ` Did you mean ${near}?`}`)
    throw new UsageError(message)
  }
}

function refused({ code, reason, message, errors, details }: AppError, isJson: boolean): Outcome {
  if (isJson)
    return { exitCode: 1, stdout: `${JSON.stringify({ code, reason, message, errors, details })}\n`, stderr: '' }
  const faults = (errors ?? []).map(({ field, message }) => `  ${field || 'manifest.json'}: ${message}`)
  const path = typeof details?.['path'] === 'string' ? [`  ${details['path']}`] : []
  return said(1, [`${message} (${code} ${reason})`, ...path, ...faults].join('\n'))
}

function refusedByIndex({ message, findings }: IndexRefusal, isJson: boolean): Outcome {
  if (isJson) return { exitCode: 1, stdout: `${JSON.stringify({ message, findings })}\n`, stderr: '' }
  return said(1, [message, ...findings.map((finding) => `  ${describeFinding(finding)}`)].join('\n'))
}

function notDone({ message }: Error, isJson: boolean): Outcome {
  return isJson ? { exitCode: 1, stdout: `${JSON.stringify({ message })}\n`, stderr: '' } : said(1, message)
}

function said(exitCode: 0 | 1 | 2, text: string): Outcome {
  return exitCode === 0 ? { exitCode, stdout: `${text}\n`, stderr: '' } : { exitCode, stdout: '', stderr: `${text}\n` }
}
