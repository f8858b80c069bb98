import type { KnowledgeBaseBody, KnowledgeDocumentBody } from '../../../knowledge/wire.ts'

/** A knowledge base. */
export type KnowledgeBase = KnowledgeBaseBody
/** A document of one. */
export type KnowledgeDocument = KnowledgeDocumentBody
