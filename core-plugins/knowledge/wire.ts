import type { BodyOf } from '#kernel/schemas'
import type { baseBody, searchAnswer } from './bases/schemas.ts'
import type { documentBody } from './documents/schemas.ts'

/** A knowledge base. */
export type KnowledgeBaseBody = BodyOf<typeof baseBody>
/** A document of one. */
export type KnowledgeDocumentBody = BodyOf<typeof documentBody>
/** What was found in one. */
export type KnowledgeFoundBody = BodyOf<typeof searchAnswer>
