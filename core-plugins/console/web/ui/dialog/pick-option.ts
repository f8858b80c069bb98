/** One of many to pick. */
export interface PickOption {
  readonly value: string
  readonly label: string
  readonly hint?: string
}
