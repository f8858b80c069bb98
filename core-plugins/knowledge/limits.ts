/** Bytes of one document. */
export const mostDocumentBytes = 32 * 1024 * 1024
/** Characters that are read of one document. */
export const mostCharacters = 4_000_000
/** Of a PDF. */
export const mostPages = 2_000
/** Of one knowledge base. */
export const mostDocuments = 10_000
