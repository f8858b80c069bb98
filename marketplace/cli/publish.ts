import { relative, resolve } from 'node:path'
import { addRelease, type AddedRelease } from '../keeper/add-release.ts'
import { rowsOf, summarise, toMarkdown } from '../keeper/describe-comparison.ts'
import { describeFinding } from '../keeper/index-finding.ts'
import { onlyOperand, UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { momentOf } from './index-options.ts'
import { branchOf, pushBranch } from './push-branch.ts'
import { publishTo } from './publish-to.ts'
import { alignColumns } from './table.ts'

/** `stoa publish`: adds a signed package to the folder of an index. */
export const publish: Command = {
  usage: '<package> [--index <folder or address>] [--url <https address>] [--ci] [--push] [--dry-run] [--markdown]',
  summary:
    'Adds a signed package to an index: to a folder, for a pull request or at once, or to one that takes pushes.',
  about: [
    'Refuses what stoa index check would refuse, and writes nothing then. In a folder it writes the package, its pages and its',
    'version below p/ and nothing else; the keeper builds and signs the index. An address takes the package with a token of its',
    'keeper, in --token-file or STOA_INDEX_TOKEN, or with --ci by the identity of the run, without any secret.',
  ],
  examples: ['stoa publish acme.sales-0.1.0.plugin.zip --index plugins'],
  options: {
    index: 'the folder of the index, or the address of one that takes pushes; this folder unless given',
    'token-file': 'a file with the token that the keeper of an address gave you; STOA_INDEX_TOKEN unless given',
    url: 'where the package can be fetched, if it is not to lie in the index',
    published: 'the moment of publication; now unless given',
  },
  flags: {
    ci: 'push by the identity of this run of a continuous integration',
    push: 'commit what was written on a branch of its own and push that to origin',
    'dry-run': 'check everything and write nothing',
    markdown: 'answer with a text for the pull request',
  },
  async run(operands, { index = '.', url, published, 'token-file': tokenFile }, flags, progress) {
    const zip = onlyOperand(operands, 'a package')
    if (/^https?:\/\//.test(index)) {
      const isAlone = url === undefined && published === undefined && !flags.has('push') && !flags.has('dry-run')
      if (!isAlone) throw new UsageError('An address takes --token-file or --ci, and nothing else.')
      progress.tell(`Sending ${relative('', zip) || zip}`)
      return publishTo(index, zip, { tokenFile, isCi: flags.has('ci') })
    }
    if (flags.has('ci') || tokenFile !== undefined) throw new UsageError('--ci and --token-file are for an address.')
    if (url !== undefined && URL.parse(url)?.protocol !== 'https:') throw new UsageError('--url is an https address.')
    const isDryRun = flags.has('dry-run')
    progress.tell(`Checking ${relative('', zip) || zip}`)
    const added = await inScratch((scratch) =>
      addRelease(resolve(index), zip, {
        ...{ scratch, isDryRun, published: momentOf(published, 'published') },
        ...(url === undefined ? {} : { url }),
      }),
    )
    const isPushed = flags.has('push') && !isDryRun
    if (isPushed) await pushBranch(resolve(index), added)
    return {
      text: flags.has('markdown') ? [markdown(added)] : lines(added, index, { isDryRun, isPushed }),
      json: { ...added, comparison: added.comparison ?? null, dry_run: isDryRun },
    }
  },
}

function lines(
  { name, version, files, findings, comparison }: AddedRelease,
  index: string,
  { isDryRun, isPushed }: { readonly isDryRun: boolean; readonly isPushed: boolean },
): readonly string[] {
  const branch = branchOf({ name, version })
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
    ...(isPushed
      ? [`Pushed the branch ${branch}: open a pull request of it.`]
      : [
          'To propose it:',
          `  git -C ${index} switch -c ${branch}`,
          `  git -C ${index} add p && git -C ${index} commit -m "${name} ${version}"`,
          `  git -C ${index} push -u origin ${branch}`,
          `or, as its keeper: stoa index build ${index} --key <key file>`,
        ]),
  ]
}

function markdown({ name, version, comparison }: AddedRelease): string {
  return comparison ? toMarkdown(comparison).trimEnd() : `**${name} ${version}** is the first release.`
}
