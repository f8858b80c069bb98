/** A column of a table. */
export interface Column {
  readonly key: string
  readonly title: string
  /** The name by which the server sorts, where it does. */
  readonly sort?: string
  readonly align?: 'end'
}
