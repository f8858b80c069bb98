/** A mistake in the basic template: what is written in the place of what, and where and how it is told. */
export interface Mistake {
  readonly file: string
  /** A text of the file and what stands there instead; without it the file is written anew. */
  readonly from?: string
  readonly to: string
  /** The file and a text of the line that the author is led to. */
  readonly at: readonly [file: string, line: string]
  readonly says: RegExp
  /** What the manifest says meanwhile, each text of it in the place of another. */
  readonly manifest?: readonly (readonly [from: string, to: string])[]
  /** An error unless told otherwise. */
  readonly level?: 'warning'
  /** Seen only when the module runs. */
  readonly isLoaded?: true
}
