import type { Usage, Visibility } from '../models.ts'

/** Who may read a file for this use: what is wanted, otherwise everybody for pictures that pages show to everybody. */
export function visibilityFor(usage: Usage, wanted: Visibility | undefined): Visibility {
  return wanted ?? (usage === 'avatar' || usage === 'config' ? 'public' : 'private')
}
