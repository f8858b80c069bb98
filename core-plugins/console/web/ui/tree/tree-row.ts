/** A row of a tree as it is drawn: those that are shut away are not there. */
export interface TreeRow {
  readonly id: number | string
  readonly label: string
  readonly depth: number
  readonly hasChildren: boolean
  readonly isOpen: boolean
  readonly isOff?: boolean
  readonly note?: string | undefined
  /** It is none itself, and stands for those below this one that are not read yet. */
  readonly moreOf?: number
}
