import { texts } from '../texts/texts.ts'
import type { DnsIssue } from './dns-readiness.ts'

/** An issue with its sentence and what to do about it. */
export function presentIssue({ reason, params }: DnsIssue, locale: string) {
  const message = texts.tell(`dns.${reason}`, locale, params)
  return { reason, message, fix: texts.tell(`dns.${reason}.fix`, locale, params) }
}
