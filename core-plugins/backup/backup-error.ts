/** Why a backup cannot be made, read or restored, in one line for whoever asked for it. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
