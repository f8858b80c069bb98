import { defineService, type Principal } from '#kernel'

/** What is looked for. */
interface KnowledgeQuestion {
  readonly text: string
  /** Only in these; in every one that the user may read unless said. */
  readonly knowledgeBaseIds?: readonly string[] | undefined
  /** At most so many chunks; what the knowledge bases say unless said here. */
  readonly topK?: number | undefined
  /** 0 to 1; what each knowledge base says unless said here. */
  readonly minScore?: number | undefined
  /** Who it is looked for, in the ledger beside the user, where vectors are asked for. */
  readonly agentId?: string | undefined
  /** The API key by which it is looked for, whose quotas count too. */
  readonly keyId?: string | undefined
  readonly traceId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** A part of a document that may answer the question. */
export interface KnowledgeChunk {
  readonly chunkId: string
  readonly documentId: string
  readonly knowledgeBaseId: string
  /** The document's. */
  readonly title: string
  /** The headings that it stands under, the outermost first. */
  readonly headings: readonly string[]
  /** Counted from 1; null for what has no pages. */
  readonly page: number | null
  readonly text: string
  /** 0 to 1: how much of what was asked the chunk covers, by weight, or how similar it is, where that is more. */
  readonly score: number
}

/** What was found, best first. */
export interface KnowledgeFound {
  /** Which way of looking ran. */
  readonly mode: 'lexical' | 'hybrid'
  /** Why vectors were not looked at, or not all of them, though there are some: a reason such as `quota_exceeded`. */
  readonly fallback: string | null
  readonly chunks: readonly KnowledgeChunk[]
}

/** A chunk that an answer names, as it stands on the wire. */
export interface KnowledgeCitation {
  readonly index: number
  readonly knowledge_base_id: string
  readonly document_id: string
  readonly chunk_id: string
  readonly title: string
  readonly score: number
  readonly quote: string
}

/** Finds what documents of a tenant say, for those who may read them. */
export interface KnowledgeRetrieval {
  /**
   * Looks in the knowledge bases that are for this user: for everybody, for a role or a node of the user's, or for the user; what is in
   * others is not found, whatever is asked for. Nothing found is an empty list.
   */
  search(user: Principal, question: KnowledgeQuestion): Promise<KnowledgeFound>
  /** The chunks that an answer names as `[1]`, counted from 1, in the order in which it names them; a number that names none is left out. */
  citations(answer: string, chunks: readonly KnowledgeChunk[]): readonly KnowledgeCitation[]
}

/** Finds what documents of a tenant say. */
export const knowledgeRetrieval = defineService<KnowledgeRetrieval>('knowledge.retrieval')

/** A document that a user may read. */
export interface LibraryDocument {
  readonly id: string
  readonly knowledgeBaseId: string
  readonly title: string
  readonly updatedAt: Date
}

/** Whole documents of the knowledge bases that are for a user, as `KnowledgeRetrieval` has it. */
export interface KnowledgeLibrary {
  /** Whether no knowledge base is for the user. */
  isEmpty(user: Principal): Promise<boolean>
  /** Those that were read in, by their ids, after one of them; '' is the beginning. */
  list(user: Principal, after: string, limit: number): Promise<readonly LibraryDocument[]>
  /** With its text, 400,000 characters at most; undefined for one that is not there, or not for the user. */
  read(user: Principal, id: string): Promise<(LibraryDocument & { readonly text: string }) | undefined>
}

/** Whole documents, for those who may read them. */
export const knowledgeLibrary = defineService<KnowledgeLibrary>('knowledge.library')
