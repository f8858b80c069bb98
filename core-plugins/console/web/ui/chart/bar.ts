/** A bar of a chart. */
export interface Bar {
  /** When it begins. */
  readonly from: string
  readonly label: string
  readonly value: number
  /** The number as the server told it, which nothing was rounded of. */
  readonly exact: string
}

/** The same with what was there in the time before. */
export interface ComparedBar extends Bar {
  readonly before?: Pick<Bar, 'value' | 'exact'> | undefined
  /** Its time is not over. */
  readonly isOpen: boolean
}
