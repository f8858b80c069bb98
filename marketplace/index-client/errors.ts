import { defineError } from '#kernel'

/** A source that gives no answer, or not the one that was asked for; details: source, rule. */
export const IndexUnavailableError = defineError(
  5023,
  'index_unavailable',
  'The index {source} cannot be read: {problem}',
)
/** A package that is not the one the index names; details: source, rule. */
export const DownloadRefusedError = defineError(
  5023,
  'download_refused',
  'The package of {release} is refused: {problem}',
)
/** A source whose address or headers cannot be; details: rule. */
export const SourceInvalidError = defineError(4002, 'index_source_invalid', 'The source is refused: {problem}')
/** A plugin, or a version of it, that an index does not list. */
export const IndexEntryNotFoundError = defineError(4046, 'index_entry_not_found', 'The index {source} has no {entry}')
/** A file that an index does not have beside a plugin. */
export const IndexFileNotFoundError = defineError(4040, 'index_file_not_found', '{name} has no {file} in the index')
