/** What a command has to say: lines for a person, a value for a program. */
export interface Answer {
  readonly text: readonly string[]
  readonly json: unknown
}

/** One command of `stoa`. */
export interface Command {
  /** What follows the command's name, as the help shows it. */
  readonly usage: string
  /** One sentence for the list of commands. */
  readonly summary: string
  /** The options that take a value, each with its sentence. */
  readonly options: Readonly<Record<string, string>>
  run(operands: readonly string[], options: Readonly<Record<string, string | undefined>>): Promise<Answer>
}

/** The command line is not understood; the message says what to write instead. */
export class UsageError extends Error {}

/** The one operand of a command. */
export function onlyOperand(operands: readonly string[], what: string): string {
  const [operand] = operands
  if (operand === undefined || operands.length > 1) throw new UsageError(`Give ${what}.`)
  return operand
}
