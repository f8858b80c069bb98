import { onlyOperand, UsageError, type Command } from './command.ts'

/** What a shell completes of a command. */
interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: readonly string[]
}

const shells = ['bash', 'zsh', 'fish'] as const
const everywhere = ['json', 'quiet', 'help']

/** `stoa completion`: for a shell, so that it completes the others; which those are is asked when it runs. */
export function createCompletion(commands: () => Readonly<Record<string, Command>>): Command {
  return {
    usage: '<bash|zsh|fish>',
    summary: 'Writes what makes a shell complete commands and options.',
    about: [
      'bash: eval "$(stoa completion bash)" in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit;',
      'fish: stoa completion fish >~/.config/fish/completions/stoa.fish.',
    ],
    examples: ['stoa completion bash'],
    options: {},
    run(operands) {
      const shell = shells.find((known) => known === onlyOperand(operands, `a shell: ${shells.join(', ')}`))
      if (!shell) throw new UsageError(`There is no completion for ${operands[0]}: ${shells.join(', ')}.`)
      const completed = Object.entries(commands()).map(([name, { summary, options, flags }]) => {
        return { name, summary, options: [...Object.keys(options), ...Object.keys(flags ?? {}), ...everywhere] }
      })
      const script = shell === 'fish' ? forFish(completed) : forBash(completed, shell === 'zsh')
      return Promise.resolve({ text: script, json: { shell, script: script.join('\n') } })
    },
  }
}

/** zsh runs the functions of bash when it is asked to. */
function forBash(completed: readonly Completed[], isZsh: boolean): readonly string[] {
  const firsts = [...new Set(completed.map(({ name }) => name.split(' ')[0]))].join(' ')
  const groups = Map.groupBy(
    completed.filter(({ name }) => name.includes(' ')),
    ({ name }) => name.split(' ')[0] ?? '',
  )
  return [
    ...(isZsh ? ['autoload -U +X bashcompinit && bashcompinit'] : []),
    '_stoa() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" first="${COMP_WORDS[1]}" second="${COMP_WORDS[2]}" words=""',
    `  if [ "$COMP_CWORD" -eq 1 ]; then words="${firsts} help"`,
    '  else case "$first $second" in',
    ...[...groups].map(([group, members]) => {
      const seconds = members.map(({ name }) => name.split(' ')[1]).join(' ')
      return `    "${group} $word") words="${seconds}";;`
    }),
    ...completed.map(({ name, options }) => {
      const pattern = name.includes(' ') ? `"${name}"` : `"${name} "*`
      return `    ${pattern}) words="${options.map((option) => `--${option}`).join(' ')}";;`
    }),
    '  esac; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _stoa stoa',
  ]
}

function forFish(completed: readonly Completed[]): readonly string[] {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`\\'`)}'`
  return completed.flatMap(({ name, summary, options }) => {
    const [first = '', second] = name.split(' ')
    const seen =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
    const begins = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`
    return [
      ...(second === undefined ? [] : [`complete -c stoa -n __fish_use_subcommand -a ${first}`]),
      `complete -c stoa -n ${quoted(begins)} -a ${second ?? first} -d ${quoted(summary)}`,
      ...options.map((option) => `complete -c stoa -n ${quoted(seen)} -l ${option}`),
    ]
  })
}
