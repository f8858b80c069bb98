import type { Command } from './command.ts'
import { commands } from './commands.ts'

const everywhere = {
  json: 'answer with one line of JSON',
  quiet: 'tell no progress; without it long work tells on standard error how far it is',
}
const width = 16
/** What each group of commands is for; the empty one is all of them. */
const groups: Readonly<Record<string, string>> = {
  '': 'Makes, checks and publishes plugins of Stoa, and keeps indexes of them.',
  index: 'Keeps an index of plugins.',
  licence: 'Makes and reads licences of commercial plugins.',
}

/** The list of commands; of a group such as `index`, those of the group. */
export function overview(group?: string): string {
  const shown = Object.entries(commands).filter(([name]) => group === undefined || name.startsWith(`${group} `))
  const lines = shown.map(([name, { summary }]) => `  stoa ${name.padEnd(width + 4)} ${summary}`)
  const first = groups[group ?? ''] ?? groups['']
  return [
    first,
    '',
    ...lines,
    '',
    `stoa help ${group === undefined ? '' : `${group} `}<command> tells more of one.`,
  ].join('\n')
}

/** What a stranger has to know to use a command. */
export function helpOf(name: string, { usage, summary, about = [], examples, options, flags }: Command): string {
  const all = Object.entries({ ...options, ...flags, ...everywhere })
  return [
    `stoa ${name} ${usage} [--json] [--quiet]`,
    summary,
    ...(about.length > 0 ? ['', ...about] : []),
    '',
    ...all.map(([option, sentence]) => `  --${option.padEnd(width)} ${sentence}`),
    '',
    examples.length === 1 ? 'Example' : 'Examples',
    ...examples.map((example) => `  ${example}`),
    '',
    'Exit code: 0 done, 1 refused, 2 command line not understood.',
  ].join('\n')
}
