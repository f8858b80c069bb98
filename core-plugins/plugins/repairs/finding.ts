import { saidOf, type Said, type TextTeller } from '#kernel'

/** What is looked at. */
type Check = 'package' | 'files' | 'migrations' | 'tables' | 'fences' | 'role' | 'strays' | 'registries' | 'start'

/** What was found, and what was done about it; in a dry run what would be. */
export interface Finding {
  readonly check: Check
  /** Whether it was as it should be. */
  readonly ok: boolean
  /** Null where nothing had to be done; `manual` where somebody has to do what the detail says. */
  readonly action:
    | 'taken_again'
    | 'unpacked_again'
    | 'migrated'
    | 'made_empty'
    | 'fenced'
    | 'granted'
    | 'dropped'
    | 'loaded_anew'
    | 'manual'
    | null
  readonly detail: string | null
  /** What the detail is told from. */
  readonly said?: Said
}

/** Something that is as it should be. */
export function fine(check: Check): Finding {
  return { check, ok: true, action: null, detail: null }
}

/** Something that is not, with what is done about it. */
export function fault(check: Check, action: NonNullable<Finding['action']>, said: Said): Finding {
  return { check, ok: false, action, detail: said.words, said }
}

/** What somebody has to do; undefined when everything is mended. */
export function unmended(findings: readonly Finding[]): Said | undefined {
  const found = findings.find(({ ok, action }) => !ok && action === 'manual')
  return found && saidOf(found.detail, found.said ?? null)
}

/** A finding in the language of who reads it. */
export function presentFinding({ check, ok, action, detail, said }: Finding, teller: TextTeller, locale: string) {
  return { check, ok, action, detail: teller.tellKept(detail, said ?? null, locale) }
}
