/** One of several to choose. */
export interface Choice {
  readonly value: string
  readonly label: string
}

/** Something that a list is narrowed by. */
export interface ListFilter {
  readonly name: string
  readonly label: string
  readonly options: readonly Choice[]
}
