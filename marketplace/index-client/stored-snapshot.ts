/** A file of a snapshot, as it was published. */
export interface StoredFile {
  readonly bytes: Buffer
  /** What the server called this state of it. */
  readonly etag?: string
}

/** The files of a snapshot that are kept: index.json, index.json.sig, root.json, root.json.sig, and the side files by their names; publishers.json.sig where root.json asks for it. */
export type StoredFileName =
  | 'index.json'
  | 'index.json.sig'
  | 'root.json'
  | 'root.json.sig'
  | 'publishers.json'
  | 'publishers.json.sig'
  | 'revocations.json'
  | 'categories.json'
  | 'ratings.json'

/** The last good snapshot of a source; verified anew whenever it is taken up. */
export interface StoredSnapshot {
  /** Repeats what index.json says, to be compared without reading it. */
  readonly sequence: number
  /** When it was fetched, ISO 8601. */
  readonly fetched: string
  readonly files: Readonly<Partial<Record<StoredFileName, StoredFile>>>
}
