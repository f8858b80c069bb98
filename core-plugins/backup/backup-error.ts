import { SaidError, type Said } from '#kernel'

/** Why a backup cannot be made, read or restored, in one line for whoever asked for it; what commands alone say is in English. */
export class BackupError extends SaidError {
  override readonly name = 'BackupError'

  constructor(said: Said | string, options?: ErrorOptions) {
    super(typeof said === 'string' ? { words: said } : said, options)
  }
}
