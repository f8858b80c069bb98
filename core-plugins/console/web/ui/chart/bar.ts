/** A bar of a chart. */
export interface Bar {
  /** When it begins. */
  readonly from: string
  readonly label: string
  readonly value: number
  /** The number as the server told it, which nothing was rounded of. */
  readonly exact: string
}
