import type { Licence } from '../../licence/licence.ts'

/** What a licence says, a line each, for a person. */
export function describeLicence(licence: Licence): readonly string[] {
  const { typ, jti, kid, plugin, host, tenants, seats, features, nbf, exp, grace } = licence
  const whom =
    seats === undefined ? (tenants === '*' ? 'every tenant' : `tenants ${tenants?.join(', ')}`) : `${seats} tenants`
  return [
    `${typ === 'trial' ? 'Trial' : 'Licence'} of ${plugin}`,
    `  id        ${jti}`,
    `  key       ${kid}`,
    `  site      ${host === '*' ? 'every site' : host}`,
    `  for       ${whom}`,
    `  features  ${features.length === 0 ? 'none' : features.join(', ')}`,
    `  from      ${timeOf(nbf)}`,
    `  to        ${exp === null ? 'it does not end' : `${timeOf(exp)}, and ${grace} days of grace`}`,
  ]
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000', '')
}
