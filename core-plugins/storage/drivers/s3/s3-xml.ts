/** The text of an element without children, in an answer of which nothing else is wanted. */
export function elementOf(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]{1,1024})</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (whole, entity: string) => entities[entity] ?? whole)
}

/** The code of an error answer; undefined when it is none. */
export function errorCodeOf(xml: string): string | undefined {
  if (!/<Error[\s>]/.test(xml)) return undefined
  const code = elementOf(xml, 'Code')
  return code !== undefined && /^[A-Za-z0-9.]{1,64}$/.test(code) ? code : undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
