import { relative, resolve } from 'node:path'
import { checkIndex, type IndexCheck } from '../../keeper/check-index.ts'
import { escapeMarkdown, rowsOf, summarise, toMarkdown } from '../../keeper/describe-comparison.ts'
import { describeFinding } from '../../keeper/index-finding.ts'
import { atMostOneOperand, type Command } from '../command.ts'
import { inScratch } from '../in-scratch.ts'
import { alignColumns } from '../table.ts'

/** `stoa index check`: whether an index can be published. */
export const indexCheck: Command = {
  usage: '[<folder>] [--base <folder>] [--markdown] [--no-reviews]',
  summary: 'Checks an index, and every release that is new in it down to its load in a sandbox.',
  about: [
    'Errors: forms, signatures, versions that do not grow, published content that changed, packages that cannot be opened',
    'or loaded, names that read like others. Warnings are for a reviewer. Each release gets review/<version>.json.',
  ],
  examples: ['stoa index check plugins'],
  options: {
    base: 'the folder of the index as it is published: only what is new is opened, and nothing of it may have changed',
  },
  flags: { markdown: 'answer with a comment for the pull request', 'no-reviews': 'write nothing' },
  async run(operands, { base }, flags, progress) {
    const folder = resolve(atMostOneOperand(operands) ?? '.')
    const check = await inScratch((scratch) =>
      checkIndex(folder, {
        scratch,
        isDryRun: flags.has('no-reviews'),
        onRelease: (name, version, done, total) => progress.tell('Checking', done, total, `${name} ${version}`),
        ...(base === undefined ? {} : { base: resolve(base) }),
      }),
    )
    const errors = check.findings.filter(({ level }) => level === 'error').length
    return {
      text: flags.has('markdown') ? markdown(check, errors) : lines(check, relative('', folder) || '.', errors),
      json: { valid: errors === 0, ...check },
      exitCode: errors === 0 ? 0 : 1,
    }
  },
}

function verdict({ releases, findings }: IndexCheck, errors: number): string {
  const counted = `${releases.length} ${releases.length === 1 ? 'release' : 'releases'} opened, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
  return errors === 0
    ? `can be published (${counted}).`
    : `cannot be published: ${errors} ${errors === 1 ? 'error' : 'errors'} (${counted}).`
}

function lines(check: IndexCheck, shown: string, errors: number): readonly string[] {
  return [
    `${shown} ${verdict(check, errors)}`,
    ...check.findings.map((finding) => `  ${describeFinding(finding)}`),
    ...check.comparisons.flatMap((comparison) => [
      '',
      summarise(comparison),
      ...alignColumns(rowsOf(comparison).map(([kind, change, which, remark]) => [`  ${change}`, kind, which, remark])),
    ]),
  ]
}

function markdown(check: IndexCheck, errors: number): readonly string[] {
  return [
    `### This index ${verdict(check, errors)}`,
    '',
    ...check.findings.map((finding) => `- ${escapeMarkdown(describeFinding(finding))}`),
    ...check.comparisons.flatMap((comparison) => ['', toMarkdown(comparison).trimEnd()]),
  ]
}
