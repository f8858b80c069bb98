import { satisfies } from 'semver'
import type { ReleaseComparison } from './compare-releases.ts'

/** One line of a comparison: what kind of thing, whether it came or went, which, and what there is to say of it. */
type ComparisonRow = readonly [kind: string, change: string, which: string, remark: string]

const changes = {
  none: 'asks for the same rights',
  narrower: 'asks for fewer rights',
  wider: 'asks for more rights: administrators are asked before they upgrade',
}

/** What a comparison comes to, in a sentence. */
export function summarise({ name, from, to, change, size }: ReleaseComparison): string {
  return `${name} ${from} → ${to} ${changes[change]} (${change}); ${size.before} → ${size.after} bytes packed`
}

/** A comparison in lines, rights first. */
export function rowsOf({ added, removed, routes, services, files }: ReleaseComparison): readonly ComparisonRow[] {
  return [
    ...added.map(({ kind, detail, reason = '' }): ComparisonRow => [words(kind), '+', detail, reason]),
    ...removed.map(({ kind, detail }): ComparisonRow => [words(kind), '-', detail, '']),
    ...routes.map(({ area, route, change, before, after }): ComparisonRow => {
      if (change === 'permission')
        return [`${area} route`, '~', route, `permission ${before ?? 'none'} → ${after ?? 'none'}`]
      const permission = area === 'public' ? 'anybody' : ((change === 'added' ? after : before) ?? 'signed in')
      return [`${area} route`, change === 'added' ? '+' : '-', route, permission]
    }),
    ...services.map(({ service, before, after }): ComparisonRow => {
      const [, id = service] = /^(.+\/[^.]+)\./.exec(service) ?? []
      const kind = id === service ? 'provided service' : 'provided method'
      if (before === null) return [kind, '+', service, after ?? '']
      if (after === null) return [kind, '-', service, `leaves those without it that use ${id} ${before}`]
      const isTaken = satisfies(after, `^${before}`)
      const remark = isTaken ? '' : `: leaves those without it that use ^${before}`
      return [kind, '~', service, `${before} → ${after}${remark}`]
    }),
    ...files.map(({ path, before, after }): ComparisonRow => {
      if (before === null) return ['file', '+', path, `${after} bytes`]
      return after === null ? ['file', '-', path, `${before} bytes`] : ['file', '~', path, `${before} → ${after} bytes`]
    }),
  ]
}

/** A comparison as a comment of a code host; what the plugin's author wrote stays text. */
export function toMarkdown(comparison: ReleaseComparison): string {
  const rows = rowsOf(comparison)
  if (rows.length === 0) return `**${escapeMarkdown(summarise(comparison))}**\n\nNothing else is different.\n`
  return [
    `**${escapeMarkdown(summarise(comparison))}**`,
    '',
    '|  | what | which | remark |',
    '| --- | --- | --- | --- |',
    ...rows.map(([kind, change, which, remark]) => {
      return `| ${change} | ${kind} | ${escapeMarkdown(which)} | ${escapeMarkdown(remark)} |`
    }),
    '',
  ].join('\n')
}

/** Text that no Markdown reader takes for anything else. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\r\n]+/g, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/[\\`*_{}[\]()#+!|~>@-]/g, '\\$&')
}

function words(kind: string): string {
  return kind.replaceAll('_', ' ')
}
