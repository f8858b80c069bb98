import { parseArgs, type ParseArgsConfig } from 'node:util'
import { AppError } from '#kernel'
import { UsageError, type Command } from './cli/command.ts'
import { create } from './cli/create.ts'
import { dev } from './cli/dev.ts'
import { keygen } from './cli/keygen.ts'
import { pack } from './cli/pack.ts'
import { test } from './cli/test.ts'
import { validate } from './cli/validate.ts'
import { verify } from './cli/verify.ts'
import { PlatformRefusal } from './dev/platform-client.ts'

const COMMANDS: Readonly<Record<string, Command>> = { create, dev, test, validate, pack, keygen, verify }

/** What a run of the command line leaves behind: 0 done, 1 refused, 2 not understood. */
export interface Outcome {
  readonly exitCode: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

/** Runs `stoa` with what follows it on the command line. */
export async function runCommandLine(args: readonly string[]): Promise<Outcome> {
  const [name = 'help', ...rest] = args
  if (['help', '--help', '-h'].includes(name)) return said(0, helpOf(rest[0]))
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return said(2, `stoa has no command ${name}.\n\n${overview()}`)
  if (rest.includes('--help') || rest.includes('-h')) return said(0, helpOf(name))
  const isJson = rest.includes('--json')
  try {
    const { operands, options, flags } = readArguments(command, rest)
    const answer = await command.run(operands, options, flags)
    const stdout = isJson ? `${JSON.stringify(answer.json)}\n` : answer.text.map((line) => `${line}\n`).join('')
    return { exitCode: answer.exitCode ?? 0, stdout, stderr: '' }
  } catch (error) {
    if (error instanceof UsageError) return said(2, `${error.message}\nstoa help ${name} tells how it is written.`)
    if (error instanceof AppError) return refused(error, isJson)
    if (error instanceof PlatformRefusal) return said(1, error.message)
    throw error
  }
}

function readArguments(command: Command, args: readonly string[]) {
  const allowed: NonNullable<ParseArgsConfig['options']> = { json: { type: 'boolean' } }
  for (const name of Object.keys(command.options)) allowed[name] = { type: 'string' }
  for (const name of Object.keys(command.flags ?? {})) allowed[name] = { type: 'boolean' }
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: allowed })
    const options: Record<string, string | undefined> = {}
    for (const [name, value] of Object.entries(values)) if (typeof value === 'string') options[name] = value
    const flags = new Set(Object.keys(values).filter((name) => values[name] === true))
    return { operands: positionals, options, flags }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function refused({ code, reason, message, errors, details }: AppError, isJson: boolean): Outcome {
  if (isJson)
    return { exitCode: 1, stdout: `${JSON.stringify({ code, reason, message, errors, details })}\n`, stderr: '' }
  const faults = (errors ?? []).map(({ field, message }) => `  ${field || 'manifest.json'}: ${message}`)
  const path = typeof details?.['path'] === 'string' ? [`  ${details['path']}`] : []
  return said(1, [`${message} (${code} ${reason})`, ...path, ...faults].join('\n'))
}

function said(exitCode: 0 | 1 | 2, text: string): Outcome {
  return exitCode === 0 ? { exitCode, stdout: `${text}\n`, stderr: '' } : { exitCode, stdout: '', stderr: `${text}\n` }
}

function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  stoa ${name.padEnd(9)} ${summary}`)
  return ['Makes and checks plugins of Stoa.', '', ...lines, '', 'stoa help <command> tells more of one.'].join('\n')
}

function helpOf(name: string | undefined): string {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return overview()
  const options = { ...command.options, ...command.flags, json: 'answer with one line of JSON' }
  const lines = Object.entries(options).map(([option, sentence]) => `  --${option.padEnd(8)} ${sentence}`)
  return [
    `stoa ${name} ${command.usage} [--json]`,
    command.summary,
    '',
    ...lines,
    '',
    'Exit code: 0 done, 1 refused, 2 command line not understood.',
  ].join('\n')
}
