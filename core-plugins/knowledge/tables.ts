import { PlatformModel, TenantModel } from '#kernel'

/** A knowledge base. */
export class KnowledgeBaseRow extends TenantModel {
  static override tableName = 'ai_knowledge_bases'
  static override jsonAttributes = ['vectorError']

  declare id: string
  /** Stands before its terms in the index. */
  declare number: number
  /** Of its terms in the index of all knowledge bases. */
  declare salt: string
  declare name: string
  declare description: string
  declare language: string | null
  declare accessMode: 'all' | 'restricted'
  declare accessRoles: readonly string[]
  declare accessOrgs: readonly number[]
  declare accessUsers: readonly number[]
  declare topK: number
  declare minScore: number
  declare documentCount: number
  declare chunkCount: number
  /** Of all its chunks, for their average length. */
  declare termCount: number
  /** The model that is wanted, by name; null for none. */
  declare embeddingModel: string | null
  /** Of the vectors that are looked in: the model as `name@3`; null while there are none. */
  declare vectorModel: string | null
  declare vectorDimension: number | null
  declare vectorVersion: number
  /** Of those that are being made to take their place. */
  declare nextModel: string | null
  /** Why no more of them were made. */
  declare vectorError: DocumentFailure | null
  declare revision: number
  declare createdBy: number | null
  declare createdAt: Date
  declare updatedAt: Date
}

/** How a document's content comes. */
type DocumentSource = 'text' | 'attachment' | 'url'

/** What became of a document that could not be read. */
export interface DocumentFailure {
  readonly code: number
  readonly reason: string
  readonly message: string
}

/** A document of a knowledge base. */
export class KnowledgeDocumentRow extends TenantModel {
  static override tableName = 'ai_knowledge_documents'
  static override jsonAttributes = ['error']

  declare id: string
  declare baseId: string
  declare title: string
  declare source: DocumentSource
  declare attachmentId: string | null
  declare url: string | null
  /** Of what was given as text. */
  declare content: string | null
  declare mimeType: string | null
  /** Bytes. */
  declare size: number | null
  declare status: 'queued' | 'indexing' | 'ready' | 'failed'
  /** Per cent. */
  declare progress: number
  declare chunkCount: number
  declare termCount: number
  declare error: DocumentFailure | null
  declare createdBy: number | null
  declare createdAt: Date
  declare updatedAt: Date
  declare indexedAt: Date | null
}

/** A part of a document, with its terms. */
export class KnowledgeChunkRow extends TenantModel {
  static override tableName = 'ai_knowledge_chunks'

  declare id: string
  declare baseId: string
  declare documentId: string
  declare position: number
  declare headings: readonly string[]
  declare page: number | null
  declare text: string
  declare termCount: number
  /** A `tsvector`: each term with its base's number before it, at as many positions as it has occurrences. */
  declare terms: string
}

/** In how many chunks of a knowledge base a term is. */
export class KnowledgeTermRow extends TenantModel {
  static override tableName = 'ai_knowledge_terms'
  static override idColumn = ['base_id', 'term']

  declare baseId: string
  declare term: string
  declare chunks: number
}

/** A chunk as a vector, by the model of one version of its knowledge base's vectors. */
export class KnowledgeVectorRow extends TenantModel {
  static override tableName = 'ai_knowledge_vectors'
  static override idColumn = ['chunk_id', 'version']

  declare chunkId: string
  declare version: number
  declare baseId: string
  declare embedding: readonly number[]
}

/** What a chunk is found by: no tenant's row, and readable by nobody who does not know the salt of its knowledge base. */
export class KnowledgeIndexRow extends PlatformModel {
  static override tableName = 'ai_knowledge_index'
  static override idColumn = 'chunk_id'

  declare chunkId: string
  /** A `tsvector` of hashed terms. */
  declare terms: string
}
