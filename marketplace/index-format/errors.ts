import { defineError } from '#kernel'

/** A file of an index that has another form than the format asks for; details: file, rule, problem. */
export const IndexInvalidError = defineError(5023, 'index_invalid', 'The index is refused: {file}: {problem}')
/** A file of an index that is not what its signature or its hash says; details: file, rule. */
export const IndexUntrustedError = defineError(5023, 'index_untrusted', 'The index is not trusted: {file}: {problem}')
