import { PlatformModel } from '#kernel'

/** How the platform arranged an entry of the navigation otherwise than its plugin declared it; null says nothing. */
export class MenuOverride extends PlatformModel {
  static override tableName = 'access_menus'
  static override idColumn = 'name'
  static override jsonAttributes = ['titles']

  declare name: string
  declare hidden: boolean | null
  declare sort: number | null
  /** In every language that `titles` says nothing of. */
  declare title: string | null
  declare titles: Readonly<Record<string, string | undefined>> | null
  /** Whether `parent` counts, which then may be null for the top. */
  declare moved: boolean
  declare parent: string | null
  declare updatedAt: Date
}
