import { compareReleases, type ReleaseComparison } from '../keeper/compare-releases.ts'
import { rowsOf, summarise, toMarkdown } from '../keeper/describe-comparison.ts'
import { findSubject } from '../keeper/find-subject.ts'
import { UsageError, type Command } from './command.ts'
import { inScratch } from './in-scratch.ts'
import { alignColumns } from './table.ts'

/** `stoa diff`: what is different between two releases of a plugin. */
export const diff: Command = {
  usage: '<before> <after> [--index <folder>] [--markdown]',
  summary: 'Shows what a release may do, offers and holds that another does not.',
  about: [
    'Each of the two is a package, a plugin’s folder or, with --index, name@version. The rights that decide whether',
    'administrators are asked again come first: none, narrower or wider.',
  ],
  examples: ['stoa diff acme.sales-0.1.0.plugin.zip sales'],
  options: { index: 'the folder of an index, where name@version is looked up' },
  flags: { markdown: 'write a table for a pull request' },
  async run([before, after, ...more], { index }, flags) {
    if (before === undefined || after === undefined || more.length > 0)
      throw new UsageError('Give the release before and the one after.')
    return inScratch(async (scratch) => {
      const [old, now] = await Promise.all([findSubject(before, scratch, index), findSubject(after, scratch, index)])
      for (const [found, path] of [
        [old, before],
        [now, after],
      ] as const)
        if (!found)
          throw new UsageError(`There is no ${path}${index === undefined ? '' : ', neither here nor in the index'}.`)
      if (!old || !now) throw new UsageError('There are no two releases.')
      if (old.opened.manifest.name !== now.opened.manifest.name)
        throw new UsageError(`${old.opened.manifest.name} and ${now.opened.manifest.name} are two plugins.`)
      const comparison = compareReleases(old.opened, now.opened)
      return { text: flags.has('markdown') ? [toMarkdown(comparison).trimEnd()] : lines(comparison), json: comparison }
    })
  },
}

function lines(comparison: ReleaseComparison): readonly string[] {
  const rows = rowsOf(comparison).map(([kind, change, which, remark]) => [`  ${change}`, kind, which, remark])
  return [summarise(comparison), ...(rows.length === 0 ? ['  nothing else is different'] : alignColumns(rows))]
}
