import { defineError } from '#kernel'

/** Also for one of another tenant. */
export const KnowledgeBaseNotFoundError = defineError(
  4040,
  'knowledge_base_not_found',
  'There is no such knowledge base',
)
export const DocumentNotFoundError = defineError(4040, 'document_not_found', 'There is no such document')
export const TooManyBasesError = defineError(
  4002,
  'too_many_knowledge_bases',
  'There are as many knowledge bases as a tenant may have, {most}',
)
export const TooManyDocumentsError = defineError(
  4002,
  'too_many_documents',
  'The knowledge base has as many documents as it can, {most}',
)
export const DocumentBusyError = defineError(4094, 'document_busy', 'The document is being indexed already')
export const KnowledgeInvalidError = defineError(4229, 'knowledge_invalid', 'Something of the knowledge base cannot be')

// What becomes of vectors: told in the knowledge base and in what was found, never thrown at a caller.
export const EmbeddingModelGoneError = defineError(4048, 'embedding_model_gone', 'There is no model {model} any more')
export const VectorsUnfitError = defineError(
  5021,
  'vectors_unfit',
  'What the model answered are no vectors of one length',
)

// What becomes of documents: told in the document, never thrown at a caller.
export const DocumentTypeError = defineError(4008, 'document_type_unknown', 'Documents of this type are not read')
export const DocumentUnreadableError = defineError(4008, 'document_unreadable', 'The document is broken')
export const DocumentLockedError = defineError(4008, 'document_locked', 'The document wants a password')
export const DocumentEmptyError = defineError(4008, 'document_empty', 'There is no text in the document')
export const DocumentInfectedError = defineError(4008, 'document_infected', 'The file was quarantined')
export const DocumentGoneError = defineError(4045, 'document_file_gone', 'The file of the document is gone')
export const DocumentTooLargeError = defineError(4130, 'document_too_large', 'The document is too large')
export const DocumentTooCostlyError = defineError(
  4130,
  'document_too_costly',
  'Reading the document takes too much time or memory',
)
export const DocumentUnreachableError = defineError(
  5021,
  'document_unreachable',
  'The address of the document does not answer with one',
)
export const DocumentNotIndexedError = defineError(5000, 'document_not_indexed', 'The document could not be indexed')
