/** Bytes of one document. */
export const mostDocumentBytes = 32 * 1024 * 1024
/** Characters that are read of one document. */
export const mostCharacters = 4_000_000
/** Of a PDF. */
export const mostPages = 2_000
/** Chunks of one document, and terms of all of them together; a heading is among the terms of each chunk under it. */
export const mostChunks = 20_000
export const mostTerms = 2_000_000
/** Of one knowledge base. */
export const mostDocuments = 10_000
/** Of one tenant. */
export const mostKnowledgeBases = 500
