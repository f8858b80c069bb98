import type { Coding } from './asset-table.ts'

/** The smallest coding that a caller takes, of those that there are. */
export function chooseCoding(accepted: string | undefined, codings: readonly Coding[]): Coding {
  const wanted = new Map(
    (accepted ?? '').split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))] as const
    }),
  )
  return codings.find((coding) => wanted.get(coding) ?? wanted.get('*') ?? false) ?? 'identity'
}
