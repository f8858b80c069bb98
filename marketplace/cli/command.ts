import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from './progress.ts'

/** What a command has to say: lines for a person, a value for a program. */
export interface Answer {
  readonly text: readonly string[]
  readonly json: unknown
  /** 0 unless said otherwise; 1 when what was asked for was done and the answer is no. */
  readonly exitCode?: 0 | 1
}

/** One command of `stoa`. */
export interface Command {
  /** What follows the command's name, as the help shows it. */
  readonly usage: string
  /** One sentence for the list of commands. */
  readonly summary: string
  /** What a stranger has to know beyond the summary, a line each. */
  readonly about?: readonly string[]
  /** Whole command lines that work one after the other, in the order in which a publisher's or keeper's day runs. */
  readonly examples: readonly string[]
  /** The options that take a value, each with its sentence. */
  readonly options: Readonly<Record<string, string>>
  /** The options that take none, each with its sentence. */
  readonly flags?: Readonly<Record<string, string>>
  /** `flags` are those that were given, `json` and `quiet` among them. */
  run(
    operands: readonly string[],
    options: Readonly<Record<string, string | undefined>>,
    flags: ReadonlySet<string>,
    progress: Progress,
  ): Promise<Answer>
}

/** The command line is not understood; the message says what to write instead. */
export class UsageError extends Error {}

/** The one operand of a command. */
export function onlyOperand(operands: readonly string[], what: string): string {
  const [operand] = operands
  if (operand === undefined || operands.length > 1) throw new UsageError(`Give ${what}.`)
  return operand
}

/** The operand of a command that can do without. */
export function atMostOneOperand(operands: readonly string[]): string | undefined {
  if (operands.length > 1) throw new UsageError('Give one folder.')
  return operands[0]
}

/** A folder without a manifest is none of a plugin. */
export async function requireManifest(directory: string): Promise<void> {
  if (!(await stat(join(directory, 'manifest.json')).catch(() => undefined)))
    throw new UsageError(`There is no manifest.json in ${directory}.`)
}

/** The value of an option that a command cannot do without. */
export function requiredOption(value: string | undefined, name: string, what: string): string {
  if (value === undefined) throw new UsageError(`Give ${what}: --${name}.`)
  return value
}

/** A whole number from an option, or what it is without one. */
export function wholeNumber(
  value: string | undefined,
  name: string,
  least: number,
  most: number,
  unless: number,
): number {
  if (value === undefined) return unless
  if (!/^\d{1,9}$/.test(value) || Number(value) < least || Number(value) > most)
    throw new UsageError(`--${name} is a whole number from ${least} to ${most}.`)
  return Number(value)
}
