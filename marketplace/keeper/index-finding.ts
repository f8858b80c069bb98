import type { ReviewFinding } from '../index-format/review-file.ts'

/** Something that the check of an index found, with the release it is about; an error keeps the index from being published. */
export interface IndexFinding extends ReviewFinding {
  readonly plugin?: string
  readonly version?: string
}

/** A finding in one line. */
export function describeFinding({ level, rule, message, plugin, version, file, line }: IndexFinding): string {
  const about = [plugin, version].filter((part) => part !== undefined).join(' ')
  const place = file === undefined ? '' : `${file}${line ? `:${line}` : ''}`
  return [level, rule, [about, place].filter(Boolean).join(', '), message].filter(Boolean).join('  ')
}

/** Errors first, then warnings, then what is only said; within each in the order in which they were found. */
export function sortFindings<T extends Pick<IndexFinding, 'level'>>(findings: readonly T[]): T[] {
  const order = ['error', 'warning', 'info']
  return [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
}
