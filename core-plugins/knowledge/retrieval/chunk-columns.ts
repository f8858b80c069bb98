/** What is read of a chunk that was found. */
export const chunkColumns = ['id', 'base_id', 'document_id', 'position', 'headings', 'page', 'text', 'term_count']
  .map((column) => `ai_knowledge_chunks.${column}`)
  .join(', ')
