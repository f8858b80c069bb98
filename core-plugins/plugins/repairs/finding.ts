/** What is looked at. */
export type Check =
  'package' | 'files' | 'migrations' | 'tables' | 'fences' | 'role' | 'strays' | 'registries' | 'start'

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
}

/** Something that is as it should be. */
export function fine(check: Check): Finding {
  return { check, ok: true, action: null, detail: null }
}

/** Something that is not, with what is done about it. */
export function fault(check: Check, action: NonNullable<Finding['action']>, detail: string): Finding {
  return { check, ok: false, action, detail }
}

/** What somebody has to do; undefined when everything is mended. */
export function unmended(findings: readonly Finding[]): string | undefined {
  return findings.find(({ ok, action }) => !ok && action === 'manual')?.detail ?? undefined
}
