import type { Provenance } from '../index-format/plugin-file.ts'

const shortCommit = 12

/** Which run published a version, in one line. */
export function describeRun({ issuer, subject, repository, ref, commit }: Provenance): string {
  const place = repository === undefined ? subject : `${repository}${ref === undefined ? '' : ` ${ref}`}`
  return `${place}${commit === undefined ? '' : ` at ${commit.slice(0, shortCommit)}`} (${URL.parse(issuer)?.host ?? issuer})`
}
