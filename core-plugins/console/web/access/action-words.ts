import { hasText, say } from '../tab/i18n.ts'

/** What somebody did, in words; an action that nobody has words for is told by its name. */
export function actionWords(action: string): string {
  const own = `access.did.${action.replaceAll('.', '_')}`
  if (hasText(own)) return say(own)
  const [subject = '', verb = ''] = action.split('.')
  const about = `access.subjects.${subject.replace(/^(?:platform|tenant)_/, '')}`
  const done = `access.verbs.${verb}`
  return hasText(about) && hasText(done) ? say(done, { what: say(about) }) : action
}
