import { call } from '../api/client.ts'
import { useOpenRecord } from '../ui/dialog/use-open-record.ts'
import type { RecordParameter } from '../ui/record-parameters.ts'
import type { Operation } from './wire.ts'

/** The operation whose steps are shown; the address names it with its plugin, as the API does. */
export function useOpenOperation(rows: () => readonly Operation[], name?: RecordParameter) {
  return useOpenRecord<Operation>({
    path: '/admin/plugins/operations',
    rows,
    ...(name !== undefined && { name }),
    keyOf: ({ plugin, id }) => `${plugin}/${id}`,
    async read(key, signal) {
      const [, plugin, id] = /^([\w.-]+)\/([\w-]+)$/.exec(key) ?? []
      if (plugin === undefined || id === undefined) return undefined
      return call<Operation>('GET', `/admin/plugins/${plugin}/operations/${id}`, { signal })
    },
  })
}
