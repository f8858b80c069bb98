import type { Menu } from '../api/me.ts'

/** An entry of the navigation with how it was arranged. */
export interface ArrangedMenu extends Omit<Menu, 'children'> {
  readonly area: 'admin' | 'tenant' | 'user'
  readonly sort: number
  /** As its plugin declared them, by language. */
  readonly declared_titles: Readonly<Record<string, string>>
  readonly overrides: Readonly<Record<string, unknown>>
  readonly children: readonly ArrangedMenu[]
}
