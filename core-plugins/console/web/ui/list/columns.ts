/** A column of a table. */
export interface Column {
  readonly key: string
  readonly title: string
  /** The name by which the server sorts, where it does. */
  readonly sort?: string
  readonly align?: 'end'
}

/** How narrow and how wide a column may be made, in pixels. */
export const leastWidth = 48
export const mostWidth = 1200
