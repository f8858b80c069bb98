/** What of a long table is drawn: the rest is room that is as high as its rows. */
export interface RowsInView {
  /** Places of rows, each with the height of what is left out before it. */
  readonly lines: readonly { readonly index: number; readonly before: number }[]
  /** The height of what is left out at the end. */
  readonly after: number
  /** How wide each column stays whatever rows are drawn, in per cent; undefined while all are. */
  readonly shares: readonly number[] | undefined
  /** Whether rows are missing, so that a row has to say which it is. */
  readonly isPart: boolean
  /** How a row is marked. */
  markOf(index: number): 'found' | 'matching' | 'fresh' | undefined
  /** Is told of rows as they are drawn, to know how high they are. */
  readonly measure: (row: unknown) => void
}
