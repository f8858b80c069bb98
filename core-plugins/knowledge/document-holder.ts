/** Who needs the file of a document. */
export function documentHolder(documentId: string): string {
  return `knowledge_document:${documentId}`
}
