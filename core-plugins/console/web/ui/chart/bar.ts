/** A number, and as the server told it, which nothing was rounded of. */
export interface Amount {
  readonly value: number
  readonly exact: string
}

/** A part of the time that a chart is of. */
export interface Part {
  /** When it begins, and when it is over. */
  readonly from: string
  readonly to: string
  readonly label: string
  /** Its time is not over. */
  readonly isOpen?: boolean
}

/** A bar of a chart. */
export interface Bar extends Part, Amount {}

/** One of the lines of a chart. */
export interface Line {
  readonly label: string
  /** What stands over its numbers, where they are a table. */
  readonly head: string
  /** One for each part of the time; none where nothing is known of it. */
  readonly amounts: readonly (Amount | undefined)[]
  /** It is of the time before. */
  readonly isBefore?: boolean
}
