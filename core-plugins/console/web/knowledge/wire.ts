/** A knowledge base. */
export interface KnowledgeBase {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly document_count: number
  readonly chunk_count: number
  readonly embedding: {
    readonly state: string
    readonly model: string | null
    readonly error: { readonly message: string } | null
  }
  readonly retrieval: { readonly mode: string; readonly top_k: number; readonly min_score: number }
  /** Also its ETag. */
  readonly version: number
  readonly updated_at: string
}

/** A document of one. */
export interface KnowledgeDocument {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly progress: number
  readonly source: { readonly type: string; readonly url: string | null }
  readonly size: number | null
  readonly chunk_count: number
  readonly error: { readonly message: string } | null
  readonly created_at: string
}
