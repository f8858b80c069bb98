import { relative, resolve } from 'node:path'
import { addRelease, type AddedRelease } from '../keeper/add-release.ts'
import { rowsOf, summarise, toMarkdown } from '../keeper/describe-comparison.ts'
import { describeFinding } from '../keeper/index-finding.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { indexOption, momentOf } from './index-options.ts'
import { alignColumns } from './table.ts'

/** `stoa publish`: adds a signed package to the folder of an index. */
export const publish: Command = {
  usage: '<package> [--index <folder>] [--url <https address>] [--dry-run] [--markdown]',
  summary: 'Adds a signed package to the folder of an index, for a pull request or at once.',
  about: [
    'Refuses what stoa index check would refuse, and writes nothing then. Writes the package, its pages and its version',
    'below p/ and nothing else; the keeper builds and signs the index.',
  ],
  examples: ['stoa publish acme.sales-0.1.0.plugin.zip --index plugins'],
  options: {
    index: indexOption,
    url: 'where the package can be fetched, if it is not to lie in the index',
    published: 'the moment of publication; now unless given',
  },
  flags: { 'dry-run': 'check everything and write nothing', markdown: 'answer with a text for the pull request' },
  async run(operands, { index = '.', url, published }, flags, progress) {
    const zip = onlyOperand(operands, 'a package')
    if (url !== undefined && URL.parse(url)?.protocol !== 'https:') throw new UsageError('--url is an https address.')
    const isDryRun = flags.has('dry-run')
    progress.tell(`Checking ${relative('', zip) || zip}`)
    const added = await inScratch((scratch) =>
      addRelease(resolve(index), zip, {
        ...{ scratch, isDryRun, published: momentOf(published, 'published') },
        ...(url === undefined ? {} : { url }),
      }),
    )
    return {
      text: flags.has('markdown') ? [markdown(added)] : lines(added, index, isDryRun),
      json: { ...added, comparison: added.comparison ?? null, dry_run: isDryRun },
    }
  },
}

function lines(
  { name, version, files, findings, comparison }: AddedRelease,
  index: string,
  isDryRun: boolean,
): readonly string[] {
  const branch = `${name}-${version}`
  return [
    `${isDryRun ? 'Would publish' : 'Published'} ${name} ${version}:`,
    ...files.map((file) => `  ${file}`),
    ...(comparison
      ? [
          '',
          summarise(comparison),
          ...alignColumns(
            rowsOf(comparison).map(([kind, change, which, remark]) => [`  ${change}`, kind, which, remark]),
          ),
        ]
      : []),
    ...(findings.length === 0 ? [] : ['', ...findings.map(describeFinding)]),
    '',
    'To propose it:',
    `  git -C ${index} switch -c ${branch}`,
    `  git -C ${index} add p && git -C ${index} commit -m "${name} ${version}"`,
    `  git -C ${index} push -u origin ${branch}`,
    `or, as its keeper: stoa index build ${index} --key <key file>`,
  ]
}

function markdown({ name, version, comparison }: AddedRelease): string {
  return comparison ? toMarkdown(comparison).trimEnd() : `**${name} ${version}** is the first release.`
}
