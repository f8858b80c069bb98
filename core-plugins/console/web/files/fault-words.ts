import { Problem } from '../session/problem.ts'
import { say } from '../tab/i18n.ts'
import { FileRefusal } from './upload-rules.ts'

/** Why a file was not sent, in one sentence. */
export function faultWords(fault: unknown): string {
  if (fault instanceof Problem) return fault.status === 0 ? say('shell.offline') : fault.message
  return fault instanceof FileRefusal ? fault.message : say('files.unreadable')
}
